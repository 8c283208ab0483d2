/** Twenty years' bills, computed by src/balance and by a slow program of its own (naive-bill.ts): equal to the cent. */
import should from 'should';
import { shapeOf } from '../../../src/balance/shape';
import { periodsBetween } from '../../../src/calendar/periods';
import { millis } from '../../../src/protocol/time';
import { balance, meter, period, prices, reading, ZONE } from './support';
import { naiveBill, type Direction, type NaivePrices } from './naive-bill';

const HOUR = 3_600_000;

/** A sequence of numbers from 0 to 1 that is the same in every run. */
function random(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** A year of a house: hour by hour, with counters that know better than the hours do, and holes in both. */
function houseOf(year: number) {
  const draw = random(year);
  const { start, end } = period(String(year));
  const days = periodsBetween('day', ZONE, start, millis(end - 1));
  const lengths = days.map((day) => (day.end - day.start) / HOUR);
  const hasHoles = year % 2 === 0;
  const direction = (most: number): Direction => {
    let [low, high] = [BigInt(Math.floor(draw() * 9e6)), BigInt(Math.floor(draw() * 9e6))];
    const [lows, highs]: [bigint[], bigint[]] = [[low], [high]];
    const hours: (bigint | null)[] = [];
    for (const length of lengths) {
      // A month-long outage of the monitor's own memory now and then, a lost hour more often.
      const isLost = hasHoles && draw() < 0.03;
      for (let hour = 0; hour < length; hour += 1) {
        const used = BigInt(Math.floor(draw() * draw() * most));
        const isLow = hour < 7 || hour >= 23;
        if (isLow) low += used;
        else high += used;
        // Minutes lose what is taken and given within one of them.
        const seen = (used * 97n) / 100n;
        hours.push(isLost || (hasHoles && draw() < 0.01) ? null : seen);
      }
      lows.push(low);
      highs.push(high);
    }
    const counters = lows.map((value, day): bigint | null => {
      const isUnread = hasHoles && (draw() < 0.05 || (year % 4 === 0 && day === lows.length - 1));
      return isUnread ? null : value + (highs[day] ?? 0n);
    });
    return { counters, low: lows, high: highs, hours };
  };
  return { start, end, days, lengths, taken: direction(4000), given: direction(2500) };
}

/** Every tenth hour negative, and in years with holes every hundredth unknown. */
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
  const houses = new Map(years.map((year) => [year, houseOf(year)]));
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
        const { start, days, lengths, taken, given } = houses.get(year) ?? houseOf(year);
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
          shapeOf(
            direction.hours.flatMap((wh, hour) => {
              const from = start + hour * HOUR;
              return wh === null ? [] : [{ start: from, end: from + HOUR, amount: Number(wh) * 60_000, known: HOUR }];
            }),
          );
        const asGiven = (naive: NaivePrices): unknown =>
          naive.hourly?.flatMap((value, hour) =>
            value === null
              ? []
              : [{ start: start + hour * HOUR, end: start + (hour + 1) * HOUR, value: Number(value) }],
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
