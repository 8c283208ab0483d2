/** Converts payloads to meter readings, and assigns readings to the borders of days. */
import { countBefore, getEntry } from './entries';
import type { RealtimePayload, TotalsPayload, Values } from '../../model/payload';
import { isExact, toAmount, perKwh, perM3, type Amount, type BalanceRole, type Quantity } from './amounts';
import { hourMs, minuteMs } from '../../time/units';

export const countersOfHouse = [
  'import',
  'export',
  'import_t1',
  'import_t2',
  'export_t1',
  'export_t2',
  'production',
  'gas',
  'water',
  'charged',
  'discharged',
] as const;
/** With those of a device. */
export const counters = [...countersOfHouse, 'used', 'returned'] as const;
export type Counter = (typeof counters)[number];

type MainCounter = Counter & Quantity;

/** The counters that decide the balance of a meter: in one direction, and in the other if it has one. */
export const mainCounters: Readonly<Record<BalanceRole, readonly [MainCounter, ...MainCounter[]]>> = {
  grid: ['import', 'export'],
  production: ['production'],
  battery: ['charged', 'discharged'],
  consumption: ['used', 'returned'],
  gas: ['gas'],
  water: ['water'],
};

/** The payload fields of the counters of a house. */
export const counterFields: Readonly<Record<(typeof countersOfHouse)[number], string>> = {
  import: 'energy_import_kwh',
  export: 'energy_export_kwh',
  import_t1: 'energy_import_t1_kwh',
  import_t2: 'energy_import_t2_kwh',
  export_t1: 'energy_export_t1_kwh',
  export_t2: 'energy_export_t2_kwh',
  production: 'energy_production_kwh',
  gas: 'gas_m3',
  water: 'water_m3',
  charged: 'energy_battery_charged_kwh',
  discharged: 'energy_battery_discharged_kwh',
};

/** One value of a counter; plain JSON for a context store. */
export interface CounterReading {
  readonly counter: Counter;
  readonly ts: number;
  readonly amount: Amount;
}

/** A reading and the moment that it counts for: a border, or the nearest minute. */
export interface PlacedReading {
  readonly at: number;
  readonly ts: number;
  readonly amount: Amount;
  /** True for a reading of the current minute, which counts for the end of the past part of a period. */
  readonly isOfNow?: boolean;
}

/** Time between two consecutive readings, and what the counter shows of it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly amount: Amount;
  /** Times of the readings at its ends, which may stand for later borders. */
  readonly begunAt: number;
  readonly readAt: number;
  /** The amount has that of the seconds between its end and the reading. */
  readonly isUntilNow?: boolean;
}

/** @param readings ascending */
export function listStretches(readings: readonly PlacedReading[]): Stretch[] {
  return readings.slice(1).map((after, index) => {
    const before = getEntry(readings, index);
    const [amount, begunAt, readAt] = [after.amount - before.amount, before.ts, after.ts];
    const isUntilNow = after.isOfNow === true;
    return { from: before.at, to: after.at, amount, begunAt, readAt, ...(isUntilNow && { isUntilNow }) };
  });
}

/** A reading counts for a border at most this long before it. */
const mostBeforeBorder = 5 * minuteMs;
/** Smart gas meters report once an hour. */
const mostBeforeBorderGas = hourMs;

const countersOfGrid = ['import', 'export', 'import_t1', 'import_t2', 'export_t1', 'export_t2', 'gas'] as const;

/** Roles of meters that may count everything in the first tariff. */
const hasOneTariff: ReadonlySet<BalanceRole> = new Set(['production', 'battery', 'consumption']);

/** The counters in a payload of a meter of this role that have a value. */
export function readCounters(payload: RealtimePayload | TotalsPayload, role: BalanceRole): CounterReading[] {
  const { values, times } = hasOneTariff.has(role) ? withoutEmptyTariff(payload) : payload;
  return countersIn(values, role, (field) => times[field] ?? payload.ts);
}

