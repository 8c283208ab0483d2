/** The quarter-hour peak compared with a walk over the minutes, and the forecast of the current quarter. */
import should from 'should';
import fc from 'fast-check';
import {
  sumCommonTimes,
  expectedPeak,
  findHighestQuarter,
  sumMinutesByQuarter,
  quartersOfReadings,
  followQuarter,
  type RunningQuarter,
} from '../../../src/balance/period/peak';
import { runAtOnce } from '../../../src/time/pause';
import { perKwh } from '../../../src/balance/meters/amounts';
import type { Shape } from '../../../src/balance/meters/shape';
import { minuteMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';

/** Every quarter of local time, literally: consecutive minutes with the same hour and quarter. */
function naivePeak(start: number, columns: readonly (readonly (number | null)[])[]) {
  const show = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Amsterdam',
    dateStyle: 'short',
    timeStyle: 'long',
  });
  const quarters: { name: string; start: number; minutes: (number | null)[] }[] = [];
  const count = columns[0]?.length ?? 0;
  for (let minute = 0; minute < count; minute += 1) {
    const moment = start + minute * minuteMs;
    const [, date = '', hour = '', shown = '', zone = ''] =
      /^(.*), (\d\d):(\d\d):\d\d (.*)$/.exec(show.format(moment)) ?? [];
    const name = `${date} ${hour} ${Math.floor(Number(shown) / 15)} ${zone}`;
    const powers = columns.map((column) => column[minute] ?? null);
    const power = powers.includes(null) ? null : powers.reduce((sum: number, each) => sum + (each ?? 0), 0);
    if (quarters.at(-1)?.name === name) quarters.at(-1)?.minutes.push(power);
    else quarters.push({ name, start: moment, minutes: [power] });
  }
  let best: { power: number; start: number } | null = null;
  for (const { start: from, minutes } of quarters) {
    if (minutes.length !== 15 || minutes.includes(null)) continue;
    const power = minutes.reduce((sum: number, each) => sum + (each ?? 0), 0) / 15;
    if (best === null || power > best.power + 1e-9) best = { power, start: from };
  }
  return best;
}

const highestQuarter = (shapes: readonly Shape[], start: number, end: number) =>
  findHighestQuarter(sumCommonTimes(shapes.map((shape) => runAtOnce(sumMinutesByQuarter(shape, start, end)))));

describe('the quarter-hour peak', () => {
  for (const day of ['2026-06-15', '2026-03-29', '2026-10-25']) {
    it(`is that of a walk over the minutes of ${day}`, () => {
      const { start, end } = period(day);
      const minutes = (end - start) / minuteMs;
      const column = fc.array(fc.option(fc.integer({ min: 0, max: 9000 }), { freq: 30 }), {
        minLength: minutes,
        maxLength: minutes,
      });
      fc.assert(
        fc.property(fc.array(column, { minLength: 1, maxLength: 2 }), (columns) => {
          const shapes = columns.map((values) => minutesFrom(start, values));
          const [peak, naive] = [highestQuarter(shapes, start, end), naivePeak(start, columns)];
          should(peak?.start).equal(naive?.start);
          if (naive !== null) should(peak?.power_w).be.approximately(naive.power, 1e-6);
        }),
        { numRuns: 15 },
      );
    });
  }

  it('has no quarter with missing minutes', () => {
    const { start, end } = period('2026-06-15');
    const values = Array.from({ length: 1440 }, (_, minute) =>
      minute === 607 ? null : minute >= 600 && minute < 615 ? 9000 : 100,
    );
    should(highestQuarter([minutesFrom(start, values)], start, end)?.power_w).equal(100);
    should(highestQuarter([minutesFrom(start, values.slice(0, 10))], start, end)).equal(null);
  });
});

