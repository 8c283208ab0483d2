/** A node of a recorded flow in a whole Node-RED: its outputs and its errors are collected, without what differs in each run. */
import { writeFileSync } from 'node:fs';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { millis } from '../../../src/time/units';
import { until } from '../until';
import { collector, type CollectedMessage, type FlowNode, type NodeRed } from './node-red';
import { errorOf } from './remote-flow';

/** The clocks of Node-RED and of the simulator stand still at it. */
export const recordedAt = Date.parse('2026-07-15T10:20:30Z');

export const recordedKey = 'recorded-test-key';

export interface RecordedFlow {
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

export interface Sent {
  readonly output: number;
  readonly [property: string]: unknown;
}

/** Addresses of a monitor, and of the service that knows it. */
export interface RecordedMonitor extends Pick<Simulator, 'local' | 'remote'> {
  readonly monitors: readonly Pick<Simulator['monitors'][number], 'mac'>[];
}

export function startRecordedMonitor(): Promise<Simulator> {
  const clock = createSimulatedClock({ start: millis(recordedAt), speed: 0 });
  return startSimulator({ localPort: 0, remotePort: 0, apiKey: recordedKey, clock, seed: 7 });
}

/** Variables of a Node-RED whose clock stands still: a power of another time would be too old. */
export const stillClock = { CEMM_TEST_CLOCK: new Date(recordedAt).toISOString(), CEMM_TEST_CLOCK_SPEED: '0' } as const;

export function recordedConnection(
  mode: 'remote' | 'local' | 'public',
  { remote, local, monitors }: RecordedMonitor,
): FlowNode {
  return {
    id: `recorded-${mode}`,
    type: 'cemm-connection',
    name: `recorded ${mode}`,
    mode,
    baseUrl: String(remote),
    host: String(local),
    mac: mode === 'remote' ? '' : (monitors[0]?.mac ?? ''),
    timezone: 'Europe/Amsterdam',
    deadline: 30,
    shard: '1/1',
  };
}

/** The node, a trigger for it, collectors for its outputs, and one for its errors. */
export function nodesOfFlow({ name, node, message, outputs }: RecordedFlow): FlowNode[] {
  const names = Array.from({ length: outputs }, (_, output) => `${name}-${output}`);
  const props = Object.entries(message ?? {}).map(([p, value]) => ({ p, v: JSON.stringify(value), vt: 'json' }));
  const trigger = { id: `${name}-in`, type: 'inject', z: 'flow', props, once: false, repeat: '', crontab: '' };
  return [
    { id: name, z: 'flow', ...node, type: String(node['type']), wires: names.map((output) => [output]) },
    ...names.flatMap((output) => collector(output)),
    ...collector(`${name}-caught`),
    { id: `${name}-catch`, type: 'catch', z: 'flow', scope: [name], uncaught: false, wires: [[`${name}-caught`]] },
    ...(message === null ? [] : [{ ...trigger, wires: [[name]] }]),
  ];
}

/** What the node has sent, once all of it is there. */
export function collectSent(
  nodeRed: NodeRed,
  { name, outputs, sends }: RecordedFlow,
  readMessage: (message: CollectedMessage) => object,
): Promise<Sent[]> {
  return until(`what ${name} sends`, async () => {
    const [caught] = await nodeRed.messages(`${name}-caught`);
    if (caught !== undefined) throw new Error(`${name} reported: ${errorOf(caught).message}`);
    const sent = await Promise.all(
      Array.from({ length: outputs }, async (_, output) =>
        (await nodeRed.messages(`${name}-${output}`)).map((message) => ({ output, ...readMessage(message) })),
      ),
    );
    return sent.flat().length >= sends && sent.flat();
  });
}

/** Without the parts that differ in each run: message id, ports, the time of the request and its duration. */
export function comparableMessage(
  message: CollectedMessage,
  { local, remote }: RecordedMonitor,
  begun: number,
): object {
  const ports = [local, remote].map((address) => new URL(String(address)).port);
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

/** On a busy machine, a socket is closed while a request is sent, which is repeated and counted: a higher number is that of the record. */
export function withoutRepeats(sent: string, recorded: string): string {
  const pattern = /(?<="requests": )\d+/g;
  const counts = recorded.match(pattern)?.map(Number) ?? [];
  let index = 0;
  return sent.replace(pattern, (count) => String(Math.min(Number(count), counts[index++] ?? Infinity)));
}

/** Writes the messages of each flow, one flow on a line. */
export function writeRecorded(file: string, sent: Readonly<Record<string, readonly Sent[]>>): void {
  const lines = Object.entries(sent).map(([name, messages]) => `${JSON.stringify(name)}: ${JSON.stringify(messages)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
