/** Bills of twenty years with gaps, beside those of the naive program, which knows docs/balance.md and no code of src: equal to the cent. */
import should from 'should';
import { balance, prices } from '../../support/balance/small-house';
import { spanOf, midnights, quarterMs } from '../../support/bills/calendar';
import {
  buildBalanceMeters,
  noLosses,
  yearOf,
  type Household,
  type Losses,
  type Quarter,
} from '../../support/bills/household';
import { naiveCosts, type NaiveCosts, type WrittenPrices } from '../../support/bills/naive-costs';
import { drawNumbers } from '../../support/random';
import { hourMs } from '../../../src/time/units';
import type { Span } from '../../support/bills/naive-due';

/** Sometimes the monitor's memory lacks a day, more often an hour; some midnights have no reading. */
function drawGaps(draw: () => number, [from, to]: Span): Losses {
  const days = midnights(from, to);
  const unread = new Set(days.filter(() => draw() < 0.05));
  // Of the last days, the minutes alone.
  if (draw() < 0.4) for (const last of days.slice(-3)) unread.add(last);
  const lost = new Set<number>();
  days.forEach((day, index) => {
    const isLost = draw() < 0.03;
    for (let hour = day; hour < (days[index + 1] ?? day); hour += hourMs) if (isLost || draw() < 0.01) lost.add(hour);
  });
  return { quarter: (at) => lost.has(at - (at % hourMs)), midnight: (at) => unread.has(at), percentShown };
}

/** Not the same in each quarter. */
function percentShown(start: number): number {
  return 94 + ((start / quarterMs) % 5);
}

/** The quarters between the first and the last reading. */
function quartersBetweenReadings({ quarters }: Household, lost: Losses, period: Span): Quarter[] {
  const read = midnights(...period).filter((at) => !lost.midnight(at));
  return quarters.filter(({ start }) => start >= (read[0] ?? Infinity) && start < (read.at(-1) ?? -Infinity));
}

/**
 * The known quarters of a period. Between two readings the counters take precedence: what the minutes lack flowed evenly in the
 * lost quarters, or else in proportion to the minutes.
 */
function spreadCounters({ quarters, counters }: Household, lost: Losses, [from, to]: Span): Quarter[] {
  const borders = [from, ...midnights(from, to).filter((at) => !lost.midnight(at)), to];
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? end;
    const all = quarters.slice((start - from) / quarterMs, (end - from) / quarterMs);
    const shown = all.map((quarter): Quarter | null => {
      if (lost.quarter(quarter.start)) return null;
      const share = (lost.percentShown?.(quarter.start) ?? 100) / 100;
      return { ...quarter, import: quarter.import * share, export: quarter.export * share };
    });
    if (lost.midnight(start) || lost.midnight(end)) return shown.filter((quarter) => quarter !== null);
    const missing = shown.filter((quarter) => quarter === null).length;
    const fill = (flow: 'import' | 'export') => {
      const counted = (counters.get(end)?.[flow] ?? NaN) - (counters.get(start)?.[flow] ?? NaN);
      const sum = shown.reduce((total, quarter) => total + (quarter?.[flow] ?? 0), 0);
      return { each: (counted - sum) / missing, factor: missing > 0 || sum === 0 ? 1 : counted / sum };
    };
    const [taken, given] = [fill('import'), fill('export')];
    return all.map((quarter, place): Quarter => {
      const known = shown[place] ?? null;
      if (known === null) return { ...quarter, isShared: missing > 4, import: taken.each, export: given.each };
      return { ...quarter, import: known.import * taken.factor, export: known.export * given.factor };
    });
  });
}

/** Every tenth hour is negative, and in years with gaps every hundredth is unknown. */
function hourlyPrices(year: number, factor: number): { start: number; end: number; value: number }[] {
  const draw = drawNumbers(year + factor * 1000);
  const [from, to] = spanOf(String(year));
  return Array.from({ length: (to - from) / hourMs }, (_, hour) => {
    const start = from + hour * hourMs;
    return { start, end: start + hourMs, value: Number(((draw() * 0.4 - 0.04) * factor).toFixed(5)) };
  }).filter(() => year % 2 === 1 || draw() >= 0.01);
}

function inventYear(year: number) {
  const period = spanOf(String(year));
  const household = yearOf(year, 4);
  const losses = year % 2 === 1 ? { ...noLosses, percentShown } : drawGaps(drawNumbers(year), period);
  const quarters = spreadCounters(household, losses, period);
  return {
    label: String(year),
    period,
    quarters,
    /** The registers by tariff tell nothing of the time before the first reading and after the last one. */
    byTariff: quartersBetweenReadings(household, losses, period),
    meters: buildBalanceMeters(household, period, true, losses),
  };
}

type Year = ReturnType<typeof inventYear>;

function computeNaive({ quarters, byTariff, period }: Year, written: WrittenPrices): NaiveCosts {
  if (written.import !== tariffs.import) return naiveCosts({ quarters }, written, period);
  if (byTariff.length === quarters.length) return naiveCosts({ quarters: byTariff }, written, period);
  return { ...naiveCosts({ quarters }, fixed, period), total: null, coverage: 0 };
}

const fixed = { currency: 'EUR', per_day: 1.0437 };

const tariffs = { import: { t1: 0.2249, t2: 0.25713 }, export: { t1: 0.061, t2: 0.0834 } };
const kinds: Readonly<Record<string, (year: number) => Pick<WrittenPrices, 'import' | 'export'>>> = {
  'at a fixed price': () => ({ import: 0.23871, export: 0.0515 }),
  'by two tariffs': () => tariffs,
  'by the hour, with negative hours': (year) => ({ import: hourlyPrices(year, 1), export: hourlyPrices(year, 0.9) }),
  'by the hour, with a fixed price for export': (year) => ({ import: hourlyPrices(year, 1), export: 0.0123 }),
};

describe('the bill of a year', function () {
  this.timeout(120_000);

  for (const year of Array.from({ length: 20 }, (_, index) => 2012 + index)) {
    it(`is that of a naive program to the cent in ${year}, netted and not, with gaps`, () => {
      const invented = inventYear(year);
      for (const [kind, energy] of Object.entries(kinds)) {
        const written = { ...fixed, ...energy(year) };
        const naive = computeNaive(invented, written);
        const { cost } = balance(invented.label, invented.meters, { prices: prices(written) });
        for (const part of ['import', 'export', 'fixed', 'total', 'netted'] as const) {
          const [ours, wanted] = [cost?.[part] ?? null, naive[part]];
          if (wanted === null || ours === null) should(ours).equal(wanted, `${part} ${kind}`);
          else ours.should.be.approximately(wanted, 1e-6, `${part} ${kind}`);
        }
        should(cost?.coverage).be.approximately(naive.coverage, 1e-9, `coverage ${kind}`);
      }
    });
  }
});
