/** Additional requests of a balance after a discontinuity of counters, and their effect (src/balance/requests/plan-doubts.ts). */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { nextPeriod, type Period, periodContaining, periodFromLabel } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import type { BalanceParts } from '../../../src/balance/house-reader';
import { BalanceReader, type CounterStore } from '../../../src/balance/requests/period-reader';
import type { MeterTarget } from '../../../src/connection/connection';
import type { BalancePayload, SeriesPoint, Values } from '../../../src/model/payload';
import { hourMs, millis } from '../../../src/time/units';
import { usualSteps } from '../../support/clients/in-process';
import { SOURCE } from '../../support/balance/small-house';
import { MONITOR } from '../../support/clients/fake-client';

const zone = 'Europe/Amsterdam';
const firstMoment = Date.parse('2025-01-01T00:00:00Z');
const at = (iso: string) => Date.parse(iso);

/** Added to the import counter at a moment. */
type Change = (ts: number) => number;

/** A house of p1 and s01: 1 kW of import, and 0.5 kW of production. */
class House {
  readonly asked: string[] = [];
  now = at('2027-02-01T12:00:00Z');
  import: Change = () => 0;
  roof: Change = () => 0;
  hasMinutes = true;
  /** The roof produces twice as much from 6:00 to 18:00 UTC, and nothing at night. */
  isDark = false;
  /** True if the monitor has its own sums of days and months. */
  hasSums = false;
  /** The monitor has lost its minutes and sums of this day, and shows 0. */
  lost = '';

  constructor(private readonly hasTotals = true) {}

