/** Checks the nodes of this package in a flow file, and the nodes that read their messages. */
import { checkMessages } from './check-messages';
import { checkProperties, type Sentence } from './check-properties';
import { checkFields } from './check-fields';
import { checkPlaces } from './check-place';
import { checkPaths, checkWires } from './check-wires';
import { closest } from '../../src/checks/closest';
import { type Finding, findingOf } from './finding';
import type { FlowFile, FlowNode } from './flow-file';
import type { PayloadSchemas } from './message-shape';
import { nodeTypes } from './node-types';

export interface Sources {
  readonly sentence: Sentence;
  readonly schemas: PayloadSchemas;
}

/** In the order of the nodes in the file. */
export function checkFlow(file: FlowFile, { sentence, schemas }: Sources): Finding[] {
  const findings = [
    ...file.nodes.flatMap((node) => [...checkNode(node, file, sentence), ...checkWires(node, file)]),
    ...checkPaths(file),
    ...checkPlaces(file),
    ...checkFields(file),
    ...checkMessages(file, schemas),
  ];
  const places = new Map(file.nodes.map(({ id }, index) => [id, index]));
  return findings.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

function checkNode(node: FlowNode, file: FlowFile, sentence: Sentence): Finding[] {
  const type = nodeTypes[node.type];
  if (type !== undefined) {
    return checkProperties(node, type, file, sentence).map((complaint) => findingOf(node, file, complaint));
  }
  if (!node.type.startsWith('cemm-')) return [];
  const instead = closest(node.type, Object.keys(nodeTypes));
  const advice = instead === null ? `There are: ${Object.keys(nodeTypes).join(', ')}.` : `Write “${instead}”.`;
  const message = `there is no node type “${node.type}”. ${advice}`;
  return [findingOf(node, file, { problem: 'unknown_type', field: 'type', message, instead })];
}
