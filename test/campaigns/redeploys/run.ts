/**
 * `npm run campaign -- redeploys --rounds N`: full deploys of a flow with every node at work, while deliveries come in, and then
 * the same of a flow without our nodes. Afterwards the same handles must be open as before, and the heap may grow by at most
 * 2 MB more than without our nodes. Node-RED has 128 MB of heap. Exit code 1: a goal is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { loopbackOnly } from '../../support/network/discoverable';
import { NodeRed, tab } from '../../support/node-red/node-red';
import { searchForSecrets } from '../../support/node-red/secrets';
import { handlesByKind, settledHandles } from '../../support/node-red/settled-handles';
import { credentials, key } from '../../support/webhook/flows';
import { delivery, post } from '../../support/webhook/sending';
import { controlFlow, ourFlow, type Flow } from './flows';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const rounds = Number(values.rounds);
const megabyte = 1024 * 1024;
const mostGrowth = 2 * megabyte;
/** Until caches are full and code is compiled. */
const warmUp = 50;

interface Outcome {
  readonly left: string[];
  readonly growth: number;
  readonly answered: number;
}

/** Sends deliveries one after the other until stopped. A deploy may refuse or abort them. */
function traffic(url: string): { readonly stop: () => Promise<number> } {
  const ending = new AbortController();
  let answered = 0;
  const work = (async () => {
    while (!ending.signal.aborted) {
      // Node-RED's own nodes never answer a request that a deploy interrupts.
      const { status } = await Promise.race([
        post({ url, key }, delivery()).catch(() => ({ status: 0 })),
        sleep(2000, { status: 0 }),
      ]);
      if (status === 200) answered += 1;
      await sleep(5);
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await work;
      return answered;
    },
  };
}

async function campaign(name: string, flow: Flow): Promise<Outcome> {
  const nodeRed = await NodeRed.start({
    flows: flow(0),
    credentials,
    nodeOptions: ['--max-old-space-size=128', ...loopbackOnly],
  });
  const deploys = async (from: number, to: number): Promise<number> => {
    const deliveries = traffic(`${nodeRed.url}/cemm`);
    for (let round = from; round < to; round++) {
      await nodeRed.deploy(flow(round), 'full', credentials);
      if (round % 100 === 0) process.stdout.write(`${name}: ${round} deploys\n`);
      // Long enough for every request to be answered once.
      if (round % 10 === 0) await sleep(500);
    }
    const answered = await deliveries.stop();
    await nodeRed.deploy([tab()]);
    return answered;
  };
  try {
    await deploys(1, warmUp);
    const before = await settledHandles(nodeRed);
    const heapBefore = (await nodeRed.ask('memory')).heapUsed;
    const answered = await deploys(warmUp, warmUp + rounds);
    const after = await settledHandles(nodeRed);
    const growth = (await nodeRed.ask('memory')).heapUsed - heapBefore;
    const left = (['layers', 'listeners'] as const)
      .filter((part) => !isDeepStrictEqual(after[part], before[part]))
      .map((part) => `${part}: ${JSON.stringify(before[part])} before, ${JSON.stringify(after[part])} after`);
    left.push(...(await searchForSecrets(nodeRed, [key])).found);
    const [open, still] = [handlesByKind(before.resources), handlesByKind(after.resources)];
    if (!isDeepStrictEqual(open, still))
      left.push(`handles: ${JSON.stringify(open)} before, ${JSON.stringify(still)} after`);
    const grown = `heap ${(heapBefore / megabyte).toFixed(1)} MB, ${(growth / megabyte).toFixed(2)} MB more`;
    process.stdout.write(`${name}: ${rounds} deploys, ${answered} deliveries answered, ${grown}\n`);
    return { left, growth, answered };
  } finally {
    await nodeRed.stop();
  }
}

async function main(): Promise<void> {
  const simulator = await startSimulator({ localPort: 0 });
  try {
    const ours = await campaign('with our nodes', ourFlow(simulator.local ?? ''));
    const control = await campaign('without', controlFlow);
    const more = ours.growth - control.growth;
    process.stdout.write(`heap: ${(more / megabyte).toFixed(2)} MB more than without our nodes\n`);
    const asked = [...simulator.requests.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(`requests to the monitor meanwhile: ${asked}\n`);
    const problems = [...ours.left];
    if (ours.answered === 0 || asked === 0) problems.push('there was no traffic');
    if (more > mostGrowth) problems.push('the heap grows with the deploys');
    for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await simulator.close();
  }
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
