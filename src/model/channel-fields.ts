/** The field of a channel: its name, unit and meaning, for a role of the meter, as a reading or in a slot of a series. */
import { getOrSet } from '../checks/get-or-set';
import type { Step } from '../calendar/slots';
import { type FieldName, isFieldName, type Kind, kinds, rows, type Wire } from './fields';
import type { FieldInfo, Role } from './payload';

/** `reading`: a single value (realtime, totals, webhook). A step: a slot of a series with that step. */
export type FieldContext = 'reading' | Step;

export interface Field extends FieldInfo {
  readonly name: string;
}

interface Channel extends Wire {
  readonly field: FieldName;
  readonly kind: Kind;
}

/** Channel → its fields; those for one role come first. */
const channelTable = new Map<string, Channel[]>();
for (const field of Object.keys(rows).filter(isFieldName)) {
  for (const one of rows[field].channels) {
    const channels = getOrSet(channelTable, one.channel, () => []);
    channels[one.role === undefined ? 'push' : 'unshift']({ ...one, field, kind: kinds[rows[field].kind] });
  }
}

function channelOf(name: string, role: Role | null): Channel | undefined {
  return channelTable.get(name)?.find((channel) => channel.role === undefined || channel.role === role);
}

/** Channels with their own name, unit and meaning. */
export function channelNames(): string[] {
  return [...channelTable.keys()];
}

/** One row per channel and role, for the page of fields. */
export function channelRows(): readonly Pick<Channel, 'channel' | 'role' | 'field'>[] {
  return [...channelTable.values()].flat();
}

/** Gas per minute or per five minutes: a flow that the monitor calculates (http://developer.cemm.nl/api-en/). */
const gasFlow: Field = {
  name: 'gas_lpm' satisfies FieldName,
  unit: kinds.flow.unit,
  semantics: 'average',
  unitSource: 'assumed',
  semanticsSource: 'assumed',
};

/** True if the step is shorter than the hour in which DSMR 4 meters report gas. */
function isFine(context: FieldContext): boolean {
  return context === 'PT1M' || context === 'PT5M';
}

/**
 * The field of a channel, such as `t1` of a meter with role `grid`: `energy_import_t1_kwh`. An unknown channel keeps its
 * name, without a unit.
 */
export function fieldOf(channel: string, role: Role | null, context: FieldContext): Field {
  if (channel === 'gas' && isFine(context)) return gasFlow;
  const known = channelOf(channel, role);
  const { unit, reading, series } = known?.kind ?? kinds.raw;
  const unitSource = known === undefined || known.isAssumed === true ? 'assumed' : 'specification';
  const isReading = context === 'reading';
  return {
    name: known?.field ?? ownName(channel),
    unit,
    semantics: isReading || known?.isRegister === true ? reading : series,
    unitSource,
    semanticsSource: isReading ? unitSource : 'assumed',
  };
}

/**
 * Channel → field, for all channels of one response. No two channels get the same field: the first one in the order of the
 * table gets it, the other one keeps the name of its channel.
 */
export function assignFields(
  channels: Iterable<string>,
  role: Role | null,
  contextOf: (channel: string) => FieldContext,
): Map<string, Field> {
  const fields = new Map<string, Field>();
  const taken = new Set<string>();
  for (const channel of [...channels].sort((a, b) => rank(a) - rank(b))) {
    const field = fieldOf(channel, role, contextOf(channel));
    let name = taken.has(field.name) ? ownName(channel) : field.name;
    while (taken.has(name)) name += '_raw';
    taken.add(name);
    fields.set(channel, name === field.name ? field : { ...field, name });
  }
  return fields;
}

/** True for counters (registers, energy, gas, water): a slot of a series has the amount, not the reading. */
export function isMeterReading(channel: string): boolean {
  const kind = channelTable.get(channel)?.[0]?.kind;
  return kind !== undefined && kind.series !== kind.reading;
}

/** True for current values (power, flow, voltage). */
export function isLive(channel: string): boolean {
  return channelTable.get(channel)?.[0]?.kind.reading === 'average';
}

const ranks = new Map([...channelTable.keys()].map((channel, index) => [channel, index]));

function rank(channel: string): number {
  return ranks.get(channel) ?? ranks.size;
}

/** The channel as the name of a field. `ts` is a property of every point, and `__proto__` is not an ordinary property. */
export function ownName(channel: string): string {
  return channel === 'ts' || channel === '__proto__' ? `${channel}_raw` : channel;
}