const sumsOfTariffs = [
  'energy_production',
  'energy_own_use',
  'energy_net',
  'energy_battery_charged',
  'energy_battery_discharged',
  'energy_import',
  'energy_export',
];

/** An inverter, a battery or a device whose second tariff is not offered or has never counted counts everything in the first one. */
export function withoutEmptyTariff({ values, times, missing, ts }: RealtimePayload | TotalsPayload) {
  const isEmpty = (reason = ''): boolean => reason === 'no_timestamp' || reason === 'not_offered';
  const sums = sumsOfTariffs.filter(
    (energy) => values[`${energy}_kwh`] === null && isEmpty(missing[`${energy}_t2_kwh`]),
  );
  const ofFirst = <Value>(value: (field: string) => Value): Record<string, Value> =>
    Object.fromEntries(sums.map((energy) => [`${energy}_kwh`, value(`${energy}_t1_kwh`)]));
  return {
    values: { ...values, ...ofFirst((field) => values[field] ?? null) },
    times: { ...times, ...ofFirst((field) => times[field] ?? ts) },
  };
}

/** True if a smart meter offers its export; null if the payload does not show it. A meter that has never offered one has none. */
export function offersExport({ values }: RealtimePayload | TotalsPayload, role: BalanceRole): boolean | null {
  const names = Object.keys(values).filter((field) => /^energy_(import|export)_(t\d_)?kwh$/.test(field));
  if (role !== 'grid' || names.length === 0) return null;
  return names.some((field) => field.startsWith('energy_export'));
}

/** @param values null for a field without a value, which may be missing */
export function countersIn(values: Values, role: BalanceRole, timeOf: (field: string) => number): CounterReading[] {
  const readValue = (field: string): number | null => (Object.hasOwn(values, field) ? (values[field] ?? null) : null);
  const found = (counter: Counter, field: string, unit: number): CounterReading[] => {
    const read = readValue(field);
    const amount = toAmount(read ?? NaN, unit);
    return isExact(amount) ? [{ counter, ts: timeOf(field), amount }] : [];
  };
  switch (role) {
    case 'grid':
      return countersOfGrid.flatMap((counter) =>
        found(counter, counterFields[counter], counter === 'gas' ? perM3 : perKwh),
      );
    case 'production':
      return produced(values, readValue, timeOf);
    case 'battery': {
      const [charged, discharged] = batteryFields.find(([field]) => Object.hasOwn(values, field)) ?? batteryFields[0];
      return [...found('charged', charged, perKwh), ...found('discharged', discharged, perKwh)];
    }
    case 'consumption': {
      // A pulse input counts in one direction: over the internet its net energy is its import.
      const isOneWay = !['energy_import_kwh', 'energy_export_kwh'].some((field) => Object.hasOwn(values, field));
      const used = isOneWay ? 'energy_net_kwh' : 'energy_import_kwh';
      return [...found('used', used, perKwh), ...found('returned', 'energy_export_kwh', perKwh)];
    }
    // The node that read the meter may not have known what it counts.
    case 'gas':
      return found('gas', readValue('gas_m3') === null ? 'volume_m3' : 'gas_m3', perM3);
    case 'water':
      return found('water', readValue('water_m3') === null ? 'volume_m3' : 'water_m3', perM3);
  }
}

/** The counters of a battery: of a meter with this role, of one without a role or in a delivery, and of one that is listed as an inverter. */
const batteryFields = [
  ['energy_battery_charged_kwh', 'energy_battery_discharged_kwh'],
  ['energy_import_kwh', 'energy_export_kwh'],
  ['energy_production_kwh', 'energy_own_use_kwh'],
] as const;

/**
 * Pairs of counters whose difference is production, best first. Some monitors round net energy. Webhooks name the counters from
 * the inverter's side: its delivery is its export.
 */
const productions: readonly (readonly [plus: string, minus: string | null])[] = [
  ['energy_production_kwh', 'energy_own_use_kwh'],
  ['energy_net_kwh', null],
  ['energy_export_kwh', 'energy_import_kwh'],
];

