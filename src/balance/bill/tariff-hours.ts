/**
 * The hours of the two tariffs. No interface has them, but the counters by tariff of each day show them: one tariff has some hours
 * of working days, the other one the rest, such as 7:00 to 23:00 in the Netherlands.
 */
import { toLocalTime } from '../../calendar/zone';
import type { InParts } from '../../time/pause';
import { hourMs, millis } from '../../time/units';
import type { Amount } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import type { PlacedMeter } from '../meters/placed-meters';
import type { Counter } from '../meters/readings';
import { findStretches } from '../period/allocate';
import { sumCommonTimes } from '../period/peak';
import { type GridSlots, findClockHour } from './grid-slots';

export type Tariff = 't1' | 't2';

const hoursOfDay = 24;
/** Largest share of the energy that the found hours may give to the wrong tariff. */
const mostDifference = 0.02;
/** A day has one tariff if the other one has at most this share of it. */
const mostOfOther = 0.01;

interface Day {
  readonly start: number;
  /** By the counters: amounts of import and export per tariff. */
  readonly counted: Readonly<Record<Tariff, readonly [taken: Amount, given: Amount]>>;
  /** Sums of the slots up to an hour of the clock, 0 to 24. */
  readonly taken: Float64Array;
  readonly given: Float64Array;
}

interface Hours {
  readonly from: number;
  readonly to: number;
  /** The tariff between them; the other one has the rest. */
  readonly inside: Tariff;
}

/** The tariff of each slot; null if counters and slots do not show it. */
export function* tariffsOfSlots(
  placed: readonly PlacedMeter[],
  grid: GridSlots,
  timezone: string,
): InParts<readonly Tariff[] | null> {
  const days = yield* listCountedDays(placed, grid, timezone);
  if (days.length === 0) return null;
  const all = days.reduce((sum, day) => sum + getEntry(day.taken, hoursOfDay) + getEntry(day.given, hoursOfDay), 0);
  let best: { readonly hours: Hours; readonly difference: number } | null = null;
  for (const [index, one] of candidates.entries()) {
    const difference = days.reduce((sum, day) => sum + computeMisplaced(day, one), 0);
    if (best === null || difference < best.difference) best = { hours: one, difference };
    if (index % candidatesAtOnce === 0) yield;
  }
  if (best === null || best.difference > mostDifference * all) return null;
  const { hours } = best;
  const isWhole = new Map(days.map((day) => [day.start, isOfOneTariff(day, otherThan(hours.inside))]));
  const weekdays = usualWeekdays(isWhole, timezone);
  let index = 0;
  const tariffs: Tariff[] = [];
  for (const { start: moment } of grid.slots) {
    const { days: starts } = grid;
    while ((starts[index + 1] ?? Infinity) <= moment) index += 1;
    const start = starts[index] ?? moment;
    const isOther = isWhole.get(start) ?? weekdays.has(weekdayOf(start, timezone));
    const hour = clockHourOf(findClockHour(moment, start), timezone);
    tariffs.push(!isOther && hour >= hours.from && hour < hours.to ? hours.inside : otherThan(hours.inside));
    if (tariffs.length % slotsAtOnce === 0) yield;
  }
  return tariffs;
}

/** More of them are computed with a pause. */
const [candidatesAtOnce, daysAtOnce, slotsAtOnce] = [50, 30, 2000];

const candidates: readonly Hours[] = (['t1', 't2'] as const).flatMap((inside) =>
  Array.from({ length: hoursOfDay }, (_, from) =>
    Array.from({ length: hoursOfDay - from }, (__, length): Hours => ({ from, to: from + length + 1, inside })),
  ).flat(),
);

function otherThan(tariff: Tariff): Tariff {
  return tariff === 't1' ? 't2' : 't1';
}

