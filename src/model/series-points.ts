/** Sorts samples into slots, computes derived fields per slot, and makes the points of a series. */
import type { Slots } from '../calendar/slots';
import type { Samples } from '../protocol/responses';
import { derivedFrom, type DerivedPower, derivedPowers, tariffSums } from './derived-fields';
import type { Field } from './channel-fields';
import type { Role, SeriesPoint } from './payload';

/** The samples of one channel, sorted into slots. */
export interface SlotColumn {
  /** One number per slot, NaN if there is none. */
  readonly values: Float64Array;
  /** Number of slots up to the last one with an entry, which may be null. */
  readonly reach: number;
  /** Number of slots with a value. */
  readonly known: number;
  readonly duplicates: number;
  readonly futureTrimmed: number;
  readonly outside: number;
}

interface SlotWindow {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly slots: Slots;
  /** The slots are parts of a day: 0 and null in the current slot are ignored, as in slots to come. */
  readonly withinDay: boolean;
}

/**
 * Sorts samples into slots by time. Of several samples for one slot, a number is preferred to a null, then the later time (the
 * current day is updated), then the sample received last.
 */
export function fillSlots(samples: Samples, { start, end, now, slots, withinDay }: SlotWindow): SlotColumn {
  const { times, values } = samples;
  const { starts } = slots;
  const column = new Float64Array(slots.count).fill(NaN);
  const chosen = new Float64Array(slots.count);
  const running = now < start ? 0 : now < end ? slots.indexOf(now) : slots.count;
  let reach = 0;
  let known = 0;
  let duplicates = 0;
  let futureTrimmed = 0;
  let outside = 0;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] ?? NaN;
    if (!(time >= start && time < end)) {
      outside += 1;
      continue;
    }
    const slot = slots.indexOf(time);
    const value = values[index] ?? NaN;
    if (slot >= running && ((starts[slot] ?? 0) > now || (withinDay && !isNonZero(value)))) {
      futureTrimmed += 1;
      continue;
    }
    const previousTime = chosen[slot] ?? 0;
    if (previousTime !== 0) {
      duplicates += 1;
      const previous = column[slot] ?? NaN;
      if (!isPreferred(value, time, previous, previousTime)) continue;
      if (!Number.isNaN(previous)) known -= 1;
    }
    if (!Number.isNaN(value)) known += 1;
    // Adding 0 turns -0 into 0.
    column[slot] = value + 0;
    chosen[slot] = time;
    if (slot >= reach) reach = slot + 1;
  }
  return { values: column, reach, known, duplicates, futureTrimmed, outside };
}

/** False for NaN. */
function isNonZero(value: number): boolean {
  return Math.abs(value) > 0;
}

function isPreferred(value: number, time: number, other: number, otherTime: number): boolean {
  const isKnown = !Number.isNaN(value);
  return isKnown === !Number.isNaN(other) ? time >= otherTime : isKnown;
}

/** One field of a series: a number per slot, NaN if there is none. */
export interface Column {
  readonly field: Field;
  readonly values: Float64Array;
}

/**
 * Appends the derived powers and the sums of tariffs. A sum is NaN if a part is missing. The sum of a single counter is its
 * low tariff (see `tariffSums` in `fields.ts`).
 */
export function addDerivedColumns(columns: Column[], role: Role | null, isSingleCounter: boolean): void {
  const find = (name: string): Column | undefined => columns.find(({ field }) => field.name === name);
  const power = find('power_w');
  for (const derived of power === undefined ? [] : derivedPowers(role)) {
    if (power === undefined || find(derived.field)) continue;
    columns.push({ field: { ...power.field, name: derived.field }, values: computed(power.values, derived) });
  }
  for (const { field, parts } of tariffSums) {
    const [low, high] = [find(parts[0]), find(parts[1])];
    const any = low ?? high;
    if (any === undefined || find(field)) continue;
    const values = isSingleCounter && low !== undefined ? low.values.slice() : added(low, high, any.values.length);
    columns.push({ field: sumField(field, any, high ?? any), values });
  }
}

/** A loop, because Float64Array.prototype.map takes several times as long. */
function computed(values: Float64Array, derived: DerivedPower): Float64Array {
  const result = new Float64Array(values.length);
  for (let slot = 0; slot < values.length; slot += 1) result[slot] = derivedFrom(values[slot] ?? NaN, derived);
  return result;
}

function sumField(name: string, { field }: Column, other: Column): Field {
  const said = other.field.unitSource === 'assumed' ? other.field : field;
  return { ...said, name };
}

function added(low: Column | undefined, high: Column | undefined, length: number): Float64Array {
  const sum = new Float64Array(length).fill(NaN);
  if (low === undefined || high === undefined) return sum;
  for (let slot = 0; slot < length; slot += 1) sum[slot] = (low.values[slot] ?? NaN) + (high.values[slot] ?? NaN);
  return sum;
}

type PointAt = (ts: number, slot: number) => SeriesPoint;

/** The points of the first `count` slots, with every field in every point. None if there are no fields. */
export function pointsOf(starts: Float64Array, columns: readonly Column[], count: number): SeriesPoint[] {
  if (columns.length === 0) return [];
  const pointAt = powerPoint(columns) ?? anyPoint(columns);
  const points = new Array<SeriesPoint>(count);
  for (let slot = 0; slot < count; slot += 1) points[slot] = pointAt(starts[slot] ?? 0, slot);
  return points;
}

/** For a day of power, the longest series: object literals are several times faster than assigned keys. Null for other fields. */
function powerPoint(columns: readonly Column[]): PointAt | null {
  const [power, second, third] = columns.map(({ values }) => values);
  switch (columns.map(({ field }) => field.name).join()) {
    case 'power_w':
      return (ts, slot) => ({ ts, power_w: numberOrNull(power?.[slot]) });
    case 'power_w,power_production_w':
      return (ts, slot) => ({
        ts,
        power_w: numberOrNull(power?.[slot]),
        power_production_w: numberOrNull(second?.[slot]),
      });
    case 'power_w,power_import_w,power_export_w':
      return (ts, slot) => ({
        ts,
        power_w: numberOrNull(power?.[slot]),
        power_import_w: numberOrNull(second?.[slot]),
        power_export_w: numberOrNull(third?.[slot]),
      });
    default:
      return null;
  }
}

function anyPoint(columns: readonly Column[]): PointAt {
  const named = columns.map(({ field, values }) => ({ name: field.name, values }));
  return (ts, slot) => {
    const point: SeriesPoint = { ts };
    for (const { name, values } of named) point[name] = numberOrNull(values[slot]);
    return point;
  };
}

export function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
