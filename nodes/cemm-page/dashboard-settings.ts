/**
 * Finds out whether visitors of the dashboard can change the page for others. Dashboard keeps what a browser sends to a ui-template, its
 * template too, and gives it to all others, unless `acceptsClientConfig` of the ui-base has `ui-template`.
 */
import type { NodeAPI } from 'node-red';
import { isRecord, type UnknownRecord } from '../../src/checks/record';
import { isProtected } from '../lib/dashboard-base';

type Stored = ReadonlyMap<string, Readonly<UnknownRecord>>;

export function isOpenToVisitors(RED: Pick<NodeAPI, 'nodes'>, pageId: string): boolean {
  const stored = new Map<string, UnknownRecord>();
  RED.nodes.eachNode((node: unknown) => {
    if (isRecord(node) && typeof node['id'] === 'string') stored.set(node['id'], node);
  });
  const found = basesOf(stored, pageId);
  const all = [...stored.values()].filter(({ type }) => type === 'ui-base');
  return (found.length > 0 ? found : all).some((base) => !isProtected(base));
}

/** The bases of the templates behind the first output; empty if they are behind other nodes, as in a subflow. */
function basesOf(stored: Stored, pageId: string): UnknownRecord[] {
  const findStored = (id: unknown): UnknownRecord | undefined => (typeof id === 'string' ? stored.get(id) : undefined);
  const wires = findStored(pageId)?.['wires'];
  const [targets] = Array.isArray(wires) ? (wires as readonly unknown[]) : [];
  return (Array.isArray(targets) ? (targets as readonly unknown[]) : []).flatMap((id) => {
    const base = findStored(findStored(findStored(findStored(id)?.['group'])?.['page'])?.['ui']);
    return base === undefined ? [] : [base];
  });
}
