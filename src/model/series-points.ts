/** The samples of one channel sorted into the slots of a period, one number per slot: NaN where there is none. */
import type { Slots } from '../calendar/slots';
import type { Samples } from '../protocol/responses';
import { derivedFrom, type DerivedPower, derivedPowers, type Field, tariffSums } from './fields';
import type { Role, SeriesPoint } from './payload';

export interface SlotColumn {
  readonly values: Float64Array;
  /** Slots up to the last one with an entry, null ones included. */
  readonly reach: number;
  /** Slots with a number. */
  readonly known: number;
  readonly duplicates: number;
  readonly futureTrimmed: number;
  readonly outside: number;
}

interface SlotWindow {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  /** The channel's own slots. */
  readonly slots: Slots;
  /** Of slots within a day: what is still to come may be 0 or null, the running minute with it. Days and months count on. */
  readonly withinDay: boolean;
}

/**
 * A sample's own time decides its slot; its place in the list means nothing. Of several entries for one slot a number
 * beats a null, then the later time beats the earlier (a running day is updated), then the one received last stands.
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
    const rivalTime = chosen[slot] ?? 0;
    if (rivalTime !== 0) {
      duplicates += 1;
      const rival = column[slot] ?? NaN;
      if (!beats(value, time, rival, rivalTime)) continue;
      if (!Number.isNaN(rival)) known -= 1;
    }
    if (!Number.isNaN(value)) known += 1;
    // Adding 0 turns -0 into 0.
    column[slot] = value + 0;
    chosen[slot] = time;
    if (slot >= reach) reach = slot + 1;
  }
  return { values: column, reach, known, duplicates, futureTrimmed, outside };
}

/** False for NaN, too. */
function isNonZero(value: number): boolean {
  return Math.abs(value) > 0;
}

function beats(value: number, time: number, other: number, otherTime: number): boolean {
  const isKnown = !Number.isNaN(value);
  return isKnown === !Number.isNaN(other) ? time >= otherTime : isKnown;
}

// Columns of a series: one number per slot and field, NaN where there is none.

export interface Column {
  readonly field: Field;
  readonly values: Float64Array;
}

/**
 * Appends the derived powers and the sums over tariffs. A sum with a part missing is NaN, for NaN + anything is NaN; of a
 * single counter it is the low tariff alone (sums.ts).
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

// Plain loops: Float64Array.prototype.map takes several times as long.
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

// Columns → points, the one place that makes an object per slot.

type PointAt = (ts: number, slot: number) => SeriesPoint;

/** The first `count` slots, ascending, every field in every point. No points where there is no field. */
export function pointsOf(starts: Float64Array, columns: readonly Column[], count: number): SeriesPoint[] {
  if (columns.length === 0) return [];
  const pointAt = powerPoint(columns) ?? anyPoint(columns);
  const points = new Array<SeriesPoint>(count);
  for (let slot = 0; slot < count; slot += 1) points[slot] = pointAt(starts[slot] ?? 0, slot);
  return points;
}

/**
 * For a day of power, the one long series: literals with fixed keys take a fraction of the time that keys out of a list
 * take. Null for any other set of fields.
 */
function powerPoint(columns: readonly Column[]): PointAt | null {
  const [power, second, third] = columns.map(({ values }) => values);
  switch (columns.map(({ field }) => field.name).join()) {
    case 'power_w':
      return (ts, slot) => ({ ts, power_w: orNull(power?.[slot]) });
    case 'power_w,power_production_w':
      return (ts, slot) => ({ ts, power_w: orNull(power?.[slot]), power_production_w: orNull(second?.[slot]) });
    case 'power_w,power_import_w,power_export_w':
      return (ts, slot) => ({
        ts,
        power_w: orNull(power?.[slot]),
        power_import_w: orNull(second?.[slot]),
        power_export_w: orNull(third?.[slot]),
      });
    default:
      return null;
  }
}

function anyPoint(columns: readonly Column[]): PointAt {
  const named = columns.map(({ field, values }) => ({ name: field.name, values }));
  return (ts, slot) => {
    const point: SeriesPoint = { ts };
    for (const { name, values } of named) point[name] = orNull(values[slot]);
    return point;
  };
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