/** Energy of a day that the hours give to the wrong tariff. */
function computeMisplaced(day: Day, { from, to, inside }: Hours): number {
  const { counted, taken, given } = day;
  if (isOfOneTariff(day, otherThan(inside))) return 0;
  const [countedTaken, countedGiven] = counted[inside];
  const [inTaken, inGiven] = [getEntry(taken, to) - getEntry(taken, from), getEntry(given, to) - getEntry(given, from)];
  return Math.abs(inTaken - countedTaken) + Math.abs(inGiven - countedGiven);
}

function isOfOneTariff({ counted }: Day, tariff: Tariff): boolean {
  const addBoth = ([taken, given]: readonly [Amount, Amount]): Amount => taken + given;
  const [own, other] = [addBoth(counted[tariff]), addBoth(counted[otherThan(tariff)])];
  return other <= mostOfOther * (own + other);
}

/** The weekdays that have one tariff, for days whose counters are unknown. */
function usualWeekdays(isWhole: ReadonlyMap<number, boolean>, timezone: string): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const [start, whole] of isWhole) {
    const weekday = weekdayOf(start, timezone);
    counts.set(weekday, (counts.get(weekday) ?? 0) + (whole ? 1 : -1));
  }
  return new Set([...counts].flatMap(([weekday, count]) => (count > 0 ? [weekday] : [])));
}

/** The days with counters of both tariffs at both ends. */
function* listCountedDays(
  placed: readonly PlacedMeter[],
  { days: starts, slots }: GridSlots,
  timezone: string,
): InParts<Day[]> {
  const counted = new Map<Counter, ReadonlyMap<string, Amount>>(
    counters.map((counter) => [counter, byDay(placed, counter)]),
  );
  yield;
  let index = 0;
  const days: Day[] = [];
  for (const [place, start] of starts.slice(0, -1).entries()) {
    if (place % daysAtOnce === daysAtOnce - 1) yield;
    const end = starts[place + 1] ?? start;
    const [taken, given] = [new Float64Array(hoursOfDay + 1), new Float64Array(hoursOfDay + 1)];
    for (let slot = slots[index]; slot !== undefined && slot.start < end; slot = slots[index]) {
      const hour = clockHourOf(findClockHour(slot.start, start), timezone);
      for (let after = hour + 1; after <= hoursOfDay; after += 1) {
        taken[after] = getEntry(taken, after) + slot.taken;
        given[after] = getEntry(given, after) + slot.given;
      }
      index += 1;
    }
    const amountOf = (counter: Counter): Amount | null => counted.get(counter)?.get(timeKey(start, end)) ?? null;
    const [t1, t2] = [amountOf('import_t1'), amountOf('import_t2')];
    if (t1 === null || t2 === null) continue;
    const [back1, back2] = [amountOf('export_t1') ?? 0, amountOf('export_t2') ?? 0];
    days.push({ start, counted: { t1: [t1, back1], t2: [t2, back2] }, taken, given });
  }
  return days;
}

const counters = ['import_t1', 'import_t2', 'export_t1', 'export_t2'] as const satisfies readonly Counter[];

function timeKey(from: number, to: number): string {
  return `${from} ${to}`;
}

/** Start and end of a time → amount of all grid meters; without times that one of them does not have. */
function byDay(meters: readonly PlacedMeter[], counter: Counter): ReadonlyMap<string, Amount> {
  const grid = meters.filter(({ meter }) => meter.role === 'grid');
  const lists = grid.map(({ placed, breaks }) => {
    const stretches = findStretches(placed.get(counter) ?? [], breaks.electricity, counter);
    return new Map(stretches.map(({ from, to, amount }) => [timeKey(from, to), amount]));
  });
  return new Map(sumCommonTimes(lists));
}

function clockHourOf(moment: number, timezone: string): number {
  return new Date(toLocalTime(timezone, millis(moment))).getUTCHours();
}

/** 0 is Sunday. */
function weekdayOf(dayStart: number, timezone: string): number {
  return new Date(toLocalTime(timezone, millis(dayStart + (hoursOfDay * hourMs) / 2))).getUTCDay();
}
