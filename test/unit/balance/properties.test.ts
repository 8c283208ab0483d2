/** Properties of every house: parts add up, splitting changes nothing, and amounts are not negative. */
import should from 'should';
import fc from 'fast-check';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { balanceOfPeriod } from '../../../src/balance/period/period-balance';
import type { Counter, CounterReading } from '../../../src/balance/meters/readings';
import { nextPeriod, periodContaining } from '../../../src/calendar/periods';
import type { Period } from '../../../src/calendar/periods';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs, hourMs, millis } from '../../../src/time/units';
import { meter, minutesFrom, prices, SOURCE, zone } from '../../support/balance/small-house';

/** Consecutive days from one of these: both clock changes, a leap day, the end of a year. */
const firstDays = ['2026-03-27', '2026-10-23', '2028-02-28', '2026-12-30', '2026-06-15'];

interface House {
  readonly days: readonly Period[];
  readonly meters: readonly BalanceMeter[];
  /** Midnights with a reading of every counter. */
  readonly read: readonly number[];
}

const counted: readonly Counter[] = ['import', 'export', 'import_t1', 'import_t2', 'production', 'gas', 'water'];

/** Minutes in parts of about an hour, some of them lost, and counters that deviate from them. */
const anyHouse = fc.record({
  first: fc.constantFrom(...firstDays),
  length: fc.integer({ min: 2, max: 4 }),
  seed: fc.integer({ min: 1, max: 1e9 }),
  /** Percent. */
  lostHours: fc.integer({ min: 0, max: 30 }),
  unread: fc.integer({ min: 0, max: 40 }),
});

type Plan = typeof anyHouse extends fc.Arbitrary<infer T> ? T : never;

function houseOf({ first, length, seed, lostHours, unread }: Plan): House {
  let state = seed;
  const draw = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let day = periodContaining('day', zone, millis(Date.parse(`${first}T12:00:00Z`)));
  const days: Period[] = [];
  for (; days.length < length; day = nextPeriod(day)) days.push(day);
  const [start, end] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0];
  const hours = (end - start) / hourMs;
  const column = (most: number) =>
    Array.from({ length: hours }, () => {
      const level = draw() < 0.3 ? 0 : draw() * most;
      const isLost = draw() * 100 < lostHours;
      return Array.from({ length: 60 }, () => (isLost ? null : Math.round(level * draw() * 1000) / 1000));
    }).flat();
  const solar = column(4000).map((watts) => (watts === null ? null : watts - 5));
  const borders = [start, ...days.map((each) => each.end)];
  const read = borders.filter(() => draw() * 100 >= unread);
  const shown = new Map<Counter, number>();
  const readings = borders.flatMap((border) =>
    counted.flatMap((counter): CounterReading[] => {
      shown.set(counter, (shown.get(counter) ?? Math.floor(draw() * 1e9) * 60) + Math.floor(draw() * 2e7) * 60);
      // A meter was read some seconds or minutes before its border.
      const ts = border - Math.floor(draw() * 5 * minuteMs);
      return read.includes(border) ? [{ counter, ts, amount: shown.get(counter) ?? 0 }] : [];
    }),
  );
  const of = (...names: Counter[]) => readings.filter(({ counter }) => names.includes(counter));
  return {
    days,
    read,
    meters: [
      meter('p1', 'grid', {
        readings: of('import', 'export', 'import_t1', 'import_t2'),
        shapes: { import: minutesFrom(start, column(3000)), export: minutesFrom(start, column(2000)) },
      }),
      meter('s01', 'production', { readings: of('production'), shapes: { production: minutesFrom(start, solar) } }),
      meter('gas', 'gas', { readings: of('gas'), shapes: { gas: minutesFrom(start, column(30), 1e6) } }),
      meter('water', 'water', { readings: of('water') }),
    ],
  };
}

const byHour = Array.from({ length: 24 * 400 }, (_, hour) => ({
  start: Date.parse('2026-01-01T00:00:00Z') + hour * hourMs * 3,
  value: Math.round(Math.sin(hour) * 3e4) / 1e5,
}));
const tariffs = prices({ currency: 'EUR', import: byHour, export: byHour, gas: 1.3, water: 1.1, per_day: 1.2 });

function over(house: House, from: Period, to: Period, step: 'PT15M' | 'PT1H' | 'P1D'): BalancePayload {
  return balanceOfPeriod({
    monitor: { id: null },
    period: { ...from, end: to.end },
    step,
    meters: house.meters,
    slots: 'minutes',
    prices: tariffs,
    source: SOURCE,
    now: to.end + hourMs,
  });
}

