/**
 * The fields of a payload: which name, unit and meaning a channel of a monitor gets for each role, and which fields are
 * computed from others. `docs/fields.md` lists them.
 */
import type { FieldInfo, Role } from './payload';
import type { Step } from '../calendar/slots';

/** `reading`: a single value (realtime, totals, webhook). A step: a slot of a series with that step. */
export type FieldContext = 'reading' | Step;

/** Name, unit and meaning of a value in a payload. */
export interface Field extends FieldInfo {
  readonly name: string;
}

/**
 * Unit of a channel, source of the unit (the vendor's pages, or assumed from the name), and meaning of a value as a reading
 * and in a slot of a series. The meaning of slots is assumed, because no page of the vendor describes it.
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

const powerQuantity: Quantity = { unit: 'W', unitSource: 'specification', reading: 'average', series: 'average' };
const registerQuantity: Quantity = { unit: 'kWh', unitSource: 'specification', reading: 'reading', series: 'reading' };
const energyQuantity: Quantity = { unit: 'kWh', unitSource: 'specification', reading: 'reading', series: 'energy' };
const volumeQuantity: Quantity = { unit: 'm³', unitSource: 'specification', reading: 'reading', series: 'volume' };
const flowQuantity: Quantity = { unit: 'L/min', unitSource: 'specification', reading: 'average', series: 'average' };
const voltageQuantity: Quantity = { unit: 'V', unitSource: 'assumed', reading: 'average', series: 'average' };
const priceQuantity: Quantity = { unit: 'currency/kWh', unitSource: 'assumed', reading: 'reading', series: 'reading' };
const indexQuantity: Quantity = { unit: null, unitSource: 'specification', reading: 'reading', series: 'reading' };
const unknownQuantity: Quantity = { unit: null, unitSource: 'assumed', reading: 'reading', series: 'reading' };

const assumed = (quantity: Quantity): Quantity => ({ ...quantity, unitSource: 'assumed' });

const channelTable: ReadonlyMap<string, Channel> = new Map([
  row('electric_power', powerQuantity, 'power_w'),
  row('electric_power_import', assumed(powerQuantity), 'power_import_w'),
  row('electric_power_export', assumed(powerQuantity), 'power_export_w'),
  row('electric_usage_power', assumed(powerQuantity), 'home_power_w'),
  ...phases((phase) => row(`electric_power_${phase}`, assumed(powerQuantity), `power_${phase}_w`)),

  row('t1', registerQuantity, (role) => (role === 'production' ? 'energy_production_t1_kwh' : 'energy_import_t1_kwh')),
  row('t2', registerQuantity, (role) => (role === 'production' ? 'energy_production_t2_kwh' : 'energy_import_t2_kwh')),
  row('t3', registerQuantity, (role) => (role === 'production' ? 'energy_own_use_t1_kwh' : 'energy_export_t1_kwh')),
  row('t4', registerQuantity, (role) => (role === 'production' ? 'energy_own_use_t2_kwh' : 'energy_export_t2_kwh')),

  // Before `electric_energy`: if a monitor sends both, the channel that names its tariff gets the field.
  row('electric_energy_low', assumed(energyQuantity), 'energy_net_t1_kwh'),
  row('electric_energy', energyQuantity, 'energy_net_t1_kwh'),
  row('electric_energy_high', energyQuantity, 'energy_net_t2_kwh'),
  ...['import', 'export'].flatMap((direction) => [
    row(`electric_energy_${direction}`, assumed(energyQuantity), `energy_${direction}_kwh`),
    ...['t1', 't2', 'l1', 'l2', 'l3'].map((part) =>
      row(`electric_energy_${direction}_${part}`, assumed(energyQuantity), `energy_${direction}_${part}_kwh`),
    ),
  ]),
  row('electric_usage_energy', assumed(energyQuantity), 'home_energy_kwh'),

  row('gas', volumeQuantity, 'gas_m3'),
  row('volume', volumeQuantity, (role) => (role === 'water' ? 'water_m3' : role === 'gas' ? 'gas_m3' : 'volume_m3')),
  row('flow', flowQuantity, 'flow_lpm'),
  row('voltage', voltageQuantity, 'voltage_v'),
  ...phases((phase) => row(`voltage_${phase}`, voltageQuantity, `voltage_${phase}_v`)),
  row('rate', indexQuantity, 'tariff'),
  row('switch', unknownQuantity, 'switch_raw'),
  ...['import_low', 'import_high', 'export_low', 'export_high'].map((kind) =>
    row(`tariff_${kind}`, priceQuantity, `price_${kind}`),
  ),
]);

/** The channels that have a name, unit and meaning of their own. */
export function channelNames(): string[] {
  return [...channelTable.keys()];
}

/** Gas per minute or per five minutes: a flow that the monitor calculates (http://developer.cemm.nl/api-en/). */
const gasFlow: Field = {
  name: 'gas_lpm',
  unit: 'L/min',
  semantics: 'average',
  unitSource: 'assumed',
  semanticsSource: 'assumed',
};