function produced(
  values: Values,
  value: (field: string) => number | null,
  timeOf: (field: string) => number,
): CounterReading[] {
  for (const [plus, minus] of productions) {
    const given = value(plus);
    if (given === null) continue;
    // A meter for one direction has no second counter. A second counter without a value is missing.
    const isOneWay = minus === null || !Object.hasOwn(values, minus);
    const taken = isOneWay ? 0 : value(minus);
    if (taken === null) continue;
    const ts = isOneWay ? timeOf(plus) : Math.max(timeOf(plus), timeOf(minus));
    const amount = toAmount(given, perKwh) - toAmount(taken, perKwh);
    return isExact(amount) ? [{ counter: 'production', ts, amount }] : [];
  }
  return [];
}

/**
 * The readings of one counter from the first to the last border, ascending.
 * @param borders ascending: the first moment, every midnight, and the last moment
 * @param isRunning the last moment is the minute that has just ended: a reading of the current minute counts for it
 */
export function placeReadings(
  readings: readonly CounterReading[],
  counter: Counter,
  borders: readonly number[],
  isRunning = false,
): PlacedReading[] {
  const [first = 0, last = 0] = [borders[0], borders.at(-1)];
  const placed = new Map<number, PlacedReading>();
  for (const { ts, amount } of withoutZeros(readings.filter((reading) => reading.counter === counter))) {
    const minute = nearestMinute(ts);
    const isOfNow = isRunning && ts > last && ts - last < minuteMs;
    const at = isOfNow ? last : minute;
    const rival = placed.get(at);
    if (rival !== undefined && isNearer(rival, { at, ts, amount })) continue;
    placed.set(at, { at, ts, amount, ...(isOfNow && { isOfNow }) });
  }
  const sorted = [...placed.values()].sort((a, b) => a.at - b.at);
  const most = counter === 'gas' ? mostBeforeBorderGas : mostBeforeBorder;
  return withReadingsAtBorders(sorted, borders, most).filter(({ at }) => at >= first && at <= last);
}

/** A border without a reading has the last one before it, if that is not further away than `most`. All others stay at their own minutes. */
function withReadingsAtBorders(
  sorted: readonly PlacedReading[],
  borders: readonly number[],
  most: number,
): readonly PlacedReading[] {
  const atBorders = new Set(borders);
  return sorted.map((reading, index) => {
    const border = borders[countBefore(borders, (moment) => moment <= reading.at)];
    const next = sorted[index + 1];
    const isLast = border !== undefined && (next === undefined || next.at > border);
    const counts = isLast && !atBorders.has(reading.at) && border - reading.ts <= most;
    return counts ? { ...reading, at: border } : reading;
  });
}

/** Seconds after midnight a reading is one of that midnight. */
export function nearestMinute(ts: number): number {
  return Math.round(ts / minuteMs) * minuteMs;
}

function isNearer(one: PlacedReading, other: PlacedReading): boolean {
  const [a, b] = [Math.abs(one.at - one.ts), Math.abs(other.at - other.ts)];
  if (a !== b) return a < b;
  // The result must not depend on the order of readings with equal times.
  return one.ts === other.ts ? one.amount >= other.amount : one.ts > other.ts;
}

/** Sorts the readings. A monitor shows 0 for a moment after a restart: a 0 between continuous readings is removed. */
function withoutZeros(readings: readonly CounterReading[]): CounterReading[] {
  const sorted = [...readings].sort((a, b) => a.ts - b.ts || a.amount - b.amount);
  return sorted.filter(({ amount }, index) => {
    if (amount !== 0) return true;
    const before = sorted.findLast((other, place) => place < index && other.amount !== 0);
    const after = sorted[index + 1];
    return before === undefined || (after !== undefined && after.amount < before.amount);
  });
}

/** True if a reading of the meter counts for the border of a day. */
export function hasReadingAt(readings: readonly CounterReading[], role: BalanceRole, border: number): boolean {
  return placeReadings(readings, mainCounters[role][0], [border]).length > 0;
}
