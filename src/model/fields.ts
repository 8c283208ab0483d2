/**
 * Totals over the tariffs. A sum is given only when every part is there: with one tariff missing it would be a smaller,
 * wrong number, which a counter that only rises would book as a reset.
 *
 * A meter with a single counter has its reading in t1 and offers no second tariff at all: there the sum is t1 alone. A
 * second tariff that is offered without a value (`[0, 0]`) leaves the sum null.
 */
import type { FieldInfo, Role } from './payload';
import type { Step } from '../calendar/slots';

interface TariffSum {
  readonly field: string;
  readonly parts: readonly [low: string, high: string];
}

export const tariffSums: readonly TariffSum[] = [
  'energy_import',
  'energy_export',
  'energy_net',
  'energy_production',
  'energy_own_use',
].map((energy) => ({ field: `${energy}_kwh`, parts: [`${energy}_t1_kwh`, `${energy}_t2_kwh`] }));

const SECOND_TARIFF: ReadonlySet<string> = new Set([
  't2',
  't4',
  'electric_energy_high',
  'electric_energy_import_t2',
  'electric_energy_export_t2',
]);

/** P1 ports, of which every meter has two tariffs; `emucs` is the Belgian one. */
const P1_PORT = /^(p1|emucs)(-|$)/i;

/** True where the channels of an answer, or the alias that they were asked by, speak of two tariffs. */
export function hasTwoTariffs(alias: string | undefined, channels: Iterable<string>): boolean {
  if (alias !== undefined && P1_PORT.test(alias)) return true;
  for (const channel of channels) if (SECOND_TARIFF.has(channel)) return true;
  return false;
}

interface Difference {
  readonly field: string;
  readonly plus: string;
  readonly minus: string;
}

/** Net energy from its two directions, for meters that do not give it themselves. */
export const netEnergies: readonly Difference[] = [
  { field: 'energy_net_kwh', plus: 'energy_import_kwh', minus: 'energy_export_kwh' },
  { field: 'energy_net_kwh', plus: 'energy_production_kwh', minus: 'energy_own_use_kwh' },
];

// What follows from the one signed power, by role (contract.md, table of fields).

export interface DerivedPower {
  readonly field: string;
  /** 1, or -1 for the power that runs the other way. */
  readonly sign: 1 | -1;
  /** The least it can be. */
  readonly floor: number;
}

const gridPowers: readonly DerivedPower[] = [
  { field: 'power_import_w', sign: 1, floor: 0 },
  { field: 'power_export_w', sign: -1, floor: 0 },
];

/** Not re-signed: at night an inverter's own use shows as a negative production. */
const inverterPowers: readonly DerivedPower[] = [{ field: 'power_production_w', sign: 1, floor: -Infinity }];

/** NaN gives NaN, and a floor of 0 never gives -0. */
export function derivedFrom(power: number, { sign, floor }: DerivedPower): number {
  return Math.max(sign * power, floor);
}

/** The fields beside `power_w`. In a series they are of each slot's average. */
export function derivedPowers(role: Role | null): readonly DerivedPower[] {
  return role === 'grid' ? gridPowers : role === 'production' ? inverterPowers : [];
}

// The field table of contract.md section 2: wire channel × role × context → field, unit and meaning. Units come from the
// channel table of spec.md (Channels, local API); where that has none, the unit is assumed from the channel's kind.

/** A value by itself (realtime, totals, webhook), or one slot of a series with this step. */
export type FieldContext = 'reading' | Step;

export interface Field extends FieldInfo {
  readonly name: string;
}

/**
 * What a channel carries: its unit, who says so, and what a value means as a reading and per slot of a series. That a value
 * per minute is an average and one per day an amount is documented nowhere.
 */
interface Quantity {
  readonly unit: string | null;
  readonly unitSource: FieldInfo['unitSource'];
  readonly reading: FieldInfo['semantics'];
  readonly series: FieldInfo['semantics'];
}

interface Channel {
  readonly quantity: Quantity;
  readonly name: (role: Role | null) => string;
}

const POWER: Quantity = { unit: 'W', unitSource: 'specification', reading: 'average', series: 'average' };
const REGISTER: Quantity = { unit: 'kWh', unitSource: 'specification', reading: 'reading', series: 'reading' };
const ENERGY: Quantity = { unit: 'kWh', unitSource: 'specification', reading: 'reading', series: 'energy' };
const VOLUME: Quantity = { unit: 'm³', unitSource: 'specification', reading: 'reading', series: 'volume' };
const FLOW: Quantity = { unit: 'L/min', unitSource: 'specification', reading: 'average', series: 'average' };
const VOLTAGE: Quantity = { unit: 'V', unitSource: 'assumed', reading: 'average', series: 'average' };
const PRICE: Quantity = { unit: 'currency/kWh', unitSource: 'assumed', reading: 'reading', series: 'reading' };
const INDEX: Quantity = { unit: null, unitSource: 'specification', reading: 'reading', series: 'reading' };
const UNKNOWN: Quantity = { unit: null, unitSource: 'assumed', reading: 'reading', series: 'reading' };

