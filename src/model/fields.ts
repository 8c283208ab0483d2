/** The fields of a payload: the kind of each field and its channels. A field without channels is computed from others. */
import type { FieldInfo, Role } from './payload';

export interface Kind {
  /** Null: a number without a unit, or with the unit of the payload. */
  readonly unit: string | null;
  /** Unit at the end of a name. */
  readonly suffix: string | null;
  readonly reading: FieldInfo['semantics'];
  /** Semantics in a slot of a series; an assumption, because the vendor does not document it. */
  readonly series: FieldInfo['semantics'];
  /** Its value in a reading is a counter that only rises. */
  readonly rises: boolean;
}

const energy = { unit: 'kWh', suffix: 'kwh', reading: 'reading', series: 'energy', rises: true } as const;
const volume = { unit: 'm³', suffix: 'm3', reading: 'reading', series: 'volume', rises: true } as const;
const average = { reading: 'average', series: 'average', rises: false } as const;
const plain = { unit: null, suffix: null, reading: 'reading', series: 'reading', rises: false } as const;

/** One row per kind. Formats and dialogs have tables of all kinds: a new kind compiles only with a row in each of them. */
export const kinds = {
  power: { unit: 'W', suffix: 'w', ...average },
  energy,
  /** Import minus export; it can fall. */
  net_energy: { ...energy, rises: false },
  gas: volume,
  water: volume,
  volume,
  /** The reading of a counter in a series, besides the amount of each slot. */
  volume_reading: { ...volume, series: 'reading', rises: false },
  flow: { unit: 'L/min', suffix: 'lpm', ...average },
  voltage: { unit: 'V', suffix: 'v', ...average },
  current: { unit: 'A', suffix: 'a', ...average },
  price: { ...plain, unit: 'currency/kWh' },
  tariff: plain,
  raw: plain,
  /** 0 to 1. */
  share: plain,
  /** In the currency of the payload. */
  cost: plain,
} as const satisfies Readonly<Record<string, Kind>>;

export type FieldKind = keyof typeof kinds;
export type FieldUnit = NonNullable<(typeof kinds)[FieldKind]['unit']>;

/** Source of a field. */
export interface Wire {
  readonly channel: string;
  /** Only for a meter of this role. Absent: for roles without a row of their own. */
  readonly role?: Role;
  /** The vendor does not document the unit. */
  readonly isAssumed?: boolean;
  /** The value is a reading in a series as well. */
  readonly isRegister?: boolean;
}

interface FieldRow {
  readonly kind: FieldKind;
  /** Empty: computed from others. If a monitor sends several channels, the first one supplies the field. */
  readonly channels: readonly Wire[];
}

