/** Costs of a house over a period, from its amounts by part and tariff, its days and its peaks. */
import { periodsUntil, type Span } from '../../calendar/periods';
import type { Amount, HouseQuantity } from '../meters/amounts';
import type { InParts } from '../../time/pause';
import { type CostInput, type Costs, costsOf, type Priced, type TariffsOfParts } from '../prices/costs';
import type { Prices } from '../prices/prices';
import { costDaysOf } from './cost-days';
import type { FoundAmounts } from './fields-of-house';
import type { HouseParts, SplitTariffs } from './house-parts';
import { daysOfParts, type Parts, partStarts, pastEnd } from './parts';
import type { KnownQuarter } from './peak';
import type { Report } from './report';

/** Known amounts of the house. */
export interface HouseReport {
  readonly parts: Parts;
  readonly house: HouseParts;
  readonly found: FoundAmounts;
  readonly report: Report;
  readonly quarters: readonly KnownQuarter[];
}

export function* costsOfHouse(prices: Prices, period: Span, report: HouseReport): InParts<Costs> {
  return costsOf(yield* computeCostInput(prices, period, report));
}

export function* computeCostInput(prices: Prices, period: Span, report: HouseReport): InParts<CostInput> {
  const { house, parts } = report;
  const amounts = byReport.get(report) ?? (yield* collectPricedAmounts(period, report));
  byReport.set(report, amounts);
  yield;
  return { ...amounts, prices, costDays: costDaysOf(prices, house, period, pastEnd(parts)) };
}

type Amounts = Omit<CostInput, 'prices' | 'costDays'>;

/** A bill has the costs of one house by many prices. */
const byReport = new WeakMap<HouseReport, Amounts>();

function* collectPricedAmounts(period: Span, { parts, report, found, house, quarters }: HouseReport): InParts<Amounts> {
  const priced = (quantity: HouseQuantity, name: string, tariffs: TariffsOfParts | null = null): Priced | null => {
    const measured = found[quantity];
    if (measured === null) return null;
    const { isReadable, amounts, shared, gaps } = measured;
    const coverage = report.coverage[name] ?? 0;
    return { isReadable, amount: report.amountOf(name), coverage, amounts, shared, gaps, tariffs };
  };
  // A meter without tariffs has no price by tariff.
  const byTariff = (direction: 'import' | 'export'): TariffsOfParts => {
    return (first, end) => {
      const tariffs = splitByTariff(house, found, direction, first, end);
      return tariffs?.split === 'none' ? null : tariffs;
    };
  };
  const days = daysOfParts(period, parts);
  // A day and a week have no part of the price of a peak in a month.
  const isOfMonths = period.unit !== 'day' && period.unit !== 'week';
  const months = isOfMonths ? periodsUntil('month', period, pastEnd(parts)) : [];
  yield;
  return {
    starts: partStarts(parts),
    stepOf: parts.stepOf,
    import: priced('import', 'energy_import_kwh', byTariff('import')),
    export: priced('export', 'energy_export_kwh', byTariff('export')),
    gas: priced('gas', 'gas_m3'),
    water: priced('water', 'water_m3'),
    days,
    monthPeaks: months.map(({ start, end }) => {
      let amount: Amount | null = null;
      for (const [quarter, each] of quarters) {
        if (quarter >= start && quarter < end) amount = Math.max(amount ?? each, each);
      }
      return { start, end, amount };
    }),
  };
}

/** The amounts by tariff of the parts from `first` to `end` (exclusive); of all parts by default. */
export function splitByTariff(
  house: HouseParts,
  found: HouseReport['found'],
  direction: 'import' | 'export',
  first?: number,
  end?: number,
): SplitTariffs | null {
  const measured = found[direction];
  return measured === null ? null : house.tariffs(direction, measured, first, end);
}
