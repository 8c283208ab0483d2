/** Prices by the clock, and those of a market of quarters that are charged by the hour. */
import should from 'should';
import { findPriceChanges, parsePrices, pricesOfParts } from '../../../src/balance/prices/prices';
import { needsOf } from '../../../src/balance/requests/price-needs';
import { CemmError } from '../../../src/errors';
import { hourMs } from '../../../src/time/units';
import { at, balance, meter, minutesFrom, period, prices, zone } from '../../support/balance/small-house';

const { start, end } = period('2026-06-15');

function flaw(input: unknown): unknown {
  try {
    parsePrices(input, zone);
    return null;
  } catch (error) {
    if (!(error instanceof CemmError) || error.reason !== 'prices') throw error;
    return error.params['path'];
  }
}

describe('prices by the clock', () => {
  const words: readonly (readonly ['months' | 'days' | 'hours', unknown])[] = [
    ...['Mo-Fr', 'Mon-', 'Mon-Fri-Sun', 'Monday', '', ',', 'mon', 1, `Mon${',Mon'.repeat(60)}`].map(
      (text) => ['days', text] as const,
    ),
    ...['Nov-Mrt', 'november', '11'].map((text) => ['months', text] as const),
    ...['17', '17-17', '25-26', '24-6', '17:60-18', '17-18-19', '5pm-6pm', '-1-4'].map(
      (text) => ['hours', text] as const,
    ),
  ];
  for (const [name, text] of words) {
    it(`refuse ${JSON.stringify(text).slice(0, 30)} as ${name}`, () => {
      const input = { currency: 'EUR', import: { zones: [{ [name]: text, value: 0.3 }] } };
      should(flaw(input)).equal(`import.zones[0].${name}`);
    });
  }

  const priceAt = (input: object, ...moments: string[]) => {
    const price = prices({ currency: 'EUR', import: input }).import;
    const cents = (value: unknown) => (typeof value === 'bigint' ? Number(value / 10n ** 20n) / 100 : null);
    return price === null ? [] : moments.map((moment) => cents(pricesOfParts(price, [at(moment)])[0]));
  };

  it('use the first zone that matches, otherwise the value, otherwise none', () => {
    const zones = [
      { months: 'Nov-Mar', days: 'Mon-Fri', hours: '17-22', value: 0.35 },
      { hours: '17-22', value: 0.3 },
    ];
    const winter = [
      '2026-12-07T16:59+01:00',
      '2026-12-07T17:00+01:00',
      '2026-12-07T21:59+01:00',
      '2026-12-07T22:00+01:00',
    ];
    should(priceAt({ value: 0.25, zones }, ...winter)).deepEqual([25, 35, 35, 25]);
    should(priceAt({ zones }, ...winter)).deepEqual([null, 35, 35, null]);
    // A Sunday in winter, a Monday in summer.
    should(priceAt({ zones }, '2026-12-06T18:00+01:00', '2026-06-15T18:00+02:00')).deepEqual([30, 30]);
  });

  it('may go over midnight, over the end of the week and of the year', () => {
    const night = { value: 0.3, zones: [{ hours: '22:30-6,12-13', value: 0.2 }] };
    const moments = ['00:00', '05:59', '06:00', '12:30', '13:00', '22:29', '22:30'].map(
      (time) => `2026-06-15T${time}+02:00`,
    );
    should(priceAt(night, ...moments)).deepEqual([20, 20, 30, 20, 30, 30, 20]);
    const weekend = { value: 0.3, zones: [{ days: 'Sat-Mon', months: 'Dec-Jan', value: 0.2 }] };
    const days = ['2026-12-04', '2026-12-05', '2026-12-07', '2026-12-08', '2027-01-03', '2027-02-07'];
    should(priceAt(weekend, ...days.map((day) => `${day}T12:00+01:00`))).deepEqual([30, 20, 20, 30, 20, 30]);
  });

  it('change at the local time, also on the days on which clocks are set', () => {
    const { import: price } = prices({
      currency: 'EUR',
      import: { value: 0.3, zones: [{ hours: '1:30-3', value: 0.2 }] },
    });
    const borders = (label: string) => {
      const day = period(label);
      return findPriceChanges(price, day.start, day.end).map((moment) => new Date(moment).toISOString().slice(11, 16));
    };
    should(borders('2026-06-15')).deepEqual(['23:30', '01:00']);
    // From 2:00 to 3:00 there is no such day's hour: the cheap time ends when the clock shows 3:00.
    should(borders('2026-03-29')).deepEqual(['00:30', '01:00']);
    // 2:00 to 3:00 comes twice.
    should(borders('2026-10-25')).deepEqual(['23:30', '02:00']);
  });

  it('need no minutes where each day has one price', () => {
    const needs = (zone: object) =>
      needsOf(
        prices({ currency: 'EUR', import: { value: 0.3, zones: [{ value: 0.2, ...zone }] } }),
        period('2026-06'),
        { wantsPeak: false, wantsHours: false, hasTotals: true },
      );
    should(needs({ days: 'Sat,Sun' }).minutesOf).deepEqual([]);
    should(needs({ months: 'Nov-Mar', hours: '17-22' }).minutesOf).deepEqual([]);
    should(needs({ hours: '17-22' }).minutesOf).deepEqual(['grid']);
  });

  it('are charged by the minute, have a mean per kWh, and are not netted', () => {
    const values = Array.from({ length: 1440 }, (_, minute) => (minute < 720 ? 500 : 1500));
    const day = balance('2026-06-15', [meter('p1', 'grid', { shapes: { import: minutesFrom(start, values) } })], {
      prices: prices({ currency: 'EUR', import: { value: 0.1, zones: [{ hours: '12-24', value: 0.3 }] } }),
    });
    should(day.cost).containDeep({ import: 6 * 0.1 + 18 * 0.3, per_kwh: 0.25, netted: null, coverage: 1 });
    should(day.points?.map((point) => point['cost_per_kwh'])).deepEqual([
      ...Array<number>(12).fill(0.1),
      ...Array<number>(12).fill(0.3),
    ]);
  });
});