/** One row per field. */
export const rows = {
  power_w: defineField('power', wire('electric_power')),
  power_import_w: defineField('power', assumed('electric_power_import')),
  power_export_w: defineField('power', assumed('electric_power_export')),
  power_production_w: defineField('power'),
  /** Positive: the battery discharges. */
  power_battery_w: defineField('power'),
  power_house_w: defineField('power'),
  power_self_consumed_w: defineField('power'),
  /** The house without its devices. */
  power_other_w: defineField('power'),
  home_power_w: defineField('power', assumed('electric_usage_power')),
  power_l1_w: defineField('power', assumed('electric_power_l1')),
  power_l2_w: defineField('power', assumed('electric_power_l2')),
  power_l3_w: defineField('power', assumed('electric_power_l3')),
  peak_power_w: defineField('power'),
  peak_expected_w: defineField('power'),

  energy_import_t1_kwh: defineField('energy', register('t1'), assumed('electric_energy_import_t1')),
  energy_import_t2_kwh: defineField('energy', register('t2'), assumed('electric_energy_import_t2')),
  energy_export_t1_kwh: defineField('energy', register('t3'), assumed('electric_energy_export_t1')),
  energy_export_t2_kwh: defineField('energy', register('t4'), assumed('electric_energy_export_t2')),
  energy_production_t1_kwh: defineField('energy', register('t1', 'production')),
  energy_production_t2_kwh: defineField('energy', register('t2', 'production')),
  energy_own_use_t1_kwh: defineField('energy', register('t3', 'production')),
  energy_own_use_t2_kwh: defineField('energy', register('t4', 'production')),
  energy_battery_charged_t1_kwh: defineField('energy', register('t1', 'battery')),
  energy_battery_charged_t2_kwh: defineField('energy', register('t2', 'battery')),
  energy_battery_discharged_t1_kwh: defineField('energy', register('t3', 'battery')),
  energy_battery_discharged_t2_kwh: defineField('energy', register('t4', 'battery')),
  // If a monitor sends both, the channel that names its tariff supplies the field.
  energy_net_t1_kwh: defineField('net_energy', assumed('electric_energy_low'), wire('electric_energy')),
  energy_net_t2_kwh: defineField('net_energy', wire('electric_energy_high')),
  energy_import_kwh: defineField('energy', assumed('electric_energy_import')),
  energy_import_l1_kwh: defineField('energy', assumed('electric_energy_import_l1')),
  energy_import_l2_kwh: defineField('energy', assumed('electric_energy_import_l2')),
  energy_import_l3_kwh: defineField('energy', assumed('electric_energy_import_l3')),
  energy_export_kwh: defineField('energy', assumed('electric_energy_export')),
  energy_export_l1_kwh: defineField('energy', assumed('electric_energy_export_l1')),
  energy_export_l2_kwh: defineField('energy', assumed('electric_energy_export_l2')),
  energy_export_l3_kwh: defineField('energy', assumed('electric_energy_export_l3')),
  energy_net_kwh: defineField('net_energy'),
  energy_production_kwh: defineField('energy'),
  energy_own_use_kwh: defineField('energy'),
  energy_battery_charged_kwh: defineField('energy'),
  energy_battery_discharged_kwh: defineField('energy'),
  energy_self_consumed_kwh: defineField('energy'),
  energy_house_kwh: defineField('energy'),
  /** The house without its devices. */
  energy_other_kwh: defineField('energy'),
  /** A device. */
  energy_kwh: defineField('energy'),
  home_energy_kwh: defineField('energy', assumed('electric_usage_energy')),

  gas_m3: defineField('gas', wire('gas'), wire('volume', 'gas')),
  gas_reading_m3: defineField('volume_reading'),
  water_m3: defineField('water', wire('volume', 'water')),
  water_reading_m3: defineField('volume_reading'),
  volume_m3: defineField('volume', wire('volume')),
  volume_reading_m3: defineField('volume_reading'),
  // Replaces `gas_m3` in slots shorter than an hour.
  gas_lpm: defineField('flow'),
  flow_lpm: defineField('flow', wire('flow')),

  voltage_v: defineField('voltage', assumed('voltage')),
  voltage_l1_v: defineField('voltage', assumed('voltage_l1')),
  voltage_l2_v: defineField('voltage', assumed('voltage_l2')),
  voltage_l3_v: defineField('voltage', assumed('voltage_l3')),
  current_l1_a: defineField('current', assumed('current_l1')),
  current_l2_a: defineField('current', assumed('current_l2')),
  current_l3_a: defineField('current', assumed('current_l3')),
  tariff: defineField('tariff', wire('rate')),
  switch_raw: defineField('raw', assumed('switch')),
  price_import_low: defineField('price', assumed('tariff_import_low')),
  price_import_high: defineField('price', assumed('tariff_import_high')),
  price_export_low: defineField('price', assumed('tariff_export_low')),
  price_export_high: defineField('price', assumed('tariff_export_high')),

  self_consumption: defineField('share'),
  self_sufficiency: defineField('share'),
  from_sun: defineField('share'),
  cost: defineField('cost'),
  cost_import: defineField('cost'),
  cost_export: defineField('cost'),
  cost_export_fee: defineField('cost'),
  cost_gas: defineField('cost'),
  cost_water: defineField('cost'),
  cost_fixed: defineField('cost'),
  cost_peak: defineField('cost'),
  cost_netted: defineField('cost'),
  cost_per_kwh: defineField('price'),
} as const satisfies Readonly<Record<string, FieldRow>>;

export type FieldName = keyof typeof rows;

function defineField(kind: FieldKind, ...channels: readonly Wire[]): FieldRow {
  return { kind, channels };
}

function wire(channel: string, role?: Role): Wire {
  return role === undefined ? { channel } : { channel, role };
}

function assumed(channel: string): Wire {
  return { channel, isAssumed: true };
}

function register(channel: string, role?: Role): Wire {
  return { ...wire(channel, role), isRegister: true };
}

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(rows, name);
}

/** Null for a name that is not in the table, such as that of an unknown channel. */
export function findFieldKind(field: string): FieldKind | null {
  return isFieldName(field) ? rows[field].kind : null;
}

/** Null for a field without a unit, and for a name that is not in the table. */
export function unitOfField(field: string): FieldUnit | null {
  const kind = findFieldKind(field);
  return kind === null ? null : kinds[kind].unit;
}

const suffixes = new Set(Object.values(rows).flatMap(({ kind }) => kinds[kind].suffix ?? []));
const unitAtEnd = new RegExp(`_(${[...suffixes].join('|')})$`);

/** `power_import_w` → `power_import`. */
export function withoutUnit(name: string): string {
  return name.replace(unitAtEnd, '');
}
