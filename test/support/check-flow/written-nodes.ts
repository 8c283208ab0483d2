/** Nodes of a flow file as a test writes them, and what cemm-check-flow finds in them. */
import { nodeTypes } from '../../../nodes/check-flow/node-types';
import { findingsIn } from './checked-flows';

export type Node = Readonly<Record<string, unknown>> & { readonly id: string };

export function nodeOf(type: string, id: string, properties: object = {}): Node {
  const { defaults = {}, outputs } = nodeTypes[type] ?? {};
  const place = outputs === null ? {} : { z: 'flow', x: 0, y: 0, wires: (outputs ?? []).map(() => []) };
  return { ...defaults, ...place, ...properties, id, type };
}

export const tab = { id: 'flow', type: 'tab', label: 'House' };
export const demo = nodeOf('cemm-connection', 'house', { mode: 'demo' });

export function realtime(properties: object = {}): Node {
  return nodeOf('cemm-realtime', 'grid', { name: 'grid', connection: 'house', alias: 'p1', ...properties });
}

export function ownPort(port: unknown): Node {
  return nodeOf('cemm-webhook-in', 'hook', { listen: 'own', port });
}

export function other(type: string, id: string, properties: object = {}): Node {
  return { id, type, z: 'flow', x: 0, y: 0, wires: [[]], ...properties };
}

/** An inject node that starts each node of ours that has an interval. */
function starting(nodes: readonly object[]): Node {
  const started = nodes.filter((node) => nodeTypes[String(Reflect.get(node, 'type'))]?.rules['interval'] !== undefined);
  return other('inject', 'start', { wires: [started.map((node) => String(Reflect.get(node, 'id')))] });
}

/** `problem field → instead` of each finding. */
export function found(...nodes: readonly object[]): string[] {
  return findingsOf([tab, demo, starting(nodes), ...nodes]);
}

export function findingsOf(flow: readonly object[]): string[] {
  return findingsIn(flow).map(({ problem, field, instead }) =>
    instead === null ? `${problem} ${field}` : `${problem} ${field} → ${instead}`,
  );
}