  get parts(): BalanceParts {
    return {
      clock: { ...systemClock, now: () => millis(this.now) },
      reader: {
        timezone: zone,
        transport: this.hasTotals ? 'remote' : 'local',
        knownMeters: () =>
          Promise.resolve({
            monitor: { id: MONITOR },
            meters: [
              { alias: 'p1', role: 'grid' },
              { alias: 's01', role: 'production' },
            ],
            unanswered: null,
          }),
        readTotals: (target, period) => {
          this.asked.push(`${target.alias} totals ${period.label}`);
          const ts = Math.min(period.end, this.now) - 1000;
          return Promise.resolve({
            ...this.base(target, ts),
            kind: 'totals',
            period: { ...period, final: true },
            values: this.values(ts),
            times: {},
            missing: {},
          });
        },
        readSeries: (target, period) => {
          this.asked.push(`${target.alias} series ${period.label}`);
          const points =
            period.unit !== 'day' ? this.sums(target, period) : this.hasMinutes ? this.minutes(period) : [];
          for (const point of points) {
            for (const field of Object.keys(point)) if (field !== 'ts' && this.isLost(point.ts)) point[field] = 0;
          }
          return Promise.resolve({
            ...this.base(target, period.start),
            kind: 'series',
            period: { ...period, step: period.unit === 'day' ? 'PT1M' : period.unit === 'month' ? 'P1D' : 'P1M' },
            fields: {},
            points,
            stats: { expected: 0, received: 0, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
            complete: true,
          });
        },
        readRealtime: (target) => {
          this.asked.push(`${target.alias} realtime`);
          return Promise.resolve([
            {
              ...this.base(target, this.now),
              kind: 'realtime',
              values: this.values(this.now),
              times: {},
              missing: {},
            },
          ]);
        },
        watchRealtime: () => () => undefined,
      },
    };
  }

  values(ts: number): Values {
    const hours = (ts - firstMoment) / hourMs;
    return {
      energy_import_kwh: 20_000 + hours + this.import(ts),
      energy_export_kwh: 100,
      energy_net_kwh: 9_000 + hours / 2 + this.roof(ts),
    };
  }

  private isLost(ts: number): boolean {
    return periodContaining('day', zone, millis(ts)).label === this.lost;
  }

  private minutes({ start, end }: Period): SeriesPoint[] {
    const count = (Math.min(end, this.now) - start) / 60_000;
    return Array.from({ length: Math.floor(count) }, (_, minute) => {
      const ts = start + minute * 60_000;
      const hour = new Date(ts).getUTCHours();
      const production = !this.isDark ? 500 : hour >= 6 && hour < 18 ? 1000 : 0;
      return { ts, power_import_w: 1000, power_export_w: 0, power_production_w: production };
    });
  }

  private sums({ alias }: MeterTarget, period: Period): SeriesPoint[] {
    const power = alias === 'p1' ? 1 : 0.5;
    const points: SeriesPoint[] = [];
    const unit = period.unit === 'month' ? 'day' : 'month';
    let part = periodContaining(unit, zone, period.start);
    for (; this.hasSums && part.start < Math.min(period.end, this.now); part = nextPeriod(part)) {
      points.push({ ts: part.start, energy_net_kwh: (power * (Math.min(part.end, this.now) - part.start)) / hourMs });
    }
    return points;
  }

  private base({ alias }: MeterTarget, ts: number) {
    return {
      schema: 'cemm/1' as const,
      id: 'fake',
      ts,
      time: new Date(ts).toISOString(),
      monitor: { id: MONITOR },
      meter: { alias, role: alias === 'p1' ? ('grid' as const) : ('production' as const) },
      source: SOURCE,
    };
  }

  async read(label: string, counters: CounterStore | null = null): Promise<BalancePayload> {
    this.asked.length = 0;
    const period = periodFromLabel(label, zone);
    const step = usualSteps[period.unit];
    const target = { monitor: null, meters: everyMeter, prices: null, wantsPeak: false };
    return new BalanceReader(this.parts).read(
      { ...target, period, step, counters },
      { signal: new AbortController().signal },
    );
  }

  /** Requests beyond those of a house without any event. */
  more(usual: readonly string[]): string[] {
    return this.asked.filter((request) => !usual.includes(request)).sort();
  }
}

function expectWhole(balance: BalancePayload, label: string): void {
  const { start, end } = periodFromLabel(label, zone);
  const hours = (end - start) / hourMs;
  const { values, coverage, complete } = balance;
  should(values['energy_import_kwh']).be.approximately(hours, 0.01, label);
  should(values['energy_production_kwh']).be.approximately(hours / 2, 0.01, label);
  should(values['energy_house_kwh']).be.approximately(1.5 * hours, 0.02, label);
  for (const share of Object.values(coverage)) share.should.equal(1, label);
  complete.should.be.true();
}

describe('a balance of counters with breaks', () => {
  const exchange: Change = (ts) => (ts < at('2026-06-10T10:00:00Z') ? 0 : -32_000);

  it('reads the minutes of the day, and loses no energy of the month', async () => {
    const house = new House();
    expectWhole(await house.read('2026-06'), '2026-06');
    const usual = [...house.asked];
    house.import = exchange;
    expectWhole(await house.read('2026-06'), '2026-06');
    house.more(usual).should.deepEqual(['p1 series 2026-06-10']);
  });

  it('halves the month of a year until the day is found, with five requests', async () => {
    const house = new House();
    expectWhole(await house.read('2026'), '2026');
    const usual = [...house.asked];
    house.import = exchange;
    expectWhole(await house.read('2026'), '2026');
    const more = house.more(usual);
    more.filter((request) => request.includes('totals')).length.should.be.belowOrEqual(5);
    more.filter((request) => request.includes('series')).should.deepEqual(['p1 series 2026-06-10']);
    // Independent of the day.
    for (const day of ['2026-03-29', '2026-05-01', '2026-07-31', '2026-10-25', '2026-12-31']) {
      house.import = (ts) => (ts < at(`${day}T10:00:00Z`) ? 0 : -32_000);
      expectWhole(await house.read('2026'), '2026');
      house.more(usual).length.should.be.belowOrEqual(6, day);
    }
  });

  it('marks amounts without minutes', async () => {
    const house = new House();
    house.import = exchange;
    house.hasMinutes = false;
    const { values, coverage, complete } = await house.read('2026');
    should(values['energy_import_kwh']).be.approximately(8760 - 24, 0.01);
    should(coverage['energy_import_kwh']).be.approximately(364 / 365, 1e-6);
    should(coverage['energy_house_kwh']).be.below(1);
    complete.should.be.false();
  });

  const wrongAtEndOf = (label: string, by: number): Change => {
    const { start, end } = periodFromLabel(label, zone);
    return (ts) => (ts >= start && ts < end ? by : 0);
  };
  const events: Readonly<Record<string, Change>> = {
    'a start value': (ts) => (ts < at('2026-06-10T10:00:00Z') ? 0 : 3_500),
    'a counter that comes back after a day': (ts) =>
      ts > at('2026-06-10T10:00:00Z') && ts < at('2026-06-11T15:00:00Z') ? -500 : 0,
    ...Object.fromEntries(
      ['2025-12-31', '2026-01-01', '2026-06-10', '2026-06-30', '2026-12-30', '2026-12-31'].flatMap((day) =>
        [650, -40].map((by) => [`${by} kWh in the reading at the end of ${day}`, wrongAtEndOf(day, by)] as const),
      ),
    ),
  };

  for (const [event, change] of Object.entries(events)) {
    it(`is right with ${event}, in its day, its month and its year`, async () => {
      const house = new House();
      house.roof = change;
      for (const label of ['2026-06-10', '2026-06', '2026-12', '2026']) expectWhole(await house.read(label), label);
      house.now = at('2026-12-31T18:00:00+01:00');
      const { values } = await house.read('2026');
      should(values['energy_production_kwh']).be.approximately((364 * 24 + 18) / 2, 0.01);
    });
  }

  it('takes an inverter that is 0 at night for measured where the minutes of the grid were not read', async () => {
    const house = new House();
    Object.assign(house, { hasSums: true, isDark: true });
    // As much as the roof produces in a day, so the counter does not fall.
    house.roof = wrongAtEndOf('2026-06-10', -12);
    expectWhole(await house.read('2026-06'), '2026-06');
    house.asked
      .filter((request) => request.includes('series 2026-06-'))
      .sort()
      .should.deepEqual(['s01 series 2026-06-10', 's01 series 2026-06-11']);
  });

  it('counts an inverter whose minutes of a day the monitor has lost, and shows as 0', async () => {
    const house = new House();
    Object.assign(house, { hasSums: true, lost: '2026-06-10' });
    // Beside the largest differences, of which the minutes of the smart meter are read in any case.
    house.import = (ts) => (ts < at('2026-06-20T10:00:00Z') ? 0 : ts < at('2026-06-25T10:00:00Z') ? 300 : 700);
    const { values, coverage, points = [] } = await house.read('2026-06');
    should(values['energy_production_kwh']).be.approximately(360, 0.01);
    should(coverage['energy_production_kwh']).equal(1);
    should(points[9]?.['energy_production_kwh']).be.approximately(12, 0.01);
    should(points[9]?.['energy_house_kwh']).be.approximately(36, 0.01);
  });

  it('uses stored readings on a local connection', async () => {
    const house = new House(false);
    house.import = exchange;
    let kept: unknown = null;
    const store: CounterStore = {
      load: () => Promise.resolve(kept),
      save: (_, state) => {
        kept = JSON.parse(JSON.stringify(state));
        return Promise.resolve();
      },
    };
    for (
      let each = periodFromLabel('2026-01-01', zone);
      each.start <= at('2026-12-31T23:00:00Z');
      each = nextPeriod(each)
    ) {
      house.now = each.start + 1000;
      const target = { monitor: null, meters: everyMeter };
      await new BalanceReader(house.parts).keepCounters(target, store, { signal: new AbortController().signal });
    }
    house.now = at('2027-02-01T12:00:00Z');
    expectWhole(await house.read('2026', store), '2026');
    house.asked.filter((request) => request.includes('-06-10')).should.deepEqual(['p1 series 2026-06-10']);
    house.asked.length.should.be.belowOrEqual(5);
  });

  describe('of the current day on a local connection with only the midnight reading', () => {
    const readAt = async (now: string, label: string, hasMinutes: boolean, dip = -40): Promise<BalancePayload> => {
      const house = new House(false);
      Object.assign(house, { hasMinutes, hasSums: true });
      house.import = (ts) => (ts < at('2027-01-01T10:00:00Z') ? dip : 0);
      let kept: unknown = null;
      const store: CounterStore = {
        load: () => Promise.resolve(kept),
        save: (_, state) => Promise.resolve(void (kept = JSON.parse(JSON.stringify(state)))),
      };
      const { signal } = new AbortController();
      let day = periodFromLabel('2027-01-01', zone);
      for (; day.start <= at(now); day = nextPeriod(day)) {
        house.now = day.start + 1000;
        await new BalanceReader(house.parts).keepCounters({ monitor: null, meters: everyMeter }, store, { signal });
      }
      house.now = at(now);
      return house.read(label, store);
    };

    for (const label of ['2027-01', '2027']) {
      it(`uses the minutes if the monitor's own sum differs: ${label}`, async () => {
        const { values } = await readAt('2027-01-01T23:58:00+01:00', label, true);
        should(values['energy_import_kwh']).be.approximately(23 + 58 / 60, 0.02);
      });

      it(`is marked without minutes: ${label}`, async () => {
        const { missing, complete } = await readAt('2027-01-01T23:58:00+01:00', label, false);
        should(missing['energy_net_kwh']).equal('differs');
        complete.should.be.false();
      });
    }

    it('is marked in a year of more days than are read by their minutes', async () => {
      const { complete } = await readAt('2027-01-06T23:58:00+01:00', '2027', true);
      complete.should.be.false();
    });

    it('is complete if both agree', async () => {
      for (const label of ['2027-01', '2027']) {
        const { complete } = await readAt('2027-01-01T23:58:00+01:00', label, false, 0);
        complete.should.be.true();
      }
    });
  });
});
