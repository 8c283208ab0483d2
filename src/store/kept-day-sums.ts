/** The sums of days that a CEMM 3.0 sends, as it sends them: it shows 0 or nothing for what it has lost. */
import { dayMs } from '../time/units';
import { isNumbers } from './changed-slots';
import { isSomething, roundingTolerance } from './join-answers';
import { keepSlots, readSlots, type SlotForm, type SlotsName } from './kept-slots';
import type { PastDays } from './past-days';
import { isOver, isSettled } from './past-rules';

/** A day in the zone of the monitor: half-open, epoch ms. */
export interface DaySum {
  readonly start: number;
  readonly end: number;
  /** Null: the monitor has none. */
  readonly sum: number | null;
}

export interface KeptDaySum {
  readonly start: number;
  readonly end: number;
  /** None for a day without a sum, and more than one if the monitor sent different ones: a second channel or a reading decides. */
  readonly sums: readonly number[];
  /** The clock when it was read. */
  readonly readAt: number;
}

export interface DaySumsName {
  /** The MAC of the monitor, else `cemm-<number>`, else `inst-<hash>`. */
  readonly house: string;
  /** `<meter>:<channel>` */
  readonly channel: string;
}

/**
 * Keeps the days that were over. A number other than 0 wins over 0 and over nothing, whichever came first; a sum that was read less
 * than 48 hours after its day gives way to a later one.
 * @param asOf the earlier one of both clocks, epoch ms
 */
export function keepDaySums(past: PastDays, name: DaySumsName, days: readonly DaySum[], asOf: number): Promise<void> {
  const over = days.filter(({ start, end }) => end - start < 2 * dayMs && isOver({ unit: 'day', end }, asOf));
  const slots = over.map(({ start, end, sum }) => ({ start, end, value: sum === null ? [] : [sum], readAt: asOf }));
  return keepSlots(past, nameSums(name), sumForm, slots);
}

/** The kept days that overlap a time, ascending. */
export async function readDaySums(
  past: PastDays,
  name: DaySumsName,
  span: { readonly from: number; readonly until: number },
): Promise<KeptDaySum[]> {
  const found = await readSlots(past, nameSums(name), sumForm, span);
  return found.map(({ value, ...slot }) => ({ ...slot, sums: value }));
}

type Sums = readonly number[];

const sumForm: SlotForm<Sums> = {
  read: (value) => (isNumbers(value) ? value : undefined),
  join: (one, other) => {
    const [earlier, later] = one.readAt <= other.readAt ? [one, other] : [other, one];
    const [before, after] = [earlier.value.filter(isSomething), later.value.filter(isSomething)];
    if (after.length === 0)
      return before.length > 0 || later.value.length === 0 ? { ...earlier, readAt: later.readAt } : later;
    const isSameDay = one.start === other.start && one.end === other.end;
    // Another day in the zone, or a sum that still grew.
    if (before.length === 0 || !isSameDay || !isSettled(earlier.end, earlier.readAt)) return later;
    const others = after.filter((sum) => before.every((known) => Math.abs(known - sum) > roundingTolerance));
    return { ...later, value: [...before, ...others] };
  },
};

function nameSums({ house, channel }: DaySumsName): SlotsName {
  return { house, name: `public sums ${channel}` };
}
