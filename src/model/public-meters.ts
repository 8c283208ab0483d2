/** Monitors, meters and channels of a CEMM 3.0 in payloads: roles, fields and units from the lists of its public API. */
import { presentParts } from '../checks/record';
import type { ChannelInfo, FieldInfo, MeterInfo, Role } from './payload';
import type { KnownMonitor } from './identity';
import { type Field, type FieldContext, fieldOf, ownName } from './channel-fields';
import type { PublicChannel, PublicMeter, PublicMonitor } from '../protocol/responses';

/** Patterns, because the vendor does not list the words. `grid-connection` and `electricity` are known from a monitor. */
const roles: readonly (readonly [RegExp, Role])[] = [
  // Gas and water come by a grid, too.
  [/^(?!.*(?:gas|water)).*grid/, 'grid'],
  [/solar|production|inverter/, 'production'],
  [/consum|usage/, 'consumption'],
  [/gas/, 'gas'],
  [/water/, 'water'],
];

/** The role of a meter, from the first word that has one; null if none has. Keys are not used: users choose them freely. */
export function roleOfWords(...words: readonly (string | null | undefined)[]): Role | null {
  for (const word of words) {
    const found = roles.find(([pattern]) => word !== undefined && word !== null && pattern.test(word.toLowerCase()));
    if (found !== undefined) return found[1];
  }
  return null;
}

/**
 * The field of a channel whose unit the monitor sends. The name of a field contains its unit (`power_import_w`), so a channel
 * with another unit keeps its own name.
 * @param unit as the monitor spells it; null if it sends none
 */
export function fieldWithUnit(channel: string, role: Role | null, context: FieldContext, unit: string | null): Field {
  const field = fieldOf(channel, role, context);
  if (unit === null) return field;
  if (field.unit !== null && isSameUnit(field.unit, unit)) {
    // `EUR/kWh` of the monitor is more precise than `currency/kWh`. Other units have one spelling.
    return { ...field, unit: field.unit.startsWith('currency/') ? unit : field.unit, unitSource: 'monitor' };
  }
  const name = field.unit === null ? field.name : ownName(channel);
  return { ...field, name, unit, semantics: semanticsOf(unit) ?? field.semantics, unitSource: 'monitor' };
}

/**
 * The field of a channel in a series of the public API. A point is an average if the monitor aggregates by `AVG` or the unit
 * is one of power, flow or voltage, and an amount if the unit is one of energy or volume.
 */
export function seriesField(
  channel: string,
  role: Role | null,
  unit: string | null,
  aggregation: string | null,
): Field {
  // P1D, because the fields of this context are neither single readings nor flows per minute.
  const field = fieldWithUnit(channel, role, 'P1D', unit);
  if (aggregation === 'AVG') return { ...field, semantics: 'average', semanticsSource: 'monitor' };
  return { ...field, semantics: semanticsOf(field.unit ?? '') ?? field.semantics };
}

const kinds: readonly (readonly [RegExp, FieldInfo['semantics']])[] = [
  [/^[kmg]?wh$/, 'energy'],
  [/^(m3|l|dm3)$/, 'volume'],
  [/^([km]?w|k?va|m?v|m?a|hz|°c|l\/min|l\/h|m3\/h)$/, 'average'],
];

function semanticsOf(unit: string): FieldInfo['semantics'] | null {
  const plain = plainUnit(unit);
  return kinds.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

function isSameUnit(table: string, said: string): boolean {
  const [, per] = /^currency(\/.+)$/.exec(table) ?? [];
  return per === undefined ? plainUnit(table) === plainUnit(said) : plainUnit(said).endsWith(plainUnit(per));
}

/** Different spellings of one unit, such as `m³` and `m3`, or `L/min` and `l/min`. */
function plainUnit(unit: string): string {
  return unit.trim().toLowerCase().replace('³', '3').replace(/\s/g, '');
}

/** `monitor` of a payload about a meter. Unknown properties are absent. */
export function describePublicMonitor(monitor: PublicMonitor, host?: string): KnownMonitor {
  const { id, cemm, name, version } = monitor;
  return presentParts({ id, cemm, name, host, version });
}

/** `monitor` of a payload about the monitor itself, with all properties. */
export function describePublicMonitorInFull(
  monitor: PublicMonitor & { readonly clockDifferenceMs: number | null },
  host?: string,
): KnownMonitor {
  const { timezone, currency, modules, clockDifferenceMs } = monitor;
  const installed = modules.length > 0 ? [...modules] : null;
  return {
    ...describePublicMonitor(monitor, host),
    ...presentParts({ timezone, currency, modules: installed, clockDifferenceMs }),
  };
}

/** `meter` of a payload, with the role that the monitor sends. */
export function describePublicMeter({ key, label, type, role }: PublicMeter): MeterInfo {
  return {
    key,
    ...(label !== null && { label }),
    role: roleOfWords(role, type),
    ...(type !== null && { type }),
  };
}

/** `meter` of a payload of kind `meter`, with its channels. */
export function describePublicMeterInFull(meter: PublicMeter): MeterInfo {
  return { ...describePublicMeter(meter), channels: meter.channels.map(describeChannel) };
}

export function describeChannel({ key, id, label, unit, aggregation }: PublicChannel): ChannelInfo {
  return presentParts({ key, id, label, unit, aggregation });
}

/** Meter key → meter. The only source of the unit and the aggregation of a webhook channel. */
export type DeliveryCatalogue = ReadonlyMap<string, CatalogueMeter>;

export interface CatalogueMeter extends Pick<PublicMeter, 'label' | 'type'> {
  readonly role: Role | null;
  /** The role that the connection's meters give it; it comes before the monitor's own. */
  readonly chosenRole?: Role;
  /** It is no part of the house. */
  readonly isLeftOut?: boolean;
  readonly channels: ReadonlyMap<string, Pick<PublicChannel, 'label' | 'unit' | 'aggregation'>>;
}

/** @param meters as from describePublicMeterInFull */
export function buildDeliveryCatalogue(meters: readonly MeterInfo[]): DeliveryCatalogue {
  return new Map(
    meters.flatMap(({ key, label = null, type = null, role, channels = [] }) =>
      key === undefined ? [] : [[key, { label, type, role, channels: indexChannels(channels) }] as const],
    ),
  );
}

/** The role of a delivered meter by its catalogue. */
export function roleInCatalogue(meter: CatalogueMeter | undefined): Role | null {
  return meter?.chosenRole ?? roleOfWords(meter?.role, meter?.type);
}

function indexChannels(channels: readonly ChannelInfo[]) {
  return new Map(
    channels.map(({ key, label = null, unit = null, aggregation = null }) => [key, { label, unit, aggregation }]),
  );
}