describe('the quarter-hour peak by readings', () => {
  const { start, end } = period('2026-06-15');
  const quarterMs = 15 * minuteMs;
  const readings = (shift: number, kwh: (quarter: number) => number) => {
    let sum = 1000;
    return Array.from({ length: 97 }, (_, border) => {
      if (border > 0) sum += kwh(border - 1);
      return reading('import', start + border * quarterMs + shift, sum);
    });
  };
  const busy = (quarter: number) => (quarter === 40 ? 2 : 0.1);
  const peakOf = (...lists: ReturnType<typeof readings>[]) =>
    balance(
      '2026-06-15',
      lists.map((list, index) => meter(`p${index}`, 'grid', { readings: list })),
      { slots: 'delivered' },
    ).peak;

  it('is a quarter with readings at both ends, summed over all grid meters', () => {
    const from = start + 40 * quarterMs;
    should(peakOf(readings(0, busy))).deepEqual({ power_w: 8000, start: from, end: from + quarterMs });
    should(peakOf(readings(-4000, busy))?.power_w).be.approximately(8000, 1e-6);
    should(
      peakOf(
        readings(0, busy),
        readings(2000, () => 0.5),
      )?.power_w,
    ).be.approximately(10_000, 1e-6);
  });

  it('is null without readings at both ends, with a falling counter, and in a year', () => {
    should(peakOf(readings(-60_000, busy))).equal(null);
    should(peakOf(readings(0, busy), readings(-60_000, busy))).equal(null);
    const without = readings(0, busy).filter((_, border) => border !== 41);
    should(peakOf(without)?.power_w).be.approximately(400, 1e-6);
    should(peakOf(readings(0, (quarter) => (quarter === 40 ? -900 : 0.1)))?.power_w).be.approximately(400, 1e-6);
    should(balance('2026', [meter('p1', 'grid', { readings: readings(0, busy) })], { slots: 'delivered' }).peak).equal(
      null,
    );
  });

  it('prefers the counter to minutes, in which import and export cancel out', () => {
    const minutes = Array.from({ length: 1440 }, (_, minute) => (Math.floor(minute / 15) === 40 ? 7000 : 400));
    const p1 = meter('p1', 'grid', { readings: readings(0, busy), shapes: { import: minutesFrom(start, minutes) } });
    should(balance('2026-06-15', [p1]).peak?.power_w).be.approximately(8000, 1e-6);
    quartersOfReadings(p1.readings, start, end).size.should.equal(96);
  });
});

describe('the running quarter', () => {
  const start = Date.parse('2026-06-15T10:00:00Z');
  const kwh = (value: number) => value * perKwh;

  function follow(readings: readonly (readonly [seconds: number, power: number, counter: number | null])[]) {
    let running: RunningQuarter | null = null;
    for (const [seconds, power, counter] of readings) {
      const read = { ts: start + seconds * 1000, power_w: power, counter: counter === null ? null : kwh(counter) };
      running = followQuarter(running, read);
    }
    return running === null ? null : expectedPeak(running);
  }

  it('is forecast from the energy so far and the current power', () => {
    // 0.5 kWh in five minutes, then 3 kW for ten: 1 kWh in a quarter is 4 kW.
    const peak = follow(
      [
        [-10, 1000, 100],
        [0, 6000, 100],
        [300, 3000, 100.5],
      ].map(([a = 0, b = 0, c = 0]) => [a, b, c] as const),
    );
    should(peak).deepEqual({ power_w: null, start, end: start + 900_000, expected_w: 4000 });
  });

  it('has no forecast if it was not followed from its start', () => {
    should(
      follow([
        [100, 1000, 1],
        [110, 1000, 1.01],
      ])?.expected_w,
    ).equal(null);
    should(
      follow([
        [-300, 1000, 1],
        [10, 1000, 1.01],
      ])?.expected_w,
    ).equal(null);
  });

  it('uses powers without a counter', () => {
    should(
      follow([
        [-60, 2000, null],
        [0, 2000, null],
        [60, 2000, null],
      ])?.expected_w,
    ).equal(2000);
  });

  it('ignores a repeated or late reading', () => {
    const once = follow([
      [-10, 900, 1],
      [0, 900, 1],
      [60, 900, 1.02],
    ]);
    should(
      follow([
        [-10, 900, 1],
        [0, 900, 1],
        [60, 900, 1.02],
        [60, 900, 1.02],
        [0, 900, 1],
      ]),
    ).deepEqual(once);
  });

  it('uses the power if a counter is missing or falls, and has no forecast after a longer pause', () => {
    const read = (seconds: number, power: number, counter: number | null) => [seconds, power, counter] as const;
    // 60 s at 1 kW, and 14 more minutes.
    should(follow([read(0, 1000, null), read(60, 1000, null)])?.expected_w).equal(1000);
    should(follow([read(0, 1000, 50), read(60, 1000, 0.01)])?.expected_w).equal(1000);
    should(follow([read(0, 1000, null), read(300, 1000, null)])?.expected_w).equal(null);
    should(follow([read(-10, 1000, null), read(200, 1000, null)])?.expected_w).equal(null);
    // A reading that is not newer changes nothing.
    should(follow([read(0, 1000, 1), read(60, 1000, 1.02), read(30, 9000, 5)])?.expected_w).be.approximately(1013, 1);
  });
});
