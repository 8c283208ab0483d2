/** Reads a flow file as Node-RED exports it. Its size and shape are checked before use. */
import { parseJson, ProtocolError } from '../../src/protocol/json';
import { isList, isRecord, readMember } from '../../src/checks/record';

/** A node, a tab, a group or a subflow. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface FlowFile {
  readonly nodes: readonly FlowNode[];
  readonly byId: ReadonlyMap<string, FlowNode>;
}

/** An export of a large installation has some thousands of nodes. */
export const mostBytes = 20_000_000;
const mostNodes = 50_000;
const deepest = 32;

export class FlowFileError extends Error {
  override readonly name = 'FlowFileError';
}

/** @throws {FlowFileError} if it is not a flow file */
export function readFlowFile(bytes: Uint8Array): FlowFile {
  if (bytes.length > mostBytes) throw new FlowFileError(`The file is larger than ${mostBytes / 1e6} MB.`);
  const list = listIn(parseFlowBytes(bytes));
  if (list === null)
    throw new FlowFileError('The file holds no list of nodes. Export the flow as JSON, and check that file.');
  if (list.length > mostNodes) throw new FlowFileError(`The file has more than ${mostNodes} nodes.`);
  if (list.length === 0) throw new FlowFileError('The list in the file is empty: it holds no nodes.');
  const nodes = list.map((entry, index): FlowNode => {
    const { id, type } = isRecord(entry) ? entry : {};
    if (isRecord(entry) && typeof id === 'string' && typeof type === 'string') return { id, type, properties: entry };
    throw new FlowFileError(
      `Entry ${index + 1} of the list is not a node: a node has an “id” and a “type”, both texts.`,
    );
  });
  return { nodes, byId: new Map(nodes.map((node) => [node.id, node])) };
}

function parseFlowBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxDepth: deepest });
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown;
    throw new FlowFileError(
      thrown.expected === 'shallow_nesting'
        ? `The file is nested deeper than ${deepest} levels.`
        : 'The file is not JSON.',
    );
  }
}

/** An export is a list; the admin API and some backups put it into an object. */
function listIn(value: unknown): readonly unknown[] | null {
  if (isList(value)) return value;
  const flows = readMember(value, 'flows');
  return isList(flows) ? flows : null;
}

export function readPropertyText(node: FlowNode | undefined, property: string): string {
  const value = node?.properties[property];
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Ids per output; empty lists if the file contains something else. */
export function wiresOf({ properties }: FlowNode): string[][] {
  const { wires } = properties;
  if (!Array.isArray(wires)) return [];
  return wires.map((ids: unknown) =>
    Array.isArray(ids) ? ids.filter((id: unknown): id is string => typeof id === 'string') : [],
  );
}

/** True if neither the node nor its flow is disabled. */
export function isEnabled(node: FlowNode, { byId }: FlowFile): boolean {
  const flow = byId.get(readPropertyText(node, 'z'));
  return node.properties['d'] !== true && flow?.properties['disabled'] !== true;
}

/**
 * Value of a variable at this node: from its groups, its flow, or all flows; null if the file does not set it. An instance of a
 * subflow may set another value.
 */
export function variable(node: FlowNode, name: string, file: FlowFile): string | null {
  const seen = new Set<string>();
  for (let holder = file.byId.get(readPropertyText(node, 'g')); holder !== undefined && !seen.has(holder.id);) {
    const value = envOf(holder, name);
    if (value !== null) return value;
    seen.add(holder.id);
    holder = file.byId.get(readPropertyText(holder, 'g'));
  }
  const flow = file.byId.get(readPropertyText(node, 'z'));
  if (flow?.type === 'subflow') return null;
  const [everywhere] = file.nodes.filter(({ type }) => type === 'global-config');
  return envOf(flow, name) ?? envOf(everywhere, name);
}

function envOf(holder: FlowNode | undefined, name: string): string | null {
  const env = holder?.properties['env'];
  if (!Array.isArray(env)) return null;
  const entry: unknown = env.find((one: unknown) => isRecord(one) && one['name'] === name);
  if (!isRecord(entry) || !['str', 'num', 'bool'].includes(String(entry['type']))) return null;
  const { value } = entry;
  return typeof value === 'string' ? value : null;
}

/** The ids of the nodes that are wired to the inputs or outputs of a subflow. */
export function listPorts(subflow: FlowNode | undefined, side: 'in' | 'out'): string[][] {
  const ports = subflow?.properties[side];
  if (!Array.isArray(ports)) return [];
  return ports.map((port: unknown) => {
    const wires = readMember(port, 'wires');
    if (!Array.isArray(wires)) return [];
    return wires.map((wire: unknown) => readMember(wire, 'id')).filter((id) => typeof id === 'string');
  });
}