const assumed = (quantity: Quantity): Quantity => ({ ...quantity, unitSource: 'assumed' });

const CHANNELS: ReadonlyMap<string, Channel> = new Map([
  row('electric_power', POWER, 'power_w'),
  row('electric_power_import', assumed(POWER), 'power_import_w'),
  row('electric_power_export', assumed(POWER), 'power_export_w'),
  row('electric_usage_power', assumed(POWER), 'home_power_w'),
  ...phases((phase) => row(`electric_power_${phase}`, assumed(POWER), `power_${phase}_w`)),

  row('t1', REGISTER, (role) => (role === 'production' ? 'energy_production_t1_kwh' : 'energy_import_t1_kwh')),
  row('t2', REGISTER, (role) => (role === 'production' ? 'energy_production_t2_kwh' : 'energy_import_t2_kwh')),
  row('t3', REGISTER, (role) => (role === 'production' ? 'energy_own_use_t1_kwh' : 'energy_export_t1_kwh')),
  row('t4', REGISTER, (role) => (role === 'production' ? 'energy_own_use_t2_kwh' : 'energy_export_t2_kwh')),

  // Before `electric_energy`: where a monitor gives both, the one that names its tariff has the field.
  row('electric_energy_low', assumed(ENERGY), 'energy_net_t1_kwh'),
  row('electric_energy', ENERGY, 'energy_net_t1_kwh'),
  row('electric_energy_high', ENERGY, 'energy_net_t2_kwh'),
  ...['import', 'export'].flatMap((direction) => [
    row(`electric_energy_${direction}`, assumed(ENERGY), `energy_${direction}_kwh`),
    ...['t1', 't2', 'l1', 'l2', 'l3'].map((part) =>
      row(`electric_energy_${direction}_${part}`, assumed(ENERGY), `energy_${direction}_${part}_kwh`),
    ),
  ]),
  row('electric_usage_energy', assumed(ENERGY), 'home_energy_kwh'),

  row('gas', VOLUME, 'gas_m3'),
  row('volume', VOLUME, (role) => (role === 'water' ? 'water_m3' : role === 'gas' ? 'gas_m3' : 'volume_m3')),
  row('flow', FLOW, 'flow_lpm'),
  row('voltage', VOLTAGE, 'voltage_v'),
  ...phases((phase) => row(`voltage_${phase}`, VOLTAGE, `voltage_${phase}_v`)),
  row('rate', INDEX, 'tariff'),
  row('switch', UNKNOWN, 'switch_raw'),
  ...['import_low', 'import_high', 'export_low', 'export_high'].map((kind) =>
    row(`tariff_${kind}`, PRICE, `price_${kind}`),
  ),
]);

/** Gas per minute or per five minutes comes as a flow that the monitor calculates (spec.md A, endpoint 5). */
const GAS_FLOW: Field = {
  name: 'gas_lpm',
  unit: 'L/min',
  semantics: 'average',
  unitSource: 'assumed',
  semanticsSource: 'assumed',
};

/** A step under 30 minutes: what the smart meter gives then is not its hourly reading. */
function isFine(context: FieldContext): boolean {
  return context === 'PT1M' || context === 'PT5M';
}

/** The field of one channel. An unknown channel keeps its own name: it is passed on, never dropped. */
export function fieldOf(channel: string, role: Role | null, context: FieldContext): Field {
  if (channel === 'gas' && isFine(context)) return GAS_FLOW;
  const known = CHANNELS.get(channel);
  const quantity = known?.quantity ?? UNKNOWN;
  return {
    name: known?.name(role) ?? ownName(channel),
    unit: quantity.unit,
    semantics: context === 'reading' ? quantity.reading : quantity.series,
    unitSource: quantity.unitSource,
    semanticsSource: context === 'reading' ? quantity.unitSource : 'assumed',
  };
}

/**
 * The fields of all channels of one answer, each field once. Known channels take their fields first, in the order of the
 * table; a channel whose field is taken already is passed on under its own name.
 */
export function fieldsOf(
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

/** True for what a meter counts (registers, energy, gas, water) as against what it measures now (power, flow, voltage). */
export function isMeterReading(channel: string): boolean {
  const quantity = CHANNELS.get(channel)?.quantity;
  return quantity !== undefined && (quantity.unit === 'kWh' || quantity.unit === 'm³');
}

/** True for what a meter measures now. */
export function isLive(channel: string): boolean {
  return CHANNELS.get(channel)?.quantity.reading === 'average';
}

const RANKS = new Map([...CHANNELS.keys()].map((channel, index) => [channel, index]));

function rank(channel: string): number {
  return RANKS.get(channel) ?? RANKS.size;
}

/** `ts` is every point's own key, and `__proto__` is no key at all. */
export function ownName(channel: string): string {
  return channel === 'ts' || channel === '__proto__' ? `${channel}_raw` : channel;
}

function row(channel: string, quantity: Quantity, name: string | Channel['name']): [string, Channel] {
  return [channel, { quantity, name: typeof name === 'string' ? () => name : name }];
}

function phases(build: (phase: string) => [string, Channel]): [string, Channel][] {
  return ['l1', 'l2', 'l3'].map(build);
}
