/** Sends hostile requests to a running Node-RED, with valid deliveries in between that must be accepted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeRed } from '../../support/node-red/node-red';
import { searchForSecrets } from '../../support/node-red/secrets';
import { until } from '../../support/until';
import { delivery, post, valueIn } from '../../support/webhook/sending';
import { listReadingValues } from '../../support/webhook/flows';
import { complaint, isAccepted, send, type Outcome } from './call';
import { hookPath, hostileCase, type HostileCase } from './cases';
import { goodMonitor, key, remoteKey } from './flows';
import { readRegressions, storeRegression } from './regressions';

export interface CampaignOptions {
  readonly cases: number;
  readonly seed: number;
  readonly inFlight: number;
  /** Port for deliveries; if left out, the port of Node-RED. */
  readonly ownPort?: number | undefined;
  /** Time between two good deliveries, in ms. */
  readonly goodEveryMs: number;
  /** Called every 5000 cases with the number of cases done. */
  readonly progress?: (done: number) => void;
}

export interface CampaignReport {
  /** `kind status` → number of cases. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
  readonly good: { readonly sent: number; readonly p99Ms: number; readonly longestMs: number };
  /** Deliveries to the path that takes all monitors: accepted and sent into the flow. */
  readonly accepted: { readonly answered: number; readonly sent: number };
  readonly callsPerSecond: number;
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly rssAfter: number;
}

/** Most stored failures: a defect in every request needs no more files. */
const mostStored = 10;
const warmUp = 300;

export async function runCampaign(nodeRed: NodeRed, options: CampaignOptions): Promise<CampaignReport> {
  const outcomes = new Map<string, number>();
  const failures: string[] = [];
  let answered = 0;
  const receiverPort = options.ownPort ?? nodeRed.port;
  const target = { key, host: `127.0.0.1:${receiverPort}` };

  async function run(name: string, hostile: HostileCase, isStored: boolean): Promise<void> {
    const outcome: Outcome = await send(hostile.kind === 'admin' ? nodeRed.port : receiverPort, hostile);
    const label = `${hostile.kind} ${outcome.status ?? outcome.end}`;
    outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
    if (isAccepted(outcome.text)) answered += 1;
    const why = nodeRed.running
      ? complaint(hostile, outcome, [key, remoteKey], receiverPort !== nodeRed.port)
      : 'stopped Node-RED';
    if (why === null) return;
    const file = isStored || failures.length >= mostStored ? name : storeRegression(name, hostile, why);
    failures.push(`${file}: ${why}`);
  }

  async function runMany(from: number, to: number): Promise<void> {
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to && nodeRed.running) {
        const index = next++;
        await run(`${options.seed}-${index}`, hostileCase(options.seed, index, target), false);
        if (index % 5000 === 0) options.progress?.(index);
      }
    };
    await Promise.all(Array.from({ length: options.inFlight }, work));
  }

  const good = new GoodTraffic(nodeRed, receiverPort, options.goodEveryMs);
  for (const { name, hostile } of readRegressions()) await run(name, hostile, true);
  await runMany(0, Math.min(warmUp, options.cases));
  const before = await nodeRed.ask('memory');
  const started = performance.now();
  await runMany(warmUp, options.cases);
  const callsPerSecond = Math.max(0, options.cases - warmUp) / ((performance.now() - started) / 1000);
  await good.stop();
  failures.push(...good.failures);

  await nodeRed.waitFor('deliveries', (all) => all.length >= good.sent.length);
  const arrived = listReadingValues(await nodeRed.messages('deliveries'));
  if (JSON.stringify(arrived) !== JSON.stringify(good.sent)) {
    failures.push(`${good.sent.length} good deliveries were accepted, and other ones arrived: ${arrived.length}`);
  }
  await nodeRed.waitFor('accepted', (all) => all.length >= answered);
  const sent = (await nodeRed.messages('accepted')).length;
  if (sent !== answered) failures.push(`${answered} deliveries were accepted and ${sent} were sent`);
  failures.push(...(await searchFailures(nodeRed)));
  failures.push(...(await searchForSecrets(nodeRed, [key, remoteKey])).found);
  const after = await settledMemory(nodeRed, before.heapUsed);
  const times = [...good.ms].sort((a, b) => a - b);
  return {
    outcomes,
    failures,
    good: {
      sent: good.sent.length,
      p99Ms: Math.round(times[Math.floor(times.length * 0.99)] ?? 0),
      longestMs: Math.round(times.at(-1) ?? 0),
    },
    accepted: { answered, sent },
    callsPerSecond: Math.round(callsPerSecond),
    heapBefore: before.heapUsed,
    heapAfter: after.heapUsed,
    rssAfter: after.rss,
  };
}

/** One at a time, at a steady pace; each must be answered 200. */
class GoodTraffic {
  readonly sent: number[] = [];
  readonly ms: number[] = [];
  readonly failures: string[] = [];
  private running = true;
  private readonly work: Promise<void>;

  constructor(
    private readonly nodeRed: NodeRed,
    private readonly port: number,
    private readonly everyMs: number,
  ) {
    this.work = this.run();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.work;
  }

  private async run(): Promise<void> {
    while (this.running && this.nodeRed.running) {
      const body = delivery({ cemm: goodMonitor });
      try {
        const { status, text, ms } = await post({ url: `http://127.0.0.1:${this.port}${hookPath}`, key }, body);
        this.ms.push(ms);
        if (status === 200) this.sent.push(valueIn(body));
        else this.failures.push(`a good delivery was answered ${status} ${text}`);
      } catch (error) {
        this.failures.push(`a good delivery broke: ${String(error)}`);
      }
      await sleep(this.everyMs);
    }
  }
}

/** A forged datagram may list an unverified monitor, never one of another network. */
async function searchFailures(nodeRed: NodeRed): Promise<string[]> {
  const found = (await nodeRed.messages('found')).map(({ payload }) => JSON.stringify(payload));
  return found.filter((text) => /"host":"10\./.test(text)).map((text) => `a forged response was accepted: ${text}`);
}

/** Closing sockets frees memory late, so this waits for it. */
async function settledMemory(nodeRed: NodeRed, before: number): Promise<NodeJS.MemoryUsage> {
  const limit = before + 4 * 1024 * 1024;
  return until(
    'memory to come back',
    async () => {
      const memory = await nodeRed.ask('memory');
      return memory.heapUsed < limit && memory;
    },
    15_000,
  ).catch(() => nodeRed.ask('memory'));
}
