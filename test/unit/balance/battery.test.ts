/** A house with a battery: its use, and its self-consumption by the hour. */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { type HourOfHouse, ownSun } from '../../support/balance/naive-battery';
import { at, balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';
import { Random } from '../../support/random';

const perKwh = 60_000;

/** W of each minute. */
interface Watts {
  readonly taken: number[];
  readonly given: number[];
  readonly sun: number[];
  readonly stored: number[];
  readonly released: number[];
}

const flows = ['taken', 'given', 'sun', 'stored', 'released'] as const;

/** A random house in which each hour has its own sun, use and battery. */
function randomWatts(seed: number, hours: number): Watts {
  const random = new Random(seed);
  const watts: Watts = { taken: [], given: [], sun: [], stored: [], released: [] };
  for (let hour = 0; hour < hours; hour += 1) {
    const most = { sun: random.pick([-4, 300, 1500, 6000]), use: random.pick([100, 600, 4000]) };
    const plan = random.pick(['rests', 'charges', 'discharges', 'both']);
    for (let minute = 0; minute < 60; minute += 1) {
      const sun = most.sun < 0 ? most.sun : random.int(0, most.sun);
      const use = random.int(60, most.use);
      const power = random.int(100, 3000);
      const isCharging = plan === 'charges' || (plan === 'both' && minute % 2 === 0);
      const battery = plan === 'rests' ? 0 : isCharging ? -power : power;
      const grid = use - sun - battery;
      const now = { taken: Math.max(0, grid), given: Math.max(0, -grid), sun };
      watts.taken.push(now.taken);
      watts.given.push(now.given);
      watts.sun.push(now.sun);
      watts.stored.push(Math.max(0, -battery));
      watts.released.push(Math.max(0, battery));
    }
  }
  return watts;
}

function total(watts: readonly number[], from = 0, to = watts.length): number {
  return watts.slice(from, to).reduce((sum, value) => sum + value, 0) / perKwh;
}

function hourOf(watts: Watts, hour: number): HourOfHouse {
  const at = (flow: keyof Watts): number => total(watts[flow], hour * 60, hour * 60 + 60);
  return { taken: at('taken'), given: at('given'), sun: at('sun'), stored: at('stored'), released: at('released') };
}

/** The meters of a house with minutes, and readings at both ends of the period. */
function metersOf(watts: Watts, label: string, more: Partial<BalanceMeter> = {}): BalanceMeter[] {
  const { start, end } = period(label);
  const counted = (counter: Parameters<typeof reading>[0], values: readonly number[]) => [
    reading(counter, start, 1000),
    reading(counter, end, 1000 + total(values)),
  ];
  return [
    meter('p1', 'grid', {
      shapes: { import: minutesFrom(start, watts.taken), export: minutesFrom(start, watts.given) },
      readings: [...counted('import', watts.taken), ...counted('export', watts.given)],
    }),
    meter('s01', 'production', {
      shapes: { production: minutesFrom(start, watts.sun) },
      readings: counted('production', watts.sun),
    }),
    meter('mb6', 'battery', {
      shapes: { charged: minutesFrom(start, watts.stored), discharged: minutesFrom(start, watts.released) },
      readings: [...counted('charged', watts.stored), ...counted('discharged', watts.released)],
      ...more,
    }),
  ];
}

function numberIn({ values }: BalancePayload, field: string): number {
  return values[field] ?? NaN;
}

const selfConsumed = 'energy_self_consumed_kwh';
const dependent = [selfConsumed, 'self_consumption', 'self_sufficiency'];

describe('a house with a battery', () => {
  it('has the self-consumption of 240 random hours as an independent program computes it', () => {
    let [hours, sold, bought] = [0, 0, 0];
    for (let day = 1; day <= 10; day += 1) {
      const label = `2026-06-${String(day).padStart(2, '0')}`;
      const watts = randomWatts(day, 24);
      const payload = balance(label, metersOf(watts, label));
      const expected = Array.from({ length: 24 }, (_, hour) => hourOf(watts, hour));
      expected.forEach((hour, index) => {
        const point = payload.points?.[index]?.[selfConsumed] ?? NaN;
        should(point).be.approximately(ownSun(hour), 1e-4, `hour ${index} of ${label}`);
        hours += 1;
        sold += hour.given > Math.max(0, hour.sun) ? 1 : 0;
        bought += hour.stored > Math.max(0, hour.sun) ? 1 : 0;
      });
      const sum = (value: (hour: HourOfHouse) => number): number =>
        expected.reduce((added, hour) => added + value(hour), 0);
      const own = sum(ownSun);
      const house = sum(({ taken, given, sun, stored, released }) => taken - given + sun + released - stored);
      should(numberIn(payload, selfConsumed)).be.approximately(own, 1e-3);
      should(numberIn(payload, 'energy_house_kwh')).be.approximately(house, 1e-3);
      const shares = { own: own / sum(({ sun }) => sun), free: 1 - sum(({ taken }) => taken) / house };
      should(numberIn(payload, 'self_consumption')).be.approximately(Math.min(1, Math.max(0, shares.own)), 1e-4);
      should(numberIn(payload, 'self_sufficiency')).be.approximately(Math.min(1, Math.max(0, shares.free)), 1e-4);
      should(payload.complete).be.true();
    }
    // The hours have all cases: the battery sells, and the grid charges it.
    should(hours).equal(240);
    should(sold).be.above(20);
    should(bought).be.above(20);
  });

  const day = '2026-06-18';
  const watts = randomWatts(99, 24);

  it('uses import − export + production + discharged − charged, in each hour and in sum', () => {
    const payload = balance(day, metersOf(watts, day));
    for (const point of [...(payload.points ?? []), payload.values]) {
      const kwh = (name: string): number => point[`energy_${name}_kwh`] ?? NaN;
      const house =
        kwh('import') - kwh('export') + kwh('production') + kwh('battery_discharged') - kwh('battery_charged');
      should(kwh('house')).be.approximately(house, 1e-9);
    }
    should(numberIn(payload, 'energy_battery_charged_kwh')).be.approximately(total(watts.stored), 1e-5);
    should(numberIn(payload, 'energy_battery_discharged_kwh')).be.approximately(total(watts.released), 1e-5);
    should(payload.meters.battery).deepEqual(['mb6']);
  });

  it('has the same sums and ratios by the quarter, whose points have no self-consumption', () => {
    const [byHour, byQuarter] = [
      balance(day, metersOf(watts, day)),
      balance(day, metersOf(watts, day), { step: 'PT15M' }),
    ];
    for (const field of dependent) {
      should(numberIn(byQuarter, field)).be.approximately(numberIn(byHour, field), 1e-9);
    }
    should(byQuarter.coverage[selfConsumed]).equal(1);
    should(byQuarter.complete).be.true();
    should(byQuarter.points?.every((point) => point[selfConsumed] === null)).be.true();
  });

  it('sums the hours of a month, which its days do not show', () => {
    const [first, second] = [randomWatts(5, 24), randomWatts(6, 24)];
    const both: Watts = { taken: [], given: [], sun: [], stored: [], released: [] };
    for (const flow of flows) both[flow].push(...first[flow], ...second[flow]);
    const start = period('2026-06').start;
    const now = start + 48 * 60 * minuteMs;
    const meters = metersOf(both, '2026-06').map((one) => ({
      ...one,
      readings: one.readings.map((each) => ({ ...each, ts: Math.min(each.ts, now) })),
    }));
    const payload = balance('2026-06', meters, { now });
    const ofDays = [first, second].map((one) =>
      Array.from({ length: 24 }, (_, hour) => ownSun(hourOf(one, hour))).reduce((sum, value) => sum + value, 0),
    );
    should(payload.points?.map((point) => Math.round((point[selfConsumed] ?? NaN) * 1e3))).deepEqual(
      ofDays.map((sum) => Math.round(sum * 1e3)),
    );
    should(numberIn(payload, selfConsumed)).be.approximately((ofDays[0] ?? 0) + (ofDays[1] ?? 0), 1e-3);
    // The sum of the days is another number.
    const whole = { taken: 0, given: 0, sun: 0, stored: 0, released: 0 };
    for (const flow of flows) whole[flow] = total(first[flow]);
    should(Math.abs(ownSun(whole) - (ofDays[0] ?? 0))).be.above(0.1);
  });

  it('has null where only days are known, says so, and is complete', () => {
    const meters = metersOf(watts, day).map((one) => ({ ...one, shapes: {} }));
    for (const payload of [balance(day, meters), balance('2026-06', meters, { now: period(day).end + minuteMs })]) {
      for (const field of dependent) {
        should(payload.values[field]).be.null();
        should(payload.missing[field]).equal('not_by_hour');
      }
      should(payload.values['energy_house_kwh']).be.a.Number();
    }
    const payload = balance(day, meters);
    should(payload.complete).be.true();
    should(payload.points?.every((point) => point[selfConsumed] === null)).be.true();
  });

  it('counts hours with some missing minutes, but not a gap of hours that only counters span', () => {
    const always = (power: number): number[] => watts.sun.map(() => power);
    const steady = {
      taken: always(0),
      given: always(500),
      sun: always(2000),
      stored: always(1000),
      released: always(0),
    };
    const withGap = (from: number, to: number): BalancePayload => {
      const meters = metersOf(steady, day);
      const { start } = period(day);
      const gap = steady.stored.map((value, minute) => (minute >= from && minute < to ? null : value));
      const rest = steady.released.map((value, minute) => (minute >= from && minute < to ? null : value));
      const shapes = { charged: minutesFrom(start, gap), discharged: minutesFrom(start, rest) };
      return balance(
        day,
        meters.map((one) => (one.role === 'battery' ? { ...one, shapes } : one)),
      );
    };
    const short = withGap(600, 604);
    should(short.coverage[selfConsumed]).equal(1);
    should(short.points?.[10]?.[selfConsumed]).be.a.Number();
    const hour = withGap(600, 660);
    should(hour.points?.[10]?.[selfConsumed]).be.null();
    should(hour.points?.[10]?.['energy_house_kwh']).be.a.Number();
    should(hour.coverage[selfConsumed]).be.approximately(23 / 24, 1e-9);
    should(hour.values[selfConsumed]).be.a.Number();
    should(hour.complete).be.false();
    const hours = withGap(600, 840);
    should(hours.missing[selfConsumed]).equal('not_by_hour');
    should(hours.values['energy_house_kwh']).be.a.Number();
  });

  it('has no house if the battery cannot be read, and stays incomplete', () => {
    const payload = balance(day, metersOf(watts, day, { isReadable: false, shapes: {}, readings: [] }));
    const fields = ['energy_battery_charged_kwh', 'energy_battery_discharged_kwh', 'energy_house_kwh', ...dependent];
    for (const field of fields) {
      should(payload.values[field]).be.null();
      should(payload.missing[field]).equal('not_readable');
    }
    should(payload.values['energy_import_kwh']).be.a.Number();
    should(payload.complete).be.false();
    should(payload.notReadable).deepEqual(['mb6']);
  });

  it('turns a meter that counts the discharge as import', () => {
    const other: Watts = { ...watts, stored: watts.released, released: watts.stored };
    const [straight, reversed] = [metersOf(watts, day), metersOf(other, day, { isReversed: true })];
    const [one, two] = [balance(day, straight), balance(day, reversed)];
    should(two.values).deepEqual(one.values);
    should(two.points).deepEqual(one.points);
    should(two.counters).deepEqual(one.counters);
  });

  it('is inconsistent where the meter is the wrong way round', () => {
    const charging = watts.stored.map(() => 3000);
    const meters = metersOf({ ...watts, stored: charging, released: watts.released.map(() => 0) }, day);
    const payload = balance(day, meters);
    for (const field of ['energy_house_kwh', ...dependent]) should(payload.missing[field]).equal('inconsistent');
  });

  it('has no self-consumption without production, and its self-sufficiency', () => {
    const dark = { ...watts, sun: watts.sun.map(() => 0) };
    const meters = metersOf(dark, day).filter(({ role }) => role !== 'production');
    const night = randomWatts(3, 24);
    const bought = { ...night, given: night.given.map(() => 0), taken: night.taken.map((w) => w + 5000) };
    const payload = balance(
      day,
      metersOf(bought, day).filter(({ role }) => role !== 'production'),
    );
    should(payload.values).not.have.properties([selfConsumed, 'self_consumption']);
    const house = total(bought.taken) + total(bought.released) - total(bought.stored);
    should(numberIn(payload, 'energy_house_kwh')).be.approximately(house, 1e-3);
    const share = Math.min(1, Math.max(0, 1 - total(bought.taken) / house));
    should(numberIn(payload, 'self_sufficiency')).be.approximately(share, 1e-4);
    should(meters.length).equal(2);
  });

  it('compares the meter with the net of the monitor itself', () => {
    const { start, end } = period(day);
    const net = [
      { start: period('2026-06').start, end: period('2026-06').end, amount: 500 * 60_000_000, known: end - start },
    ];
    const meters = metersOf(watts, day, { net });
    const payload = balance('2026-06', meters, { now: at('2026-07-01T12:00:00Z') });
    should(payload.missing['energy_battery_charged_kwh'] ?? null).be.null();
    const whole = metersOf(randomWatts(7, 30 * 24), '2026-06', { net });
    const differs = balance('2026-06', whole, { now: at('2026-07-01T12:00:00Z') });
    should(differs.missing['energy_battery_charged_kwh']).equal('differs');
    should(differs.missing['energy_house_kwh']).equal('differs');
    should(differs.missing['energy_import_kwh'] ?? null).be.null();
  });

  it('compares a turned meter with its turned net', () => {
    const { start, end } = period(day);
    const whole = randomWatts(8, 24);
    const turned: Watts = { ...whole, stored: whole.released, released: whole.stored };
    const kwh = total(turned.stored) - total(turned.released);
    const net = [{ start, end, amount: Math.round(kwh * 60_000_000), known: end - start }];
    should(Math.abs(kwh)).be.above(0.5);
    const payload = balance(day, metersOf(turned, day, { isReversed: true, net }));
    should(payload.missing['energy_battery_charged_kwh'] ?? null).be.null();
    const straight = balance(
      day,
      metersOf(turned, day, { isReversed: true, net: net.map((slot) => ({ ...slot, amount: -slot.amount })) }),
    );
    should(straight.missing['energy_battery_charged_kwh']).equal('differs');
  });

  it('knows hours with a reading at both ends, without any minutes', () => {
    const { start } = period(day);
    const counterOf = {
      taken: 'import',
      given: 'export',
      sun: 'production',
      stored: 'charged',
      released: 'discharged',
    } as const;
    const readings = (of: readonly (keyof Watts)[]) =>
      of.flatMap((flow) =>
        Array.from({ length: 25 }, (_, hour) =>
          reading(counterOf[flow], start + hour * 60 * minuteMs, 500 + total(watts[flow], 0, hour * 60)),
        ),
      );
    const payload = balance(day, [
      meter('p1', 'grid', { readings: readings(['taken', 'given']) }),
      meter('s01', 'production', { readings: readings(['sun']) }),
      meter('mb6', 'battery', { readings: readings(['stored', 'released']) }),
    ]);
    const own = Array.from({ length: 24 }, (_, hour) => ownSun(hourOf(watts, hour))).reduce((sum, kwh) => sum + kwh, 0);
    should(numberIn(payload, selfConsumed)).be.approximately(own, 1e-3);
    should(payload.complete).be.true();
  });
});
