/** The expected cost of the year of a contract, at the prices of the dates of that year. */
import { dayRange, monthsOf } from '../../calendar/periods';
import { fromLocalTime, type LocalTime, toLocalTime } from '../../calendar/zone';
import type { BalanceExpected, BalanceMissing } from '../../model/payload';
import type { InParts } from '../../time/pause';
import { millis } from '../../time/units';
import type { Amount } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import { computeCostInput } from '../period/house-costs';
import { daysOfParts, divideIntoParts, partStarts } from '../period/parts';
import { type MeasuredHouse, measureHouse, type ReadHouse } from '../period/period-balance';
import { costParts, listItems } from '../prices/costs';
import { dueSums } from '../prices/due';
import { type Sum, addExactSums, sumOfKnown, toNumber } from '../prices/exact';
import { fixedOfParts, type MonthPeak, peakCost } from '../prices/fixed-costs';
import { leastShare } from '../prices/known-days';
import { hasPeakPrice, isHourlyList, priceBorders } from '../prices/prices';
import { type ContractYear, daysOfYear, type YearDay } from './contract-year';
import { reorderParts, type Placed } from './parts-in-order';

/** Fewer known days say too little about a year. */
const leastDays = 300;

/** The year of a contract, and the house in its measured days; null: it cannot be read. */
export interface ReadYear {
  readonly year: ContractYear;
  readonly house: ReadHouse | null;
}

interface Expectation {
  readonly expected: BalanceExpected | null;
  readonly missing: Readonly<Record<string, BalanceMissing>>;
}

/** Why a year has no expectation, whatever its energy is; null: it may have one. */
export function reasonAgainst({ contract: { prices }, start, end }: ContractYear): BalanceMissing | null {
  const { import: taken, export: given, exportFee, gas, water } = prices;
  if (taken === null) return 'no_price';
  return [taken, given, exportFee, gas, water].some((price) => isHourlyList(price, start, end)) ? 'hourly_price' : null;
}

export function* computeExpected({ year, house }: ReadYear): InParts<Expectation> {
  const reason = reasonAgainst(year) ?? (house === null ? 'not_readable' : null);
  if (reason !== null || house === null) return unknown(reason ?? 'not_readable');
  const { prices, netted } = year.contract;
  const days = daysOfYear(year);
  const measured = yield* measureHouse(house, 'P1D', measuredMoments(year, days));
  const base = yield* computeCostInput(prices, house.period, measured);
  const { known } = base.costDays;
  const knownDays = days.filter(({ start }) => known.has(start));
  if (knownDays.length < leastDays || isHalfMeasured(measured, known.size)) return unknown('too_few_days');
  const input = reorderParts(base, placedParts(days, base.starts, year.timezone));
  yield;
  const energyOnly = { ...input, prices: { ...prices, fixed: [] } };
  const calculated = yield* costParts(energyOnly);
  const items = listItems(calculated.items);
  const counted = items.filter(({ isLeftOut }) => !isLeftOut);
  const isUnpriced = counted.some(({ costs }) => costs.total === null || costs.share < leastShare);
  const sells = prices.export === null && (input.export?.amount ?? 0) > 0;
  if (isUnpriced || sells || input.import === null) return unknown('no_price');
  const fixed = yield* fixedOfYear(year);
  const peak = hasPeakPrice(prices) ? peakCost(prices.fixed, monthPeaks(year, days, measured)) : 0n;
  if (peak === null) return unknown('not_measured');
  const energy = yield* dueSums(energyOnly, calculated, netted);
  // Days that are not known cost as much as the others.
  const ofYear = (sum: Sum | null): number | null => {
    const whole = sum === null ? null : (sum * BigInt(days.length)) / BigInt(knownDays.length);
    return toNumber(addExactSums([whole, fixed, peak]));
  };
  const leftOut = items.filter(({ isLeftOut }) => isLeftOut);
  return {
    expected: {
      total: ofYear(energy.total),
      due: ofYear(energy.due),
      based_on: {
        days_this_year: knownDays.filter(({ isOver }) => isOver).length,
        days_last_year: knownDays.filter(({ isOver }) => !isOver).length,
      },
    },
    missing: {
      ...Object.fromEntries(
        leftOut.map(({ field }): [string, BalanceMissing] => [field.replace('cost_', 'expected.'), 'not_measured']),
      ),
      ...(energy.missing !== null && { 'expected.due': energy.missing }),
    },
  };
}

