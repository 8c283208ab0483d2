/** The parts of a period: its steps, divided further where a price changes. */
import { getEntry } from '../meters/entries';
import { nextPeriod, periodContaining, periodsUntil, type Span } from '../../calendar/periods';
import type { BalanceStep } from '../../model/payload';
import { dayMs, hourMs, minuteMs, quarterMs } from '../../time/units';

export interface Parts {
  /** Borders between the parts, from the first moment to the last past one. */
  readonly borders: Float64Array;
  /** First moments of the steps. */
  readonly steps: readonly number[];
  /** The step of each part. */
  readonly stepOf: Int32Array;
  /** The first moment, every midnight of the zone, and the last past moment. */
  readonly days: readonly number[];
}

const lengths = { PT1M: minuteMs, PT15M: quarterMs, PT1H: hourMs } as const;

/** End of the past part of a period, in whole minutes. Not before the first moment. */
export function pastUntil({ start, end }: Span, now: number): number {
  return Math.max(start, Math.min(end, Math.floor(now / minuteMs) * minuteMs));
}

/** @param cuts moments at which a price changes */
export function divideIntoParts(period: Span, step: BalanceStep, until: number, cuts: readonly number[]): Parts {
  const startsOf = (unit: 'day' | 'month'): number[] => periodsUntil(unit, period, until).map(({ start }) => start);
  const days = [...startsOf('day'), Math.max(until, period.start)];
  const unit = step === 'P1D' ? 'day' : 'month';
  const steps = step === 'P1D' || step === 'P1M' ? startsOf(unit) : evenSteps(days, lengths[step]);
  const inside = cuts.filter((cut) => cut > period.start && cut < until);
  const borders = sortMoments([period.start, ...steps, ...inside, until]);
  const stepOf = new Int32Array(Math.max(0, borders.length - 1));
  let index = 0;
  for (let part = 0; part < stepOf.length; part += 1) {
    while ((steps[index + 1] ?? Infinity) <= getEntry(borders, part)) index += 1;
    stepOf[part] = index;
  }
  return { borders, steps: until > period.start ? steps : [], stepOf, days };
}

/** Counted from the start of each day, so the repeated hour of a long day has its own steps. */
function evenSteps(days: readonly number[], length: number): number[] {
  const steps: number[] = [];
  days.slice(0, -1).forEach((start, index) => {
    const end = getEntry(days, index + 1);
    for (let step = start; step < end; step += length) steps.push(step);
  });
  return steps;
}

/** Ascending, each moment once. A year has 35,000 quarters of an hour, for which a Set would be slow. */
export function sortMoments(moments: readonly number[]): Float64Array {
  const sorted = Float64Array.from(moments).sort();
  let count = 0;
  for (const moment of sorted) {
    if (count > 0 && sorted[count - 1] === moment) continue;
    sorted[count] = moment;
    count += 1;
  }
  return sorted.slice(0, count);
}

/** The end of the past part of the period. */
export function pastEnd({ borders }: Pick<Parts, 'borders'>): number {
  return getEntry(borders, borders.length - 1);
}

/** First moments of the parts. */
export function partStarts({ borders }: Pick<Parts, 'borders'>): number[] {
  return Array.from(borders.subarray(0, -1));
}

export interface PartOfDay {
  /** Start of the day, epoch ms. */
  readonly day: number;
  readonly ms: number;
  /** Length of the day, ms. */
  readonly of: number;
  /** Number of days of its calendar year. */
  readonly daysOfYear: number;
}

/** The days of each part, or the fraction of one: the divisors of a price per day and per year. */
export function daysOfParts(period: Span, { borders, stepOf }: Parts): PartOfDay[][] {
  let day = periodContaining('day', period.timezone, period.start);
  let year = periodContaining('year', period.timezone, period.start);
  return Array.from(stepOf, (_, part) => {
    const [start, end] = [getEntry(borders, part), getEntry(borders, part + 1)];
    const days: PartOfDay[] = [];
    for (; day.start < end; day = nextPeriod(day)) {
      if (day.start >= year.end) year = nextPeriod(year);
      days.push({
        day: day.start,
        ms: Math.min(end, day.end) - Math.max(start, day.start),
        of: day.end - day.start,
        daysOfYear: Math.round((year.end - year.start) / dayMs),
      });
      if (day.end > end) break;
    }
    return days;
  });
}
