/**
 * Flows with every stored property set, and the recorded messages of their nodes: the same flows send the same messages in
 * every later version, byte for byte, apart from the time a request took. `CEMM_RECORD=1 npx mocha
 * test/process/recorded.test.ts` records anew, for an intended change of the payload.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import should from 'should';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { millis } from '../../src/time/units';
import { collector, freePort, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { key } from '../support/webhook/flows';
import { post } from '../support/webhook/sending';
import { until } from '../support/until';
import { errorOf, fire } from '../support/node-red/remote-flow';

const folder = join(__dirname, '../recorded');
const moment = Date.parse('2026-07-15T10:20:30Z');
const apiKey = 'recorded-test-key';
const begun = Date.now();

interface RecordedFlow {
  /** Also the id of the node under test. */
  readonly name: string;
  readonly node: Readonly<Record<string, unknown>>;
  /** Properties of the message to the node; null: a delivery is posted to it. */
  readonly message: Readonly<Record<string, unknown>> | null;
  readonly delivery?: Readonly<Record<string, unknown>>;
  readonly outputs: number;
  /** Number of messages that the node sends in response, over all outputs. */
  readonly sends: number;
}

interface Sent {
  readonly output: number;
  readonly [property: string]: unknown;
}

const flows = JSON.parse(readFileSync(join(folder, 'flows.json'), 'utf8')) as RecordedFlow[];

/** One node, its outputs, and a collector for its errors. */
function flowOf({ name, node, outputs }: RecordedFlow): FlowNode[] {
  const names = Array.from({ length: outputs }, (_, output) => `${name}-${output}`);
  return [
    { id: name, z: 'flow', ...node, type: String(node['type']), wires: names.map((output) => [output]) },
    ...names.flatMap((output) => collector(output)),
    ...collector(`${name}-caught`),
    { id: `${name}-catch`, type: 'catch', z: 'flow', scope: [name], uncaught: false, wires: [[`${name}-caught`]] },
  ];
}

function trigger({ name, message }: RecordedFlow): FlowNode[] {
  if (message === null) return [];
  const props = Object.entries(message).map(([p, value]) => ({ p, v: JSON.stringify(value), vt: 'json' }));
  return [
    { id: `${name}-in`, type: 'inject', z: 'flow', props, once: false, repeat: '', crontab: '', wires: [[name]] },
  ];
}

describe('recorded flows in a whole Node-RED @node-red-5', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  let ownPort: number;
  const sent: Record<string, Sent[]> = {};

  before(async () => {
    const clock = createSimulatedClock({ start: millis(moment), speed: 0 });
    simulator = await startSimulator({ localPort: 0, remotePort: 0, apiKey, clock, seed: 7 });
    const connections: FlowNode[] = (['remote', 'local', 'public'] as const).map((mode) => ({
      id: `recorded-${mode}`,
      type: 'cemm-connection',
      name: `recorded ${mode}`,
      mode,
      baseUrl: String(simulator.remote),
      host: String(simulator.local),
      mac: mode === 'remote' ? '' : (simulator.monitors[0]?.mac ?? ''),
      timezone: 'Europe/Amsterdam',
      deadline: 30,
      shard: '1/1',
    }));
    ownPort = await freePort();
    // The names in a chart are in the language of Node-RED.
    nodeRed = await NodeRed.start({
      settings: "lang: 'en-US',",
      // The stopped clock of the simulator: a power of another time would be too old.
      env: {
        RECORDED_PORT: String(ownPort),
        CEMM_TEST_CLOCK: new Date(moment).toISOString(),
        CEMM_TEST_CLOCK_SPEED: '0',
      },
    });
    await nodeRed.deploy(
      [tab(), ...connections, ...flows.flatMap((flow) => [...flowOf(flow), ...trigger(flow)])],
      'full',
      {
        'recorded-remote': { apiKey },
        ...Object.fromEntries(
          flows
            .filter(({ message }) => message === null)
            .map(({ name }) => [name, { hmacKey: key, headerKey: 'h', queryKey: 'q' }]),
        ),
      },
    );
  });

  after(async () => {
    if (process.env['CEMM_RECORD'] === '1') {
      const lines = Object.entries(sent).map(
        ([name, messages]) => `${JSON.stringify(name)}: ${JSON.stringify(messages)}`,
      );
      writeFileSync(join(folder, 'messages.json'), `{\n${lines.join(',\n')}\n}\n`);
    }
    await nodeRed.stop();
    await simulator.close();
  });

  for (const flow of flows) {
    it(`sends what it sent when it was recorded: ${flow.name}`, async () => {
      if (flow.message === null) {
        const origin = flow.node['listen'] === 'own' ? `http://127.0.0.1:${ownPort}` : nodeRed.url;
        const url = `${origin}${String(flow.node['path']).replace(':cemm', '24000001')}?q=q`;
        const body = Buffer.from(JSON.stringify(flow.delivery));
        const reply = await post({ url, key, headers: { 'X-Recorded': 'h' } }, body);
        reply.status.should.equal(200);
      } else {
        await fire(nodeRed, `${flow.name}-in`);
      }
      const messages = await collect(flow);
      sent[flow.name] = messages;
      if (process.env['CEMM_RECORD'] === '1') return;
      const recorded = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8')) as Record<string, Sent[]>;
      should(JSON.stringify(messages, null, 1)).equal(JSON.stringify(recorded[flow.name], null, 1));
    });
  }

  function collect({ name, outputs, sends }: RecordedFlow): Promise<Sent[]> {
    return until(`what ${name} sends`, async () => {
      const [caught] = await nodeRed.messages(`${name}-caught`);
      if (caught !== undefined) throw new Error(`${name} reported: ${errorOf(caught).message}`);
      const sent = await Promise.all(
        Array.from({ length: outputs }, async (_, output) =>
          (await nodeRed.messages(`${name}-${output}`)).map((message) => ({ output, ...comparable(message) })),
        ),
      );
      return sent.flat().length >= sends && sent.flat();
    });
  }

  /** Without the parts that differ in each run: message id, ports, the time of the request and its duration. */
  function comparable(message: CollectedMessage): object {
    const ports = [simulator.local, simulator.remote].map((address) => new URL(String(address)).port);
    const text = ports.reduce(
      (all, port) => all.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:PORT'),
      JSON.stringify({ ...message, _msgid: undefined }).replace(
        /"(fetchedAt|latencyMs|ageMs|delay_ms)":-?\d+/g,
        '"$1":0',
      ),
    );
    // A delivery without a time is named after the nearest minute, which may be the next one.
    const isOfThisRun = (at: number): boolean => at >= begun - 60_000 && at <= Date.now() + 60_000;
    const timeless = text
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]{12}Z/g, (iso) => (isOfThisRun(Date.parse(iso)) ? 'NOW' : iso))
      .replace(/(?<![\d.])\d{13}(?!\d)/g, (at) => (isOfThisRun(Number(at)) ? '0' : at))
      .replace(/:\d{10}:/g, (at) => (isOfThisRun(Number(at.slice(1, -1)) * 1000) ? ':0:' : at))
      .replace(/"parts":\{"id":"[0-9a-f]+"/g, '"parts":{"id":"0"');
    return JSON.parse(timeless) as object;
  }
});
