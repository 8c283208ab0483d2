/** Checks the nodes of this package in a flow file, and the nodes that read their messages. */
import { checkMessages, reachedNodes } from './check-messages';
import { checkProperties, type Sentence } from './check-properties';
import { checkPlaces } from './check-place';
import { checkPaths, checkWires } from './check-wires';
import { closest, edits } from '../../src/checks/closest';
import { type Finding, findingOf } from './finding';
import { type FlowFile, type FlowNode, readPropertyText } from './flow-file';
import type { PayloadSchemas, Shape } from './message-shape';
import { nodeTypes } from './node-types';
import { channelNames, fieldOf } from '../../src/model/channel-fields';
import { rows } from '../../src/model/fields';

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

/** Topic of a value in a delivery, such as `this_day_energy_import_kwh`. */
const topic = /^(?:realtime|reading|(?:this|last)_[a-z0-9]+)_/;

/** Finds names in `fields` of a format node that no payload has. */
function checkFields(file: FlowFile): Finding[] {
  const known = Object.keys(rows);
  const reached = reachedNodes(file);
  return file.nodes.flatMap((node) => {
    if (node.type !== 'cemm-format' || readPropertyText(node, 'fields').includes('${')) return [];
    const names = readPropertyText(node, 'fields')
      .split(/[\s,;]+/)
      .filter((name) => name !== '');
    const isOnlyOurs = comesOnlyFromUs(reached.get(node.id)?.shapes ?? [], node, file);
    return names.flatMap((name) => {
      const plain = name.replace(topic, '');
      if (known.includes(plain) || known.includes(name)) return [];
      const instead = meantBy(plain, known);
      // A monitor may send channels with names of its owner.
      if (!isOnlyOurs && (instead === null || edits(plain, instead) > 2) && !channelNames().includes(plain)) return [];
      const advice = instead === null ? '' : ` Write “${instead}”.`;
      const message = `“fields”: no payload has the field “${name}”.${advice}`;
      return [findingOf(node, file, { problem: 'unknown_field', field: 'fields', message, instead })];
    });
  });
}

function meantBy(name: string, known: readonly string[]): string | null {
  return channelNames().includes(name) ? fieldOf(name, 'grid', 'reading').name : closest(name, known);
}

/** True if every message of the node comes from nodes whose fields are known: not from deliveries, and not from functions. */
function comesOnlyFromUs(shapes: readonly Shape[], node: FlowNode, file: FlowFile): boolean {
  const sources = file.nodes.filter(({ properties: { wires } }) =>
    JSON.stringify(wires ?? []).includes(`"${node.id}"`),
  );
  const areOurs = sources.every(({ type }) => nodeTypes[type] !== undefined);
  return areOurs && shapes.length > 0 && shapes.every(({ kinds }) => !kinds.includes('webhook'));
}
