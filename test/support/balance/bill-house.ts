/** A house that knows its import and export of every quarter, and its bills. */
import { billOf, type BillQuestion } from '../../../src/balance/bill/bill';
import { perKwh } from '../../../src/balance/meters/amounts';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { CounterReading } from '../../../src/balance/meters/readings';
import { toShape } from '../../../src/balance/meters/shape';
import type { ReadHouse } from '../../../src/balance/period/period-balance';
import { dayRange, type DayRange, periodsBetween } from '../../../src/calendar/periods';
import type { BalancePayload } from '../../../src/model/payload';
import { quarterMs, millis } from '../../../src/time/units';
import { meter, prices, reading, SOURCE, zone } from './small-house';

/** Whole Wh. */
export interface QuarterOfHouse {
  readonly start: number;
  readonly taken: number;
  readonly given: number;
  readonly isLow: boolean;
}

export function daysFrom(first: string, last: string): DayRange {
  return dayRange(zone, millis(Date.parse(`${first}T10:00:00Z`)), millis(Date.parse(`${last}T10:00:00Z`)));
}

export function quartersOf(
  { start, end }: DayRange,
  flow: (start: number) => Omit<QuarterOfHouse, 'start'>,
): QuarterOfHouse[] {
  return Array.from({ length: (end - start) / quarterMs }, (_, index) => {
    const from = start + index * quarterMs;
    return { start: from, ...flow(from) };
  });
}

export interface MeterPlan {
  /** Of the smart meter's counters; default both. */
  readonly hasTariffs?: boolean;
  readonly hasCounters?: boolean;
  /** Quarters without minutes. */
  readonly isLost?: (start: number) => boolean;
}

/** The smart meter: quarters instead of minutes, and its counters at midnight. */
export function smartMeter(
  quarters: readonly QuarterOfHouse[],
  range: DayRange,
  { hasTariffs = true, hasCounters = true, isLost = () => false }: MeterPlan = {},
): BalanceMeter {
  const midnights = [
    ...periodsBetween('day', zone, range.start, millis(range.end - 1)).map(({ start }) => start),
    range.end,
  ];
  const sums = { import_t1: 0, import_t2: 0, export_t1: 0, export_t2: 0 };
  const readings: CounterReading[] = [];
  let index = 0;
  for (const midnight of midnights) {
    for (let quarter = quarters[index]; quarter !== undefined && quarter.start < midnight; quarter = quarters[index]) {
      sums[quarter.isLow ? 'import_t1' : 'import_t2'] += quarter.taken;
      sums[quarter.isLow ? 'export_t1' : 'export_t2'] += quarter.given;
      index += 1;
    }
    if (!hasCounters) continue;
    readings.push(reading('import', midnight, (sums.import_t1 + sums.import_t2) / 1000));
    readings.push(reading('export', midnight, (sums.export_t1 + sums.export_t2) / 1000));
    if (!hasTariffs) continue;
    for (const counter of ['import_t1', 'import_t2', 'export_t1', 'export_t2'] as const) {
      readings.push(reading(counter, midnight, sums[counter] / 1000));
    }
  }
  const shape = (of: 'taken' | 'given') =>
    toShape(
      quarters.flatMap((quarter) => {
        if (isLost(quarter.start)) return [];
        const amount = (quarter[of] * perKwh) / 1000;
        return [{ start: quarter.start, end: quarter.start + quarterMs, amount, known: quarterMs }];
      }),
    );
  return meter('p1', 'grid', { readings, shapes: { import: shape('taken'), export: shape('given') } });
}

export function billOfMeters(
  period: DayRange,
  meters: readonly BalanceMeter[],
  asked: { readonly prices: readonly unknown[]; readonly batteries?: readonly number[] },
  more: Partial<ReadHouse> = {},
): Promise<BalancePayload> {
  const given = (index: number) => {
    const one = asked.prices[index] ?? null;
    return one === null ? null : prices(one);
  };
  const question: BillQuestion = { prices: [given(0), given(1)], batteriesKwh: asked.batteries ?? [] };
  const house: ReadHouse = {
    monitor: { id: '001122aabbcc' },
    period,
    meters,
    slots: 'minutes',
    source: SOURCE,
    now: period.end + 7_200_000,
    ...more,
  };
  return billOf(house, question);
}
