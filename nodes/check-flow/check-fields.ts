/** Finds names in `fields` of a format node that no payload has. */
import { channelNames, fieldOf } from '../../src/model/channel-fields';
import { balanceFieldNames, knownFields } from '../../src/model/field-names';
import { closest, edits } from '../../src/checks/closest';
import { reachedNodes } from './check-messages';
import { type Finding, findingOf } from './finding';
import { type FlowFile, type FlowNode, readPropertyText } from './flow-file';
import type { Shape } from './message-shape';
import { nodeTypes } from './node-types';

/** Names that formats add to the fields of a balance. */
const ofCosts = ['cost', ...['import', 'export', 'gas', 'water', 'fixed', 'netted'].map((part) => `cost_${part}`)];
const ofHouse = [...balanceFieldNames('any'), ...ofCosts, 'peak_power_w', 'peak_expected_w'];

/** Topic of a value in a delivery, such as `this_day_energy_import_kwh`. */
const topic = /^(?:realtime|reading|(?:this|last)_[a-z0-9]+)_/;

export function checkFields(file: FlowFile): Finding[] {
  const known = [...new Set([...knownFields(null), ...ofHouse])];
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
