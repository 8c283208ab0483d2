/** The known shape of a node's messages: kinds of payload, and the fields of their values. */
import { channelNames, fieldOf } from '../../src/model/channel-fields';
import { balanceFieldNames, knownFields } from '../../src/model/field-names';
import { roleOf } from '../../src/model/identity';
import type { PayloadKind, Role } from '../../src/model/payload';
import { roles } from '../../src/checks/limits';
import { isRecord } from '../../src/checks/record';
import { closest, edits } from '../../src/checks/closest';
import { balancePeriods } from '../cemm-balance/config';
import { type FlowNode, readPropertyText } from './flow-file';
import { fillDefaults, nodeTypes } from './node-types';

/** JSON Schema per kind of payload. */
export type PayloadSchemas = Readonly<Record<PayloadKind, unknown>>;

/** Messages of one output. */
export interface Shape {
  readonly kinds: readonly PayloadKind[];
  readonly fields: readonly string[];
  readonly role: Role | null;
}

/** A part of a path that no message has. */
export interface Miss {
  readonly depth: number;
  readonly instead: string | null;
}

/**
 * Null if the payload is no longer one of this package, or a list of them.
 * @param sources the nodes with a wire to the node
 */
export function findMessageShape(node: FlowNode, output: number, sources: readonly FlowNode[]): Shape | null {
  const kinds = nodeTypes[node.type]?.outputs?.[output] ?? [];
  if (kinds.length === 0 || readPropertyText(node, 'emit') === 'list') return null;
  if (node.type === 'cemm-discovery') {
    const kind = readPropertyText(node, 'scope') === 'meters' ? 'meter' : 'monitor';
    return { kinds: [kind], fields: [], role: null };
  }
  if (node.type === 'cemm-balance') {
    return { kinds, fields: balanceFieldNames(findBalancePeriod(node, sources)), role: null };
  }
  const role = roleIn(node);
  return { kinds, fields: knownFields(role), role };
}

/** `any` where only the running flow knows it: from a typed input, a variable, or a message that asks for a balance. */
function findBalancePeriod(node: FlowNode, sources: readonly FlowNode[]): 'now' | 'any' | 'period' {
  const filled = fillDefaults(node);
  const period = balancePeriods.find((known) => known === readPropertyText(filled, 'period'));
  const isFixed = period !== undefined && readPropertyText(filled, 'periodType') === 'str';
  if (!isFixed || sources.some(mayAsk)) return 'any';
  return period === 'now' ? 'now' : 'period';
}

/** False for payloads of this package, and for an inject node that sends neither a question nor a value read when it runs. */
function mayAsk(source: FlowNode): boolean {
  if (source.type === 'inject') {
    const sent = ['payload', 'payloadType', 'props'].map((property) => readPropertyText(source, property));
    return /balance|\b(?:env|flow|global|jsonata)\b/.test(sent.join(' '));
  }
  const outputs = nodeTypes[source.type]?.outputs ?? [[]];
  return outputs.some((kinds) => kinds.length === 0);
}

function roleIn(node: FlowNode): Role | null {
  const chosen = roles.find((role) => role === readPropertyText(node, 'role'));
  return (
    chosen ?? (readPropertyText(node, 'aliasType') === 'str' ? roleOf(readPropertyText(node, 'alias'), null) : null)
  );
}

/** The first part of a `payload.…` path that the message lacks; null if the path may exist. */
export function missIn(shape: Shape, path: readonly string[], schemas: PayloadSchemas): Miss | null {
  const misses = shape.kinds.map((kind) => followPath(schemas[kind], path, 0, { ...shape, kind }));
  return misses.includes(null) ? null : (misses.find((miss) => miss !== null) ?? null);
}

interface Place extends Shape {
  readonly kind: PayloadKind;
}

function followPath(schema: unknown, path: readonly string[], depth: number, place: Place): Miss | null {
  const name = path[depth];
  if (name === undefined || !isRecord(schema)) return null;
  const { anyOf, properties, additionalProperties } = schema;
  if (Array.isArray(anyOf)) {
    const misses = anyOf.map((option: unknown) => followPath(option, path, depth, place));
    return misses.includes(null) ? null : (misses[0] ?? null);
  }
  if (isRecord(properties) && Object.hasOwn(properties, name))
    return followPath(properties[name], path, depth + 1, place);
  // Members of every object, such as `hasOwnProperty`.
  if (name in Object.prototype) return null;
  if (isRecord(additionalProperties)) return path[0] === 'values' ? missingField(path, depth, place) : null;
  if (!isRecord(properties)) return null;
  return { depth, instead: closest(name, Object.keys(properties)) };
}

function missingField(path: readonly string[], depth: number, place: Place): Miss | null {
  const isDelivery = place.kind === 'webhook';
  // The values of a delivery are grouped by meter.
  const at = isDelivery ? depth + 1 : depth;
  const name = path[at];
  if (name === undefined || name in Object.prototype || place.fields.includes(name)) return null;
  const ofChannel = channelNames().includes(name) ? fieldOf(name, place.role, 'reading').name : null;
  const instead = ofChannel ?? closest(name, place.fields);
  // Another monitor may deliver any channel, so in a delivery only a near miss is an error.
  if (isDelivery && ofChannel === null && (instead === null || edits(name, instead) > 2)) return null;
  return { depth: at, instead };
}