const sums = [
  'energy_import_kwh',
  'energy_export_kwh',
  'energy_production_kwh',
  'energy_net_kwh',
  'gas_m3',
  'water_m3',
] as const;
const costs = ['import', 'export', 'gas', 'water', 'fixed', 'total'] as const;
const dayOf = ({ days }: House, index: number): Period => days[index] ?? days[0] ?? never();

function never(): never {
  throw new Error('a house has days');
}

describe('the balance of any house', function () {
  this.timeout(120_000);

  it('has points that add up to the sums, at every step', () => {
    fc.assert(
      fc.property(anyHouse, fc.constantFrom('PT15M', 'PT1H', 'P1D'), (plan, step) => {
        const house = houseOf(plan);
        const { values, points = [], cost } = over(house, dayOf(house, 0), dayOf(house, house.days.length - 1), step);
        const added = (field: string) => points.reduce((total, point) => total + (point[field] ?? 0), 0);
        for (const field of sums) added(field).should.be.approximately(values[field] ?? 0, 1e-9, field);
        if (cost?.total !== null) added('cost').should.be.approximately(cost?.total ?? 0, 1e-9);
        points.forEach((point) => {
          const {
            energy_import_kwh: taken = null,
            energy_export_kwh: given = null,
            energy_net_kwh: net = null,
          } = point;
          // Null if import and export have different times.
          if (net !== null) should((taken ?? NaN) - (given ?? NaN)).be.approximately(net, 1e-9);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is the same as a whole or split at a border with a counter: energies, volumes and costs', () => {
    let split = 0;
    fc.assert(
      fc.property(anyHouse, fc.constantFrom('PT1H', 'P1D'), fc.nat(), (plan, step, choice) => {
        const house = houseOf(plan);
        const inner = house.days.slice(1).filter((day) => house.read.includes(day.start));
        const after = inner[choice % Math.max(1, inner.length)];
        if (after === undefined) return;
        split += 1;
        const last = dayOf(house, house.days.length - 1);
        const before = dayOf(house, house.days.indexOf(after) - 1);
        const whole = over(house, dayOf(house, 0), last, step);
        const halves = [over(house, dayOf(house, 0), before, step), over(house, after, last, step)];
        for (const field of sums) {
          const parts = halves.map(({ values }) => values[field] ?? 0);
          should((parts[0] ?? 0) + (parts[1] ?? 0)).be.approximately(whole.values[field] ?? 0, 1e-9, field);
        }
        for (const part of costs) {
          const parts = halves.map(({ cost }) => cost?.[part] ?? 0);
          if (whole.cost?.[part] === null || halves.some(({ cost }) => cost?.[part] === null)) continue;
          should((parts[0] ?? 0) + (parts[1] ?? 0)).be.approximately(whole.cost?.[part] ?? 0, 1e-9, part);
        }
        should(whole.points).deepEqual(halves.flatMap(({ points = [] }) => points));
      }),
      { numRuns: 80 },
    );
    split.should.be.above(20);
  });

  it('has no negative amount of a non-negative quantity, and shares from 0 to 1', () => {
    fc.assert(
      fc.property(anyHouse, (plan) => {
        const house = houseOf(plan);
        const balance = over(house, dayOf(house, 0), dayOf(house, house.days.length - 1), 'PT1H');
        const { values, points = [], coverage } = balance;
        for (const field of ['energy_import_kwh', 'energy_export_kwh', 'gas_m3', 'water_m3']) {
          for (const row of [values, ...points]) should(row[field] ?? 0).be.aboveOrEqual(0, field);
        }
        for (const ratio of ['self_consumption', 'self_sufficiency']) should(values[ratio] ?? 0).be.within(0, 1);
        for (const share of Object.values(coverage)) share.should.be.within(0, 1);
        should(balance.cost?.coverage).be.within(0, 1);
      }),
      { numRuns: 60 },
    );
  });

  it('does not mark a completely measured hour as estimated', () => {
    fc.assert(
      fc.property(anyHouse, (plan) => {
        const house = houseOf(plan);
        const whole = { ...house, meters: house.meters.map((each) => ({ ...each, readings: [] })) };
        over(whole, dayOf(house, 0), dayOf(house, 0), 'PT1H').estimated.should.deepEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
