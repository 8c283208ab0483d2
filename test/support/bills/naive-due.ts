/** What is paid by a contract, from its description: electricity is netted in its own times, each of which is a period of its own. */
import { localTime, spanOf } from './calendar';
import type { Household } from './household';
import { naiveCosts, type WrittenPrices } from './naive-costs';

/** Half-open. */
export type Span = readonly [from: number, to: number];

/** Prices and when they are valid. */
export interface Term {
  readonly span: Span;
  readonly prices: WrittenPrices;
  /** When export is netted; null: never. */
  readonly netted: Span | null;
}

export interface NaiveBill {
  /** Without netting. */
  readonly total: number;
  readonly due: number;
  readonly months: readonly { readonly total: number; readonly due: number }[];
}

function overlap([a, b]: Span, [from, to]: Span): Span | null {
  const [start, end] = [Math.max(a, from), Math.min(b, to)];
  return start < end ? [start, end] : null;
}

/** Electricity, the capacity tariff, and all the rest. */
function divide({
  currency,
  import: taken,
  export: given,
  peak,
  ...rest
}: WrittenPrices): Record<'electricity' | 'peak' | 'rest', WrittenPrices> {
  const priced = (prices: object): WrittenPrices => ({ currency, ...prices });
  return {
    electricity: priced({
      ...(taken !== undefined && { import: taken }),
      ...(given !== undefined && { export: given }),
    }),
    peak: priced(peak === undefined ? {} : { peak }),
    rest: priced(rest),
  };
}

/** Names that are no price. */
const marks = ['currency', 'netting', 'example'];

function costsIn(household: Household, prices: WrittenPrices, span: Span): number {
  if (Object.keys(prices).every((name) => marks.includes(name))) return 0;
  return known(naiveCosts(household, prices, span).total);
}

function monthLabel(moment: number): string {
  const { year, month } = localTime(moment);
  return `${year}-${String(month).padStart(2, '0')}`;
}

function known(value: number | null): number {
  if (value === null) throw new Error('the prices do not cover this time');
  return value;
}

/**
 * @param months first moments of the months of the period, the first one at its start
 */
export function naiveBill(
  household: Household,
  terms: readonly Term[],
  period: Span,
  months: readonly number[],
): NaiveBill {
  const within = (span: Span) =>
    terms.flatMap((term) => {
      const inside = overlap(term.span, span);
      return inside === null ? [] : [{ ...divide(term.prices), ...term, inside }];
    });
  const totalIn = (span: Span): number => {
    let sum = 0;
    for (const { electricity, peak, rest, inside } of within(span)) {
      // A month costs its peak, however few of its days are in the period.
      const month = spanOf(monthLabel(inside[0]));
      sum +=
        costsIn(household, electricity, inside) + costsIn(household, rest, inside) + costsIn(household, peak, month);
    }
    return sum;
  };
  const netting = (span: Span): number => {
    let change = 0;
    for (const { electricity, inside, netted } of within(span)) {
      const time = netted === null ? null : overlap(netted, inside);
      if (time === null) continue;
      const { total, netted: paid } = naiveCosts(household, electricity, time);
      if (paid !== null) change += paid - known(total);
    }
    return change;
  };
  const [from, to] = period;
  const ends = months.map((_, index) => months[index + 1] ?? to);
  let before = 0;
  const each = ends.map((end, index) => {
    const total = totalIn([months[index] ?? from, end]);
    const changed = netting([from, end]);
    const due = total + changed - before;
    before = changed;
    return { total, due };
  });
  const total = each.reduce((sum, month) => sum + month.total, 0);
  return { total, due: total + before, months: each };
}
