/** Finds nodes without a place or with an id that is taken, nodes that nothing starts, and keys in the file. */
import { counts } from '../lib/stored/field-rules';
import { type Finding, findingOf } from './finding';
import { type FlowFile, type FlowNode, listPorts, readPropertyText, wiresOf } from './flow-file';
import { fillDefaults, type NodeType, nodeTypes } from './node-types';

export function checkPlaces(file: FlowFile): Finding[] {
  const reached = reachedIds(file);
  const seen = new Map<string, FlowNode>();
  return file.nodes.flatMap((node) => {
    const type = nodeTypes[node.type];
    const first = seen.get(node.id);
    seen.set(node.id, first ?? node);
    const isOurs = type !== undefined || (first !== undefined && nodeTypes[first.type] !== undefined);
    return [
      ...(first !== undefined && isOurs ? [sameId(node, first, file)] : []),
      ...(type === undefined
        ? []
        : [...ownId(node, type, file), ...withoutFlow(node, type, file), ...neverStarted(node, type, file, reached)]),
    ];
  });
}

function sameId(node: FlowNode, first: FlowNode, file: FlowFile): Finding {
  const name = readPropertyText(first, 'name') || first.type;
  const message = `“id”: the node “${name}” has the id “${node.id}”, too. Write another id here, and in the wires to this node.`;
  return findingOf(node, file, { problem: 'same_id', field: 'id', message });
}

/** Node-RED takes each value of a configuration node that is the id of one for a reference: this one would wait for itself. */
function ownId(node: FlowNode, { outputs, defaults }: NodeType, file: FlowFile): Finding[] {
  if (outputs !== null) return [];
  const field = Object.keys(defaults).find((property) => node.properties[property] === node.id);
  if (field === undefined) return [];
  const message = `“id”: the value of “${field}” is “${node.id}”, too, and Node-RED does not start such a node. Write another id.`;
  return [findingOf(node, file, { problem: 'same_id', field: 'id', message })];
}

/** A connection belongs to no flow. */
function withoutFlow(node: FlowNode, { outputs }: NodeType, file: FlowFile): Finding[] {
  if (outputs === null || readPropertyText(node, 'z') !== '') return [];
  const [only, ...others] = file.nodes.filter(({ type }) => type === 'tab');
  const instead = only !== undefined && others.length === 0 ? only.id : null;
  const advice = instead === null ? 'Write the id of a flow.' : `Write "z": "${instead}".`;
  const message = `“z” is missing: the node belongs to no flow, so Node-RED does not show it. ${advice}`;
  return [findingOf(node, file, { problem: 'no_flow', field: 'z', message, instead })];
}

function neverStarted(node: FlowNode, type: NodeType, file: FlowFile, reached: ReadonlySet<string>): Finding[] {
  const { interval } = type.rules;
  if (interval === undefined || reached.has(node.id)) return [];
  const filled = fillDefaults(node);
  const text = (name: string): string => readPropertyText(filled, name);
  const connection = file.byId.get(text('connection'));
  const mode = connection === undefined ? null : readPropertyText(connection, 'mode');
  if (text('interval').trim() !== '0' || !counts(interval, { textOf: text, mode })) return [];
  const message =
    '“interval” is 0 and no wire leads to the node, so nothing starts it. Write seconds in “interval”, or wire an inject node to it.';
  return [findingOf(node, file, { problem: 'never_started', field: 'interval', message })];
}

/** The nodes to which a wire leads, also from the input of a subflow. */
function reachedIds(file: FlowFile): Set<string> {
  return new Set(file.nodes.flatMap((node) => [...wiresOf(node), ...listPorts(node, 'in')].flat()));
}