function unknown(reason: BalanceMissing): Expectation {
  return { expected: null, missing: { expected: reason } };
}

/** True if the known days are known in part only. */
function isHalfMeasured({ report, parts }: MeasuredHouse, knownDays: number): boolean {
  const share = Math.min(
    report.coverage['energy_import_kwh'] ?? 0,
    report.coverage['energy_export_kwh'] ?? (report.values['energy_export_kwh'] === undefined ? 1 : 0),
  );
  return share * (parts.days.length - 1) < leastShare * knownDays;
}

/** The moments of the measured days at which a price changes on the dates that they count for. */
function measuredMoments({ contract, start, end, timezone }: ContractYear, days: readonly YearDay[]): number[] {
  const borders = [...new Set(priceBorders(contract.prices, start, end))].sort((a, b) => a - b);
  let index = 0;
  return borders.map((border) => {
    while ((days[index + 1]?.date ?? Infinity) <= border) index += 1;
    const day = days[index];
    return day === undefined || day.isOver ? border : moved(border, day.date, day.start, timezone);
  });
}

/** The parts of each date, with the moment of the date. A day that counts for two dates is there twice. */
function placedParts(days: readonly YearDay[], starts: readonly number[], timezone: string): Placed[] {
  const firstAt = new Map(starts.map((start, part) => [start, part]));
  return days.flatMap(({ date, start, end, isOver }) => {
    const placed: Placed[] = [];
    for (let part = firstAt.get(start) ?? starts.length; (starts[part] ?? end) < end; part += 1) {
      const begins = starts[part] ?? end;
      placed.push({ part, start: isOver ? begins : moved(begins, start, date, timezone) });
    }
    return placed;
  });
}

/** The same time of the clock on another day. */
function moved(moment: number, from: number, to: number, timezone: string): number {
  const local = (at: number): number => toLocalTime(timezone, millis(at));
  return fromLocalTime(timezone, (local(to) + local(moment) - local(from)) as LocalTime);
}

/** Amounts per day and per year are those of the calendar. */
function* fixedOfYear({ contract, timezone, start, end }: ContractYear): InParts<Sum> {
  const period = dayRange(timezone, start, millis(end - 1));
  const parts = divideIntoParts(period, 'P1D', end, []);
  const days = daysOfParts(period, parts);
  const fixed = yield* fixedOfParts(contract.prices.fixed, partStarts(parts), days, () => true);
  return sumOfKnown(fixed) ?? 0n;
}

/** The months that begin in the year, each with the highest quarter of the days that count for it. */
function monthPeaks({ timezone, start, end }: ContractYear, days: readonly YearDay[], house: MeasuredHouse) {
  const highest = new Map<number, Amount>();
  const dayStarts = house.parts.days;
  let index = 0;
  for (const [quarter, amount] of [...house.quarters].sort(([a], [b]) => a - b)) {
    while ((dayStarts[index + 1] ?? Infinity) <= quarter) index += 1;
    const day = getEntry(dayStarts, index);
    highest.set(day, Math.max(highest.get(day) ?? amount, amount));
  }
  return monthsOf(dayRange(timezone, start, millis(end - 1)))
    .filter((month) => month.start >= start)
    .map((month): MonthPeak => {
      const amounts = days.flatMap((day) =>
        day.date >= month.start && day.date < month.end ? (highest.get(day.start) ?? []) : [],
      );
      const amount = amounts.reduce<Amount | null>((most, each) => Math.max(most ?? each, each), null);
      return { start: month.start, end: month.end, amount };
    });
}
