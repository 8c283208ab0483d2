/** Meter readings out of payloads, and which of them stand for the border of a day. */
import { entryOf } from './entries';
import type { RealtimePayload, TotalsPayload, Values, WebhookPayload } from '../../model/payload';
import { amountOf, PER_KWH, PER_M3, type Amount, type BalanceRole } from './amounts';
import { hourMs, minuteMs } from '../../protocol/time';

export const counters = [
  'import',
  'export',
  'import_t1',
  'import_t2',
  'export_t1',
  'export_t2',
  'production',
  'gas',
  'water',
] as const;
export type Counter = (typeof counters)[number];

/** What one counter showed. Plain JSON, so that a context store can hold it. */
export interface CounterReading {
  readonly counter: Counter;
  readonly ts: number;
  readonly amount: Amount;
}

/** A reading in the place that it stands for: a border, or the nearest minute. */
export interface PlacedReading {
  readonly at: number;
  readonly ts: number;
  readonly amount: Amount;
}

/** So long before a border a reading still stands for it. */
const MOST_BEFORE_BORDER = 5 * minuteMs;
/** Smart gas meters report once an hour. */
const MOST_BEFORE_BORDER_GAS = hourMs;

const ofGrid: Readonly<Record<string, Counter>> = {
  energy_import_kwh: 'import',
  energy_export_kwh: 'export',
  energy_import_t1_kwh: 'import_t1',
  energy_import_t2_kwh: 'import_t2',
  energy_export_t1_kwh: 'export_t1',
  energy_export_t2_kwh: 'export_t2',
  gas_m3: 'gas',
};

/** The counters in a payload of a meter of this role; what has no value is left out. */
export function readingsOf(payload: RealtimePayload | TotalsPayload, role: BalanceRole): CounterReading[] {
  const { values, times } = role === 'production' ? withoutEmptyTariff(payload) : payload;
  return countersIn(values, role, (field) => times[field] ?? payload.ts);
}

/** An inverter that has never counted in the second tariff, or does not offer it, has all of it in the first one. */
function withoutEmptyTariff({ values, times, missing, ts }: RealtimePayload | TotalsPayload) {
  const isEmpty = (reason = ''): boolean => reason === 'no_timestamp' || reason === 'not_offered';
  const sums = ['energy_production', 'energy_own_use', 'energy_net'].filter(
    (energy) => values[`${energy}_kwh`] === null && isEmpty(missing[`${energy}_t2_kwh`]),
  );
  const ofFirst = <Value>(value: (field: string) => Value): Record<string, Value> =>
    Object.fromEntries(sums.map((energy) => [`${energy}_kwh`, value(`${energy}_t1_kwh`)]));
  return {
    values: { ...values, ...ofFirst((field) => values[field] ?? null) },
    times: { ...times, ...ofFirst((field) => times[field] ?? ts) },
  };
}

/** Whether a smart meter offers its export; null where the payload does not tell. A meter that has never offered one has none. */
export function offersExport({ values }: RealtimePayload | TotalsPayload, role: BalanceRole): boolean | null {
  const names = Object.keys(values).filter((field) => /^energy_(import|export)_(t\d_)?kwh$/.test(field));
  if (role !== 'grid' || names.length === 0) return null;
  return names.some((field) => field.startsWith('energy_export'));
}

/** As readingsOf, for one meter of a delivery: topic `reading`. */
export function deliveredReadings(payload: WebhookPayload, meter: string, role: BalanceRole): CounterReading[] {
  const values: Values = {};
  const times = new Map<string, number>();
  for (const reading of payload.readings) {
    if (reading.meter !== meter || reading.topic !== 'reading' || reading.value === null) continue;
    values[reading.field] = reading.value;
    times.set(reading.field, reading.ts ?? payload.ts);
  }
  return countersIn(values, role, (field) => times.get(field) ?? payload.ts);
}

