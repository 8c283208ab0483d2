/**
 * The monitor's own sums of gas and water at the ends of a month or year. What flows while a meter is away counts for the day on
 * which it is back, so a sum can contain an earlier time, or lack its own. The minutes of the outermost days show it.
 */
import { largest } from '../../checks/extremes';
import { periodContaining, type SeriesPeriod } from '../../calendar/periods';
import { hourMs, millis, minuteMs } from '../../time/units';
import { perM3 } from '../meters/amounts';
import { hasPulses } from '../../model/meter-names';
import type { HouseMeter } from '../meters/choice';
import { type CounterReading, hasReadingAt } from '../meters/readings';
import { toSlots, type Slot } from '../meters/shape';
import type { BalanceAnswer } from './answers';
import { ownPeriods, type PlanInput, requestKey } from './plan';

export interface OwnSums {
  readonly slots: readonly Slot[];
  /** Periods whose series are needed as well; none if both ends are known. */
  readonly wanted: readonly SeriesPeriod[];
}

/** The requests for a meter so far, and its readings. */
export interface KnownOfMeter {
  /** The requests that were sent, by key. */
  readonly asked: ReadonlySet<string>;
  readonly responses: ReadonlyMap<string, BalanceAnswer>;
  /** Readings of its counter: a reading at an end shows that the meter was there. */
  readonly readings: readonly CounterReading[];
}

/** Null if the meter or the period has no such sums. Readings of past days make them unnecessary. */
export function ownSumsOf(meter: HouseMeter, plan: PlanInput, known: KnownOfMeter): OwnSums | null {
  const { name, role } = meter;
  const { period, now } = plan;
  if (plan.hasTotals || period.unit === 'day' || (role !== 'gas' && role !== 'water')) return null;
  const seriesOf: SeriesSlots = (part) => {
    const key = requestKey({ kind: 'series', meter: name, period: part });
    const shapes = known.responses.get(key)?.shapes;
    if (shapes === undefined) return known.asked.has(key) ? null : undefined;
    const shape = shapes[role];
    return shape === undefined ? [] : toSlots(shape);
  };
  const lists = ownPeriods(period).map((one) => seriesOf(one) ?? null);
  if (!lists.some((list) => list !== null)) return null;
  // The months of a range also have days before and after it. A year may have months before the monitor was there, whose days show nothing.
  const own = lists
    .flatMap((list) => list ?? [])
    .filter(({ start, end }) => start >= period.start && end <= period.end)
    .filter(({ start, amount }) => amount !== 0 || plan.knowsMonth(start));
  const isOpen = (border: number): boolean => border <= now && !hasReadingAt(known.readings, role, border);
  const check = (slots: readonly Slot[], edge: Edge): Checked =>
    isOpen(period[edge]) ? checkSums(meter, slots, edge, period.timezone, seriesOf) : { slots, wanted: null };
  const start = check(own, 'start');
  const end = check(start.slots, 'end');
  return { slots: end.slots, wanted: [start.wanted, end.wanted].flatMap((wanted) => wanted ?? []) };
}

interface Checked {
  readonly slots: readonly Slot[];
  /** The next period whose series is needed; null if the edge is known. */
  readonly wanted: SeriesPeriod | null;
}

/** The slots of a series: of the minutes of a day, or of the days of a month. Null: no response; undefined: not requested yet. */
type SeriesSlots = (period: SeriesPeriod) => readonly Slot[] | null | undefined;

type Edge = 'start' | 'end';

/** Permitted excess of a day's sum over its minutes: m³, and a share of the day. */
const permittedExcess = { amount: 0.05 * perM3, share: 0.01 } as const;
/** At the end of a period, minutes may end this much earlier, as a reading of midnight may. */
const mostBeforeEnd = { gas: hourMs, water: 5 * minuteMs } as const;

/**
 * Replaces sums at an edge of the period by the minutes of their days, as far as they do not belong to the period alone.
 * @param slots days or months, ascending
 */
function checkSums(
  { name, role }: HouseMeter,
  slots: readonly Slot[],
  edge: Edge,
  timezone: string,
  seriesOf: SeriesSlots,
): Checked {
  const outermostFirst = (list: readonly Slot[]): Slot[] => {
    return [...list].sort((a, b) => (edge === 'start' ? a.start - b.start : b.start - a.start));
  };
  let open = outermostFirst(slots);
  const found = (wanted: SeriesPeriod | null = null): Checked => {
    return { slots: [...open].sort((a, b) => a.start - b.start), wanted };
  };
  const isNothing = slots.every(({ amount }) => amount === 0);
  for (let [outer] = open; outer !== undefined; [outer] = open) {
    const day = periodContaining('day', timezone, millis(edge === 'start' ? outer.start : outer.end - 1));
    const minutes = seriesOf(day);
    if (minutes === undefined) return found(day);
    if (minutes === null) return found();
    const isDay = outer.start >= day.start && outer.end <= day.end;
    const isEmpty = minutes.length === 0;
    if (isEmpty && isNothing) return { slots: [], wanted: null };
    // An amount without any minute: the monitor no longer has the minutes of that time.
    if (isEmpty && isDay && outer.amount !== 0) return { slots, wanted: null };
    if (!isEmpty && (edge === 'start' ? isOfDay(outer, minutes) : reachesEnd(outer, minutes, { name, role }))) {
      return found();
    }
    if (isDay) {
      open = [...outermostFirst(minutes), ...open.slice(1)];
      if (!isEmpty) return found();
    } else {
      const month = periodContaining('month', timezone, millis(outer.start));
      const days = seriesOf(month);
      if (days === undefined) return found(month);
      if (days === null || days.length === 0) return found();
      open = [...outermostFirst(days), ...open.slice(1)];
    }
  }
  return found();
}

/** True if the sum has nothing of the time before. */
function isOfDay(outer: Slot, minutes: readonly Slot[]): boolean {
  if (minutes.some(({ start }) => start <= outer.start)) return true;
  const excess = minutes.reduce((sum, { amount }) => sum - amount, outer.amount);
  return excess <= permittedExcess.amount + permittedExcess.share * outer.amount;
}

/** True if the meter was there at the end. A pulse meter may send nothing while nothing flows. */
function reachesEnd(outer: Slot, minutes: readonly Slot[], { name, role }: HouseMeter): boolean {
  const last = largest(minutes.map(({ end }) => end));
  const isSilent = hasPulses(name) && minutes.every(({ amount }) => amount > 0);
  return isSilent || outer.end - last <= mostBeforeEnd[role === 'gas' ? 'gas' : 'water'];
}
