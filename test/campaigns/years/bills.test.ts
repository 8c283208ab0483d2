/** Bills of twenty years, computed by src/balance and by a slow, independent program (naive-bill.ts): equal to the cent. */
import should from 'should';
import { toShape } from '../../../src/balance/meters/shape';
import { balance, meter, prices, reading } from '../../support/balance/small-house';
import { naiveBill, type Direction, type NaivePrices } from '../../support/balance/naive-bill';
import { createRandomYear, random } from '../../support/balance/random-year';

const hourMs = 3_600_000;

/** Every tenth hour is negative, and in years with gaps every hundredth is unknown. */
function hourlyPrices(year: number, count: number, factor: number): (string | null)[] {
  const draw = random(year + factor * 1000);
  return Array.from({ length: count }, () => {
    const price = (draw() * 0.4 - 0.04) * factor;
    return year % 2 === 0 && draw() < 0.01 ? null : price.toFixed(5);
  });
}

describe('the bill of a year', function () {
  this.timeout(120_000);

  const years = Array.from({ length: 20 }, (_, index) => 2012 + index);
  const houses = new Map(years.map((year) => [year, createRandomYear(year)]));
  const kinds: Readonly<Record<string, (year: number, hours: number) => readonly [NaivePrices, NaivePrices]>> = {
    'at a fixed price': () => [{ fixed: '0.23871' }, { fixed: '0.0515' }],
    'by two tariffs': () => [{ tariffs: ['0.2249', '0.25713'] }, { tariffs: ['0.061', '0.0834'] }],
    'by the hour, with negative hours': (year, hours) => [
      { hourly: hourlyPrices(year, hours, 1) },
      { hourly: hourlyPrices(year, hours, 0.9) },
    ],
    'by the hour, with a fixed price for export': (year, hours) => [
      { hourly: hourlyPrices(year, hours, 1) },
      { fixed: '0.0123' },
    ],
  };

  for (const [kind, pricesOf] of Object.entries(kinds)) {
    it(`is that of a naive program to the cent in twenty years ${kind}, netted and not, with gaps`, () => {
      for (const year of years) {
        const { start, days, lengths, taken, given } = houses.get(year) ?? createRandomYear(year);
        const count = taken.hours.length;
        const [buys, sells] = pricesOf(year, count);
        const expected = naiveBill(lengths, taken, given, { import: buys, export: sells, perDay: '1.0437' });
        const borders = [...days.map((day) => day.start), days.at(-1)?.end ?? 0];
        const readings = borders.flatMap((border, day) =>
          (['import', 'export'] as const).flatMap((name) => {
            const { counters, low, high } = name === 'import' ? taken : given;
            if (counters[day] === null || counters[day] === undefined) return [];
            return [
              reading(name, border, Number(counters[day]) / 1000),
              reading(`${name}_t1`, border, Number(low[day]) / 1000),
              reading(`${name}_t2`, border, Number(high[day]) / 1000),
            ];
          }),
        );
        const hours = (direction: Direction) =>
          toShape(
            direction.hours.flatMap((wh, hour) => {
              const from = start + hour * hourMs;
              return wh === null
                ? []
                : [{ start: from, end: from + hourMs, amount: Number(wh) * 60_000, known: hourMs }];
            }),
          );
        const asGiven = (naive: NaivePrices): unknown =>
          naive.hourly?.flatMap((value, hour) =>
            value === null
              ? []
              : [{ start: start + hour * hourMs, end: start + (hour + 1) * hourMs, value: Number(value) }],
          ) ??
          (naive.tariffs === undefined
            ? Number(naive.fixed)
            : { t1: Number(naive.tariffs[0]), t2: Number(naive.tariffs[1]) });
        const { cost } = balance(
          String(year),
          [meter('p1', 'grid', { readings, shapes: { import: hours(taken), export: hours(given) } })],
          { prices: prices({ currency: 'EUR', import: asGiven(buys), export: asGiven(sells), per_day: 1.0437 }) },
        );
        for (const part of ['import', 'export', 'fixed', 'total', 'netted'] as const) {
          const [ours, naive] = [cost?.[part] ?? null, expected[part]];
          if (naive === null || ours === null) should(ours).equal(naive, `${part} of ${year}`);
          else ours.should.be.approximately(naive, 0.00001, `${part} of ${year}`);
        }
        should(cost?.coverage).be.approximately(expected.coverage, 1e-9, `coverage of ${year}`);
      }
    });
  }
});
