/** How often a node has to read so that the chart behind it shows something, and stays up to date. */
import type { Change } from './add-nodes';
import { textFrom } from './open-form';
import type { AnyNode } from './red';

const hour = 3600;
/** Seconds. A request over the internet takes part in what the service allows. */
const ofDay = { remote: 300, others: 60 } as const;

/**
 * Null where the node reads at an interval already, and where it waits for messages: it has an input that is connected or a
 * property that is taken from the message.
 */
export function startInterval(node: AnyNode): Change | null {
  if (Number(node['interval']) !== 0 || node['interval'] === undefined) return null;
  const takesMessages = Object.entries(node).some(([name, value]) => name.endsWith('Type') && value === 'msg');
  if (takesMessages || RED.nodes.filterLinks({ target: { id: node.id } }).length > 0) return null;
  return { property: 'interval', value: isOfDay(node) ? secondsOfDay(node) : hour };
}

/** The readings and minutes of a day change all the time, its end and longer periods do not. */
function isOfDay(node: AnyNode): boolean {
  if (node.type === 'cemm-realtime') return true;
  return node.type === 'cemm-series' && node['period'] === 'day' && node['dateType'] === 'current';
}

function secondsOfDay(node: AnyNode): number {
  const connection = RED.nodes.node(textFrom(node['connection']));
  return connection?.['mode'] === 'remote' ? ofDay.remote : ofDay.others;
}
