/** Bills of twenty years with gaps, beside those of the naive program: equal to the cent. */
import should from 'should';
import { balance, prices } from '../../support/balance/small-house';
import { spanOf } from '../../support/bills/calendar';
import { drawGaps, percentShown, quartersBetweenReadings, spreadCounters } from '../../support/bills/gaps';
import { buildBalanceMeters, noLosses, yearOf } from '../../support/bills/household';
import { naiveCosts, type NaiveCosts, type WrittenPrices } from '../../support/bills/naive-costs';
import { drawNumbers } from '../../support/random';
import { hourMs } from '../../../src/time/units';

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
