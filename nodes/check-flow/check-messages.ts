/** Finds reads of a message property, such as `msg.payload.values.x`, that no message of this package has. */
import { type Finding, findingOf } from './finding';
import { type FlowFile, type FlowNode, listPorts, readPropertyText, wiresOf } from './flow-file';
import { missIn, type PayloadSchemas, type Shape, findMessageShape } from './message-shape';
import { readMember } from '../../src/checks/record';
import { nodeTypes } from './node-types';
import { pathsRead } from './paths-read';

/** Nodes that forward a message with its payload. */
const passing: ReadonlySet<string> = new Set(['switch', 'delay', 'rbe', 'junction', 'change', 'link in', 'link out']);

export interface Reached {
  readonly shapes: Shape[];
  /** False if a node between may have replaced the payload. A property called `values` still counts as ours then. */
  isCertain: boolean;
}

export function checkMessages(file: FlowFile, schemas: PayloadSchemas): Finding[] {
  const paths = new Map(file.nodes.map((node) => [node.id, pathsRead(node)]));
  // Properties that the nodes of the file add to a message exist, whatever our nodes send.
  const written = new Set([...paths.values()].flatMap((of) => of.written.map((path) => path.join('.'))));
  const sources = sourcesOf(file);
  return [...reachedNodes(file)].flatMap(([id, { shapes, isCertain }]) => {
    const node = file.byId.get(id);
    if (node === undefined || shapes.length === 0) return [];
    const isAlone = (sources.get(id) ?? []).every(isKnownSource);
    return (paths.get(id)?.read ?? []).flatMap((path): Finding[] => {
      if (written.has(path.join('.')) || ((!isCertain || !isAlone) && path[0] !== 'values')) return [];
      const misses = shapes.map((shape) => missIn(shape, path, schemas));
      const [first] = misses;
      if (misses.includes(null) || first === null || first === undefined) return [];
      const field = `payload.${path.join('.')}`;
      const better = path.map((part, index) => (index === first.depth ? first.instead : part));
      const instead = first.instead === null ? null : `payload.${better.slice(0, first.depth + 1).join('.')}`;
      const message = `“msg.${field}” is never sent to this node.${instead === null ? '' : ` Write “msg.${instead}”.`}`;
      return [findingOf(node, file, { problem: 'never_sent', field, message, instead })];
    });
  });
}

function isKnownSource({ type }: FlowNode): boolean {
  return type in nodeTypes || passing.has(type) || type.startsWith('subflow');
}

/** Maps each node to the nodes with a wire to it; the source at the input of a subflow is the subflow. */
function sourcesOf(file: FlowFile): Map<string, FlowNode[]> {
  const sources = new Map<string, FlowNode[]>();
  for (const node of file.nodes) {
    for (const id of [...wiresOf(node).flat(), ...entriesOf(node)]) {
      const known = sources.get(id) ?? [];
      known.push(node);
      sources.set(id, known);
    }
  }
  return sources;
}

/** Every node that gets our messages, with the shapes of those messages. */
export function reachedNodes(file: FlowFile): Map<string, Reached> {
  const reached = new Map<string, Reached>();
  const sources = sourcesOf(file);
  for (const node of file.nodes) {
    wiresOf(node).forEach((ids, output) => {
      const shape = findMessageShape(node, output, sources.get(node.id) ?? []);
      if (shape !== null) spread(ids, shape, file, reached);
    });
  }
  return reached;
}

function spread(first: readonly string[], shape: Shape, file: FlowFile, reached: Map<string, Reached>): void {
  const queue = first.map((id) => ({ id, isCertain: true }));
  const seen = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const node = file.byId.get(next.id);
    if (node === undefined || seen.has(next.id)) continue;
    seen.add(next.id);
    const entry = reached.get(next.id) ?? { shapes: [], isCertain: true };
    entry.shapes.push(shape);
    entry.isCertain &&= next.isCertain;
    reached.set(next.id, entry);
    const isCertain = next.isCertain && node.type !== 'function';
    for (const id of followers(node, file)) queue.push({ id, isCertain });
  }
}

function followers(node: FlowNode, file: FlowFile): string[] {
  if (node.type.startsWith('subflow:')) return entriesOf(file.byId.get(node.type.slice('subflow:'.length)));
  if (node.type === 'function') {
    return /\bvalues\s*(?:[:}]|=(?!=))/.test(readPropertyText(node, 'func'))
      ? []
      : [...wiresOf(node).flat(), ...exits(node, file)];
  }
  if (!passing.has(node.type) || makesPayload(node)) return [];
  const { links } = node.properties;
  const linked = node.type === 'link out' && Array.isArray(links) ? links.filter((id) => typeof id === 'string') : [];
  return [...wiresOf(node).flat(), ...linked, ...exits(node, file)];
}

/** The nodes at the input of a subflow. */
function entriesOf(subflow: FlowNode | undefined): string[] {
  return listPorts(subflow, 'in').flat();
}

/** The nodes after each instance of the subflow, if this node is wired to its output. */
function exits(node: FlowNode, file: FlowFile): string[] {
  const subflow = file.byId.get(readPropertyText(node, 'z'));
  if (subflow?.type !== 'subflow') return [];
  const instances = file.nodes.filter(({ type }) => type === `subflow:${subflow.id}`);
  return listPorts(subflow, 'out').flatMap((port, index) =>
    port.includes(node.id) ? instances.flatMap((instance) => wiresOf(instance)[index] ?? []) : [],
  );
}

/** True for a change node that sets, moves or deletes the whole payload. */
function makesPayload(node: FlowNode): boolean {
  const { rules } = node.properties;
  if (node.type !== 'change' || !Array.isArray(rules)) return false;
  return rules.some(
    (rule: unknown) =>
      readMember(rule, 'p') === 'payload' || (readMember(rule, 't') === 'move' && readMember(rule, 'to') === 'payload'),
  );
}
