/** Flows of whole-process tests with a simulated service or monitor: connections, nodes of the package, and their observers. */
import type { CemmError } from '../../../src/errors';
import type { Simulator } from '../../../src/simulator/simulator';
import { collector, type CollectedMessage, type FlowNode } from './node-red';

export const testKey = 'process-test-key-51c0de';
export const testCredentials = { 'remote-connection': { apiKey: testKey } };

/** A patient connection of a simulated service or monitor. */
const connection = { type: 'cemm-connection', timezone: 'Europe/Amsterdam', deadline: 60 };

export function remoteConnection({ remote }: Pick<Simulator, 'remote'>, properties: object = {}): FlowNode {
  return { ...connection, id: 'remote-connection', mode: 'remote', baseUrl: String(remote), ...properties };
}

export function localConnection({ local }: Pick<Simulator, 'local'>, properties: object = {}): FlowNode {
  return { ...connection, id: 'local-connection', mode: 'local', host: String(local), ...properties };
}

type Kind = 'realtime' | 'series' | 'totals' | 'balance';

/** A node whose id is its name; its messages go to the collectors `out` and (realtime) `availability`. */
export function asking(kind: Kind, id: string, properties: object = {}): FlowNode {
  return {
    id,
    type: `cemm-${kind}`,
    z: 'flow',
    name: id,
    connection: 'remote-connection',
    alias: 'p1',
    interval: 0,
    wires: kind === 'realtime' ? [['out'], ['availability']] : [['out']],
    ...properties,
  };
}

/** Sends one message with these properties after each `fire`. */
export function trigger(id: string, wires: string[], properties: Record<string, [string, string]> = {}): FlowNode {
  return {
    id,
    type: 'inject',
    z: 'flow',
    props: Object.entries(properties).map(([p, [v, vt]]) => ({ p, v, vt })),
    once: false,
    repeat: '',
    crontab: '',
    wires: [wires],
  };
}

/** Collects the events of these nodes in `out`, `availability`, `caught`, `completed` and `statuses`. */
export function watchers(scope: string[]): FlowNode[] {
  return [
    ...['out', 'availability', 'caught', 'completed', 'statuses'].flatMap((name) => collector(name)),
    { id: 'catch', type: 'catch', z: 'flow', scope, uncaught: false, wires: [['caught']] },
    { id: 'complete', type: 'complete', z: 'flow', scope, wires: [['completed']] },
    { id: 'status', type: 'status', z: 'flow', scope, wires: [['statuses']] },
  ];
}

export function errorOf(message: CollectedMessage | undefined): Pick<CemmError, 'code' | 'message'> {
  return (
    (message as { error: Pick<CemmError, 'code' | 'message'> } | undefined)?.error ?? { code: 'CONFIG', message: '' }
  );
}

export function statusTexts(messages: readonly CollectedMessage[]): string[] {
  return messages.map((message) => (message as { status?: { text?: string } }).status?.text ?? '');
}

/** Number of requests with the text in their path. */
export function requestsTo({ requests }: Simulator, part: string): number {
  return [...requests].reduce((sum, [path, count]) => sum + (path.includes(part) ? count : 0), 0);
}