function countersIn(values: Values, role: BalanceRole, timeOf: (field: string) => number): CounterReading[] {
  const value = (field: string): number | null => (Object.hasOwn(values, field) ? (values[field] ?? null) : null);
  const found = (counter: Counter, field: string, unit: number): CounterReading[] => {
    const read = value(field);
    return read === null ? [] : [{ counter, ts: timeOf(field), amount: amountOf(read, unit) }];
  };
  switch (role) {
    case 'grid':
      return Object.entries(ofGrid).flatMap(([field, counter]) =>
        found(counter, field, counter === 'gas' ? PER_M3 : PER_KWH),
      );
    case 'production':
      return produced(values, value, timeOf);
    case 'gas':
      return found('gas', 'gas_m3', PER_M3);
    case 'water':
      return found('water', 'water_m3', PER_M3);
  }
}

/**
 * The pairs of counters whose difference is production, best first. Net energy comes rounded from some monitors, and webhooks
 * name the counters as the inverter sees them: what it delivers is its export.
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
    // A meter that counts one way only has no second counter at all; one that is there without a value is missed.
    const isOneWay = minus === null || !Object.hasOwn(values, minus);
    const taken = isOneWay ? 0 : value(minus);
    if (taken === null) continue;
    const ts = isOneWay ? timeOf(plus) : Math.max(timeOf(plus), timeOf(minus));
    return [{ counter: 'production', ts, amount: amountOf(given, PER_KWH) - amountOf(taken, PER_KWH) }];
  }
  return [];
}

/**
 * The readings of one counter, ascending and each in the place that it stands for. Only those of the time from the first
 * border to the last are kept.
 * @param borders ascending: the first moment, every midnight, and the last moment
 * @param isRunning the last moment is the minute that is over now: a reading of the running minute stands for it
 */
export function placeReadings(
  readings: readonly CounterReading[],
  counter: Counter,
  borders: readonly number[],
  isRunning = false,
): PlacedReading[] {
  const most = counter === 'gas' ? MOST_BEFORE_BORDER_GAS : MOST_BEFORE_BORDER;
  const [first = 0, last = 0] = [borders[0], borders.at(-1)];
  const placed = new Map<number, PlacedReading>();
  for (const { ts, amount } of withoutZeros(readings.filter((reading) => reading.counter === counter))) {
    const minute = Math.round(ts / minuteMs) * minuteMs;
    // Seconds after midnight it is that midnight, also where the time that is past ends soon after.
    const isOfNow = isRunning && ts > last && ts - last < minuteMs;
    const at = isOfNow ? last : (borderAfter(borders, minute, 0) ?? borderAfter(borders, ts, most) ?? minute);
    const rival = placed.get(at);
    if (at < first || at > last || (rival !== undefined && isNearer(rival, { at, ts, amount }))) continue;
    placed.set(at, { at, ts, amount });
  }
  return [...placed.values()].sort((a, b) => a.at - b.at);
}

/** The first border at or after the moment, where it is no further than `most`. */
function borderAfter(borders: readonly number[], ts: number, most: number): number | null {
  let [low, high] = [0, borders.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entryOf(borders, middle) < ts) low = middle + 1;
    else high = middle;
  }
  const border = borders[low];
  return border !== undefined && border - ts <= most ? border : null;
}

function isNearer(one: PlacedReading, other: PlacedReading): boolean {
  const [a, b] = [Math.abs(one.at - one.ts), Math.abs(other.at - other.ts)];
  if (a !== b) return a < b;
  // Two readings with one time: the order in which they came must not matter.
  return one.ts === other.ts ? one.amount >= other.amount : one.ts > other.ts;
}

/** Ascending. A monitor shows 0 for a moment after a restart: a 0 between readings that go on from each other is dropped. */
function withoutZeros(readings: readonly CounterReading[]): CounterReading[] {
  const sorted = [...readings].sort((a, b) => a.ts - b.ts || a.amount - b.amount);
  return sorted.filter(({ amount }, index) => {
    if (amount !== 0) return true;
    const before = sorted.findLast((other, place) => place < index && other.amount !== 0);
    const after = sorted[index + 1];
    return before === undefined || (after !== undefined && after.amount < before.amount);
  });
}

/** The counter that tells whether a meter was read at all. */
const mainCounters: Readonly<Record<BalanceRole, Counter>> = {
  grid: 'import',
  production: 'production',
  gas: 'gas',
  water: 'water',
};

/** Whether one of the readings of a meter stands for the border of a day. */
export function hasReadingAt(readings: readonly CounterReading[], role: BalanceRole, border: number): boolean {
  return placeReadings(readings, mainCounters[role], [border]).length > 0;
}
