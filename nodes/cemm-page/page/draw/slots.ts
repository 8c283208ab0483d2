/** The slots of a period, also those that have not begun, with their names. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Formats } from './numbers';

type Point = NonNullable<BalancePayload['points']>[number];

export interface Slot {
  /** Start of the slot, epoch ms. */
  readonly ts: number;
  readonly end: number;
  /** Below the chart; blank for most slots. */
  readonly name: string;
  /** In the table and for the pointer. */
  readonly fullName: string;
  readonly isMajor: boolean;
  readonly point: Point | null;
}

/** A month is a twelfth of a mean year. */
const stepMs = { PT1M: 60_000, PT15M: 900_000, PT1H: 3_600_000, P1D: 86_400_000, P1M: 2_629_746_000 };

/** Empty for the current balance. */
export function placeSlots(balance: BalancePayload, formats: Formats): Slot[] {
  const { period, points = [] } = balance;
  if (period === undefined) return [];
  const { start, end, unit, step } = period;
  const named = names(step, unit === 'week', formats);
  // A clock change moves a day, and its length a month, by less than half a slot.
  const count = Math.round((end - start) / stepMs[step]);
  const length = (end - start) / count;
  const placed = new Map(points.map((point) => [Math.round((point.ts - start) / length), point]));
  const startOf = (index: number): number =>
    index === count ? end : (placed.get(index)?.ts ?? start + index * length);
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [startOf(index), startOf(index + 1)];
    return { ts: from, end: to, ...named(from, to), point: placed.get(index) ?? null };
  });
}

/** The slots of another period, in the order of those of a balance; on a day on which the clock is changed, by the time of day. */
export function placeBeside(
  balance: BalancePayload,
  other: BalancePayload,
  formats: Formats,
): readonly (Slot | undefined)[] {
  const [slots, others] = [placeSlots(balance, formats), placeSlots(other, formats)];
  if (balance.period?.unit !== 'day' || slots.length === others.length) return others;
  return slots.map((slot) => others.find(({ ts }) => formats.timeOfDay(ts) === formats.timeOfDay(slot.ts)));
}

interface Names {
  readonly name: string;
  readonly fullName: string;
  readonly isMajor: boolean;
}

function names(
  step: NonNullable<BalancePayload['period']>['step'],
  isWeek: boolean,
  formats: Formats,
): (ts: number, end: number) => Names {
  switch (step) {
    case 'P1M':
      // A summer time that begins or ends never moves the middle of a month into another one.
      return (ts, end) => ({
        name: formats.date((ts + end) / 2, { month: 'short' }),
        fullName: formats.date((ts + end) / 2, { month: 'long', year: 'numeric' }),
        isMajor: new Date((ts + end) / 2).getUTCMonth() % 2 === 0,
      });
    case 'P1D':
      return (ts, end) => {
        const date = formats.date((ts + end) / 2, { day: 'numeric' });
        const weekday = formats.date((ts + end) / 2, { weekday: 'short' }).replace(/\.$/, '');
        return {
          name: isWeek ? weekday : /^(1|5|10|15|20|25|30)\D*$/.test(date) ? date : '',
          fullName: formats.date((ts + end) / 2, { weekday: 'short', day: 'numeric', month: 'short' }),
          isMajor: true,
        };
      };
    case 'PT1M':
    case 'PT15M':
    case 'PT1H':
      return (ts, end) => {
        const name = formats.clock(ts);
        const isMark = /^(00|03|06|09|12|15|18|21):00$/.test(name);
        return {
          name: isMark ? name : '',
          fullName: `${name}–${formats.clock(end)}`,
          isMajor: /^(00|06|12|18)/.test(name),
        };
      };
  }
}
