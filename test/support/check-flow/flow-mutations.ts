/**
 * Breaks flows like people and language models do: one mistake per flow, with the expected finding. Independent of the way
 * cemm-check-flow finds them.
 */
import { nodeTypes } from '../../../nodes/check-flow/node-types';
import { balanceFieldNames, knownFields } from '../../../src/model/field-names';
import type { FlowNode } from '../node-red/node-red';

export interface Mutation {
  readonly kind: string;
  readonly flow: readonly FlowNode[];
  /** Id of the node that the finding has to name. */
  readonly id: string;
  /** Field that the finding has to name. */
  readonly field: string;
  /** The original text, which some kinds have to propose. */
  readonly before: string;
}

export type Random = () => number;

type Mutate = (flow: readonly FlowNode[], random: Random) => Omit<Mutation, 'kind'> | null;

function pick<Value>(list: readonly Value[], random: Random): Value | null {
  return list[Math.floor(random() * list.length)] ?? null;
}

function ours(flow: readonly FlowNode[]): FlowNode[] {
  return flow.filter(({ type }) => type in nodeTypes);
}

function replaced(flow: readonly FlowNode[], node: FlowNode): FlowNode[] {
  return flow.map((other) => (other.id === node.id ? node : other));
}

function stored(node: FlowNode): string[] {
  const { rules = {} } = nodeTypes[node.type] ?? {};
  return Object.keys(node).filter((name) => name !== 'name' && name !== 'version' && name in rules);
}

/** A typing error, or another spelling convention. */
function misspelt(word: string, random: Random): string {
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
  const forms = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word.charAt(at) + word.slice(at),
    `${word.slice(0, at - 1)}${word.charAt(at)}${word.charAt(at - 1)}${word.slice(at + 1)}`,
    word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    `${word}s`,
  ].filter((form) => form !== word && form !== '');
  return pick(forms, random) ?? `${word}x`;
}

const renamed: Mutate = (flow, random) => {
  const node = pick(ours(flow), random);
  const before = node === null ? null : pick(stored(node), random);
  if (node === null || before === null) return null;
  const field = misspelt(before, random);
  if (field in node) return null;
  const entries = Object.entries(node).map(([name, value]) => [name === before ? field : name, value] as const);
  return { flow: replaced(flow, Object.fromEntries(entries) as FlowNode), id: node.id, field, before };
};

const removed: Mutate = (flow, random) => {
  const node = pick(ours(flow), random);
  const { rules = {} } = nodeTypes[node?.type ?? ''] ?? {};
  const isNeeded = (name: string): boolean => rules[name]?.needed !== undefined || rules[name]?.missing !== undefined;
  const field =
    node === null
      ? null
      : pick(
          stored(node).filter((name) => isNeeded(name) && node[name] !== ''),
          random,
        );
  if (node === null || field === null) return null;
  const rest = Object.fromEntries(Object.entries(node).filter(([name]) => name !== field)) as FlowNode;
  return { flow: replaced(flow, rest), id: node.id, field, before: '' };
};

const mistyped: Mutate = (flow, random) => {
  const node = pick(ours(flow), random);
  if (node === null) return null;
  const { rules = {} } = nodeTypes[node.type] ?? {};
  const field = pick(stored(node), random) ?? '';
  const rule = rules[field];
  const wrong: unknown[] = [null, ['p1'], { value: 'p1' }];
  if (rule?.is === 'boolean') wrong.push('true', 'yes', 1);
  if (rule?.is === 'number')
    wrong.push(true, ...(rule.when === undefined && rule.connection === undefined ? ['ten', -1] : []));
  if (rule?.is === 'text') wrong.push(12, true);
  const isText = (node[`${field}Type`] ?? 'str') === 'str';
  if (rule?.values !== undefined && rule.connection === undefined && isText) {
    const word = String(node[field]);
    if (word !== '') wrong.push(misspelt(word, random), word.toUpperCase());
    wrong.push('anything');
  }
  if (rule === undefined) return null;
  const isPlain = [rule.when, rule.unless, rule.connection].every((condition) => condition === undefined);
  if (rule.check !== undefined && isPlain && isText) wrong.push('a b');
  return { flow: replaced(flow, { ...node, [field]: pick(wrong, random) }), id: node.id, field, before: '' };
};

