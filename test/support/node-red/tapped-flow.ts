/** Examples with collectors beside the nodes whose messages a test looks at. */
import { collector, type CollectedMessage, type FlowNode } from './node-red';

const placeless = new Set(['tab', 'comment', 'catch', 'link out', 'ui-template']);

/** Last nodes of the flow, except those that only errors reach. */
export function lastNodes(flow: readonly FlowNode[]): FlowNode[] {
  const onErrors = new Set(flow.filter(({ type }) => type === 'catch').flatMap((node) => followers(node)));
  return flow.filter(
    (node) => node['z'] !== undefined && !placeless.has(node.type) && !onErrors.has(node.id) && !followers(node).length,
  );
}

function followers(node: FlowNode): string[] {
  return (node['wires'] as string[][] | undefined)?.flat() ?? [];
}

/** The example with a tap beside every last node: its messages also go to the collector `seen`, with its id. */
export function tapped(flow: readonly FlowNode[]): FlowNode[] {
  const tab = flow.find(({ type }) => type === 'tab')?.id ?? '';
  const taps = new Map(lastNodes(flow).map(({ id }) => [id, `tap-${id}`]));
  for (const node of flow.filter(({ type }) => type === 'catch')) {
    for (const id of followers(node)) taps.set(id, `tap-${id}`);
  }
  const wired = flow.map((node) =>
    node['wires'] === undefined
      ? node
      : {
          ...node,
          wires: (node['wires'] as string[][]).map((port) => [...port, ...port.flatMap((id) => taps.get(id) ?? [])]),
        },
  );
  const tapNodes = [...taps].map(([id, tap]): FlowNode => ({
    id: tap,
    type: 'function',
    z: tab,
    func: `return { ...msg, last: ${JSON.stringify(id)} };`,
    outputs: 1,
    wires: [['seen']],
  }));
  return [...wired, ...tapNodes, ...collector('seen', tab)];
}

/** The example with a collector for the data of its page. */
export function withPage(flow: readonly FlowNode[], z: string, from: string, to: string): FlowNode[] {
  const func = "return { ...msg, last: 'page' };";
  const page = { id: 'page', type: 'function', z, func, outputs: 1, wires: [['seen']] };
  return [...changed(flow, from, { wires: [[to, 'page']] }), page];
}

export const energyParts = ['picture', 'today', 'amounts', 'meters'].map((part) => `cemm-energy-show-${part}`);

/** The example energy-page with a collector for the data of its parts. */
export function withParts(flow: readonly FlowNode[]): FlowNode[] {
  const seen = flow.map((node) =>
    energyParts.includes(node.id) ? { ...node, wires: [[...followers(node), `of-${node.id}`]] } : node,
  );
  const taps = energyParts.map((last): FlowNode => ({
    ...{ id: `of-${last}`, type: 'function', z: 'cemm-energy', outputs: 1, wires: [['seen']] },
    func: `return { ...msg, last: ${JSON.stringify(last)} };`,
  }));
  return [...seen, ...taps];
}

export function codeOf(complaint: unknown): unknown {
  const { error } = complaint as CollectedMessage;
  return error === undefined ? complaint : (error as { code?: unknown }).code;
}

export function changed(flow: readonly FlowNode[], id: string, change: Readonly<Record<string, unknown>>): FlowNode[] {
  flow.some((node) => node.id === id).should.be.true(`the example has the node ${id}`);
  return flow.map((node) => (node.id === id ? { ...node, ...change } : node));
}