describe('the price of a time in which nothing was imported', () => {
  const importOf = (watts: (minute: number) => number) =>
    meter('p1', 'grid', {
      shapes: {
        import: minutesFrom(
          start,
          Array.from({ length: 1440 }, (_, at) => watts(at)),
        ),
      },
    });
  const pricesOfHours = (input: object, watts: (minute: number) => number): unknown[] =>
    (balance('2026-06-15', [importOf(watts)], { prices: prices({ currency: 'EUR', import: input }) }).points ?? []).map(
      (point) => point['cost_per_kwh'],
    );
  const atNight = (minute: number): number => (minute < 360 ? 500 : 0);

  it('is that of its hour, so that a line of prices has no gap', () => {
    pricesOfHours({ value: 0.1, zones: [{ hours: '12-24', value: 0.3 }] }, atNight).should.deepEqual([
      ...Array<number>(12).fill(0.1),
      ...Array<number>(12).fill(0.3),
    ]);
  });

  it('is not known where the hour has several prices', () => {
    pricesOfHours({ value: 0.1, zones: [{ hours: '12:30-24', value: 0.3 }] }, atNight)
      .slice(11, 14)
      .should.deepEqual([0.1, null, 0.3]);
  });
});

describe('a list of quarters, charged by the hour', () => {
  const quarters = Array.from({ length: 12 }, (_, index) => ({
    start: start + (index * hourMs) / 4,
    value: index / 100,
  }));
  const hours = (list: readonly object[]) => {
    const price = prices({ currency: 'EUR', import: { list, times: 1.21, plus: 0.1, every: '1h' } }).import;
    return price?.kind === 'list' ? price.entries : [];
  };

  it('has the mean of each clock hour, with taxes', () => {
    const mean = (cents: number) => BigInt(Math.round(cents * 100)) * 121n * 10n ** 18n + 10n ** 23n;
    should(hours(quarters)).deepEqual(
      [1.5, 5.5, 9.5].map((cents, index) => ({
        start: start + index * hourMs,
        end: start + (index + 1) * hourMs,
        value: mean(cents),
      })),
    );
  });

  it('has no price for an hour in which a quarter is missing', () => {
    should(hours(quarters.filter((_, index) => index !== 6)).map((entry) => entry.start)).deepEqual([
      start,
      start + 2 * hourMs,
    ]);
  });

  it('leaves a list by the hour or by the day as it is', () => {
    const byDay = ['2026-06-15', '2026-06-16'].map((day) => ({ start: day, value: 0.1 }));
    should(hours(byDay).map(({ end: until }) => until)).deepEqual([end, Infinity]);
    const byHour = [0, 1, 2].map((hour) => ({ start: start + hour * hourMs, value: 0.1 }));
    should(hours(byHour).length).equal(3);
  });
});