const miswired: Mutate = (flow, random) => {
  const node = pick(
    ours(flow).filter(({ wires }) => Array.isArray(wires) && wires.length > 0),
    random,
  );
  if (node === null) return null;
  const wires = node['wires'] as string[][];
  const target = wires.flat()[0] ?? flow.find(({ type }) => type === 'debug')?.id ?? '';
  const config = flow.find(({ type }) => type === 'cemm-connection')?.id ?? '';
  const outputs = nodeTypes[node.type]?.outputs?.length ?? 0;
  const beyond = [...wires, ...Array.from({ length: outputs + 1 - wires.length }, () => []), [target]];
  const broken: unknown[] = [
    beyond,
    wires.flat().length > 0 ? wires.flat() : [target],
    wires.map((ids, index) => (index === 0 ? [...ids, 'a-node-that-is-gone'] : ids)),
    wires.map((ids, index) => (index === 0 ? [...ids, config] : ids)),
    target,
  ];
  return { flow: replaced(flow, { ...node, wires: pick(broken, random) }), id: node.id, field: 'wires', before: '' };
};

/** Changes a property of another node that reads `payload.values.<field>`, or takes fields out of it. */
const stale: Mutate = (flow, random) => {
  const places = flow.flatMap((node) =>
    node.type in nodeTypes
      ? []
      : Object.entries(node).flatMap(([property, value]) =>
          typeof value === 'string' ? fieldsIn(value).map((field) => ({ node, property, value, field })) : [],
        ),
  );
  const place = pick(places, random);
  if (place === null) return null;
  const { node, property, value, field } = place;
  const withoutUnit = field.replace(/_(w|kwh|m3)$/, '');
  const ofWire: Readonly<Record<string, string>> = {
    gas_m3: 'gas',
    power_import_w: 'electric_power_import',
    energy_import_t1_kwh: 't1',
  };
  const name = pick([misspelt(field, random), withoutUnit, ofWire[field] ?? `${field}_total`], random) ?? '';
  if (name === field) return null;
  const text = value.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), name);
  return {
    flow: replaced(flow, { ...node, [property]: text }),
    id: node.id,
    field: `payload.values.${name}`,
    before: `payload.values.${field}`,
  };
};

const allFields = new Set([...knownFields(null), ...balanceFieldNames('any')]);

/** Finds `payload.values.x`, and in functions also `values.x` and `{ x } = values` if `values` was taken out of the payload. */
function fieldsIn(text: string): string[] {
  const isTaken =
    /\{[^{}]*\bvalues\b[^{}]*\}\s*=\s*msg\.payload\s*;/.test(text) && !/\([^()]*\bvalues\b[^()]*\)\s*=>/.test(text);
  const place = isTaken ? '(?:msg\\.payload\\.)?(?<![\\w.])values' : 'payload\\.values';
  const read = [...text.matchAll(new RegExp(`${place}\\.(\\w+)`, 'g'))].map(([, field = '']) => field);
  const from = isTaken ? '(?:msg\\.payload\\.)?values' : 'msg\\.payload\\.values';
  const lists = [...text.matchAll(new RegExp(`\\{([^{}]*)\\}\\s*=\\s*${from}\\s*;`, 'g'))].map(([, list = '']) => list);
  const taken = lists.flatMap((list) => list.split(',')).map((entry) => /^\s*(\w+)/.exec(entry)?.[1] ?? '');
  return [...new Set([...read, ...taken])].filter((field) => allFields.has(field));
}

