/** Examples with collectors beside the nodes whose messages a test looks at. */
import { readMember } from '../../../src/checks/record';
import { collector, type CollectedMessage, type FlowNode, type NodeRed } from './node-red';

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
function tapped(flow: readonly FlowNode[]): FlowNode[] {
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

/** Deploys the flow with taps and returns functions that read the log and the collector from here on. */
export async function runTapped(
  nodeRed: NodeRed,
  flow: readonly FlowNode[],
  credentials: Record<string, Record<string, string>> = {},
) {
  const [before, logged] = [(await nodeRed.messages('seen')).length, nodeRed.log.length];
  await nodeRed.deploy(tapped(flow), 'full', credentials);
  const since = (messages: CollectedMessage[]) => messages.slice(before);
  const ids = new Set(flow.map(({ id }) => id));
  // An error of the flow before can arrive while this one is deployed.
  const isOfFlow = ({ error }: CollectedMessage): boolean => {
    const source = readMember(error, 'source');
    return error !== undefined && (source === undefined || ids.has(String(readMember(source, 'id'))));
  };
  return {
    got: async (...ids: string[]): Promise<CollectedMessage[]> =>
      since(
        await nodeRed.waitFor('seen', (messages) => ids.every((id) => since(messages).some(({ last }) => last === id))),
      ),
    complaints: async (): Promise<unknown[]> => [
      ...nodeRed.log
        .slice(logged)
        .split('\n')
        .filter((line) => /\[(?:error|warn|fatal)\]/.test(line)),
      ...since(await nodeRed.messages('seen')).filter(isOfFlow),
    ],
  };
}

export function payloadOf(messages: readonly CollectedMessage[], id: string): unknown {
  return messages.find(({ last }) => last === id)?.payload;
}

export function readComplaintCode(complaint: unknown): unknown {
  const { error } = complaint as CollectedMessage;
  return error === undefined ? complaint : (error as { code?: unknown }).code;
}

export function changed(flow: readonly FlowNode[], id: string, change: Readonly<Record<string, unknown>>): FlowNode[] {
  flow.some((node) => node.id === id).should.be.true(`the example has the node ${id}`);
  return flow.map((node) => (node.id === id ? { ...node, ...change } : node));
}
