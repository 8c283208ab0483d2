/** The slots of a series: minutes, five minutes or hours of a day, days of a month, months of a year. */
import { hourMs, type Millis, minuteMs } from '../time/units';
import { datesOf, type Period, startOfDate } from './periods';

/** Length of a slot as an ISO 8601 duration. */
export type Step = 'PT1M' | 'PT5M' | 'PT1H' | 'P1D' | 'P1M';

const stepMs = { PT1M: minuteMs, PT5M: 300_000, PT1H: hourMs } as const;

/** Length of a slot in ms; null for days and months, whose length varies. */
export function stepLength(step: Step): number | null {
  return step === 'P1D' || step === 'P1M' ? null : stepMs[step];
}

/** The slots of one period. */
export interface Slots {
  /** Number of slots. A day has 1380, 1440 or 1500 minutes. */
  readonly count: number;
  /** First moment of each slot, Unix ms, ascending. */
  readonly starts: Float64Array;
  /** Index of the slot that contains a moment of the period. */
  readonly indexOf: (at: number) => number;
  /**
   * Number of slots that a response should have at a moment. The current minute or hour does not count: a monitor leaves it
   * out. The current day or month counts: a monitor lists it (http://developer.cemm.nl/local-open-api/).
   */
  readonly expectedBy: (now: Millis) => number;
}

/** Minutes and hours count from the first moment of the day, so both hours of a repeated hour have slots. */
export function divideIntoSlots(period: Period, step: Step): Slots {
  const length = stepLength(step);
  return length === null ? calendarSlots(period, step) : evenSlots(period, length);
}

function evenSlots(period: Period, length: number): Slots {
  const { start, end } = period;
  // Rounded up, because a day of 23.5 hours (Lord Howe Island) ends with a slot of half an hour.
  const count = Math.ceil((end - start) / length);
  const starts = new Float64Array(count);
  for (let index = 0; index < count; index += 1) starts[index] = start + index * length;
  const indexOf = (at: number): number => Math.floor((at - start) / length);
  const expectedBy = (now: Millis): number => (now >= end ? count : Math.max(0, indexOf(now)));
  return { count, starts, indexOf, expectedBy };
}

function calendarSlots(period: Period, step: Step): Slots {
  const starts = Float64Array.from(calendarStarts(period, step));
  const count = starts.length;
  const indexOf = (at: number): number => {
    let index = count - 1;
    while (index > 0 && (starts[index] ?? 0) > at) index -= 1;
    return index;
  };
  const expectedBy = (now: Millis): number => (now < period.start ? 0 : indexOf(now) + 1);
  return { count, starts, indexOf, expectedBy };
}

function calendarStarts(period: Period, step: Step): Millis[] {
  const { year, month, day } = datesOf(period);
  const starts: Millis[] = [];
  for (let index = 0; ; index += 1) {
    const start =
      step === 'P1D'
        ? startOfDate(period.timezone, year, month, day + index)
        : startOfDate(period.timezone, year, month + index, 1);
    if (start >= period.end) return starts;
    // A day that the zone skips (Pacific/Apia, 2011-12-30) starts at the same moment as the next one.
    if (start !== starts.at(-1)) starts.push(start);
  }
}