/** A step that is shorter than the hour in which DSMR 4 meters report gas. */
function isFine(context: FieldContext): boolean {
  return context === 'PT1M' || context === 'PT5M';
}

/**
 * The field of a channel, such as `t1` of a meter with role `grid`: `energy_import_t1_kwh`. An unknown channel keeps its
 * name, without a unit.
 */
export function fieldOf(channel: string, role: Role | null, context: FieldContext): Field {
  if (channel === 'gas' && isFine(context)) return gasFlow;
  const known = channelTable.get(channel);
  const quantity = known?.quantity ?? unknownQuantity;
  return {
    name: known?.name(role) ?? ownName(channel),
    unit: quantity.unit,
    semantics: context === 'reading' ? quantity.reading : quantity.series,
    unitSource: quantity.unitSource,
    semanticsSource: context === 'reading' ? quantity.unitSource : 'assumed',
  };
}

/**
 * Channel → field, for all channels of one response. No two channels get the same field: the first one in the order of the
 * table gets it, the other one keeps the name of its channel.
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

/** True for counters (registers, energy, gas, water). */
export function isMeterReading(channel: string): boolean {
  const quantity = channelTable.get(channel)?.quantity;
  return quantity !== undefined && (quantity.unit === 'kWh' || quantity.unit === 'm³');
}

/** True for current values (power, flow, voltage). */
export function isLive(channel: string): boolean {
  return channelTable.get(channel)?.quantity.reading === 'average';
}

const ranks = new Map([...channelTable.keys()].map((channel, index) => [channel, index]));

function rank(channel: string): number {
  return ranks.get(channel) ?? ranks.size;
}

/** The channel as a name of a field. `ts` is a property of every point, and `__proto__` is not an ordinary property. */
export function ownName(channel: string): string {
  return channel === 'ts' || channel === '__proto__' ? `${channel}_raw` : channel;
}

function row(channel: string, quantity: Quantity, name: string | Channel['name']): [string, Channel] {
  return [channel, { quantity, name: typeof name === 'string' ? () => name : name }];
}

function phases(build: (phase: string) => [string, Channel]): [string, Channel][] {
  return ['l1', 'l2', 'l3'].map(build);
}

interface TariffSum {
  readonly field: string;
  readonly parts: readonly [low: string, high: string];
}

/**
 * Sums of the two tariffs. A sum has a value only if both parts have one: with one tariff missing it would be too small, and
 * a database of counters would take it for a reset.
 *
 * A meter with a single counter has its reading in t1 and no second tariff, so its sum is t1. A second tariff without a value
 * (`[0, 0]`) makes the sum null.
 */
export const tariffSums: readonly TariffSum[] = [
  'energy_import',
  'energy_export',
  'energy_net',
  'energy_production',
  'energy_own_use',
].map((energy) => ({ field: `${energy}_kwh`, parts: [`${energy}_t1_kwh`, `${energy}_t2_kwh`] }));

const secondTariffChannels: ReadonlySet<string> = new Set([
  't2',
  't4',
  'electric_energy_high',
  'electric_energy_import_t2',
  'electric_energy_export_t2',
]);

/** P1 ports: every meter on one has two tariffs. `emucs` is the Belgian P1 port. */
const p1Alias = /^(p1|emucs)(-|$)/i;

/** True if the alias or a channel of the response shows that the meter has two tariffs. */
export function hasTwoTariffs(alias: string | undefined, channels: Iterable<string>): boolean {
  if (alias !== undefined && p1Alias.test(alias)) return true;
  for (const channel of channels) if (secondTariffChannels.has(channel)) return true;
  return false;
}

interface Difference {
  readonly field: string;
  readonly plus: string;
  readonly minus: string;
}

/** Net energy, for meters that do not send it. */
export const netEnergies: readonly Difference[] = [
  { field: 'energy_net_kwh', plus: 'energy_import_kwh', minus: 'energy_export_kwh' },
  { field: 'energy_net_kwh', plus: 'energy_production_kwh', minus: 'energy_own_use_kwh' },
];

/** A field computed from `power_w`. */
export interface DerivedPower {
  readonly field: string;
  /** -1 for power in the opposite direction of `power_w`. */
  readonly sign: 1 | -1;
  /** Lower bound. */
  readonly floor: number;
}

const gridPowers: readonly DerivedPower[] = [
  { field: 'power_import_w', sign: 1, floor: 0 },
  { field: 'power_export_w', sign: -1, floor: 0 },
];

/** Without a lower bound: at night, the own use of an inverter is a negative production. */
const inverterPowers: readonly DerivedPower[] = [{ field: 'power_production_w', sign: 1, floor: -Infinity }];

/** NaN for NaN; never -0. */
export function derivedFrom(power: number, { sign, floor }: DerivedPower): number {
  return Math.max(sign * power, floor) + 0;
}

/** The fields that a role has besides `power_w`. In a series they are computed per slot from its average. */
export function derivedPowers(role: Role | null): readonly DerivedPower[] {
  return role === 'grid' ? gridPowers : role === 'production' ? inverterPowers : [];
}