const disconnected: Mutate = (flow, random) => {
  const users = ours(flow).filter((node) => typeof node['connection'] === 'string' && node['connection'] !== '');
  const node = pick(users, random);
  if (node === null) return null;
  const id = String(node['connection']);
  const other = flow.find(({ type }) => type === 'tab')?.id ?? 'other';
  const named = pick([misspelt(id, random), other, 'new-connection'], random) ?? '';
  return { flow: replaced(flow, { ...node, connection: named }), id: node.id, field: 'connection', before: id };
};

const receivers: Mutate = (flow, random) => {
  const node = pick(
    ours(flow).filter(({ type }) => type === 'cemm-webhook-in'),
    random,
  );
  if (node === null) return null;
  if (random() < 0.5) {
    const open = { ...node, hmac: false, header: false, query: false, open: false };
    return { flow: replaced(flow, open), id: node.id, field: 'open', before: '' };
  }
  const twin = { ...node, id: 'twin', path: String(node['path']).toUpperCase(), wires: [[], []] };
  return { flow: [...flow, twin], id: 'twin', field: 'path', before: '' };
};

/** A node without a flow, with the id of another one, with a key, that nothing starts, or a chart without points. */
const misplaced: Mutate = (flow, random) => {
  const node = pick(
    ours(flow).filter(({ type }) => type !== 'cemm-connection'),
    random,
  );
  if (node === null) return null;
  const { id } = node;
  const wires = Array.isArray(node['wires']) ? (node['wires'] as string[][]) : [];
  switch (Math.floor(random() * 5)) {
    case 0:
      return { flow: replaced(flow, { ...node, z: '' }), id, field: 'z', before: '' };
    case 1:
      return { flow: [...flow, { ...node, name: 'copy' }], id, field: 'id', before: '' };
    case 2: {
      const connection = flow.find(({ type }) => type === 'cemm-connection');
      if (connection === undefined) return null;
      const withKey = { ...connection, apiKey: 'a key' };
      return { flow: replaced(flow, withKey), id: connection.id, field: 'apiKey', before: '' };
    }
    case 3: {
      if (!('interval' in (nodeTypes[node.type]?.rules ?? {})) || node['scope'] !== undefined) return null;
      const alone = flow.map((other) => ({
        ...other,
        ...(Array.isArray(other['wires']) && { wires: without(other, id) }),
      }));
      return { flow: replaced(alone, { ...node, interval: 0 }), id, field: 'interval', before: '' };
    }
    default: {
      if (node.type === 'cemm-format' || wires.length === 0) return null;
      const chart: FlowNode = { id: 'new-chart', type: 'ui-chart', z: String(node['z']), wires: [] };
      const first = wires.map((ids, index) => (index === 0 ? [...ids, chart.id] : ids));
      return { flow: [...replaced(flow, { ...node, wires: first }), chart], id, field: 'wires', before: '' };
    }
  }
};

function without(node: FlowNode, id: string): string[][] {
  return (node['wires'] as string[][]).map((ids) => ids.filter((other) => other !== id));
}

/** Kind → mutation, and its number in a thousand flows. */
export const mutations: Readonly<Record<string, readonly [Mutate, number]>> = {
  'a property is renamed': [renamed, 200],
  'a property is removed': [removed, 180],
  'a value has the wrong type or is no choice': [mistyped, 200],
  'a wire leads from or to what is not there': [miswired, 140],
  'a following node reads a field that is never sent': [stale, 140],
  'the connection is missing': [disconnected, 60],
  'a webhook has no proof, or the path of another one': [receivers, 40],
  'no flow, the id of another node, a key, nothing that starts it, a chart without points': [misplaced, 40],
};

/** The same random numbers give the same flows, in the order of their kinds. */
export function mutatedFlows(flows: readonly (readonly FlowNode[])[], random: Random): Mutation[] {
  return Object.entries(mutations).flatMap(([kind, [mutate, count]]) => {
    const made: Mutation[] = [];
    for (let tries = 0; made.length < count && tries < count * 200; tries++) {
      const flow = pick(flows, random);
      const mutation = flow === null ? null : mutate(flow, random);
      if (mutation !== null) made.push({ kind, ...mutation });
    }
    return made;
  });
}
