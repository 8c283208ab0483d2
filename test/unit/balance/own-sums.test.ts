/** The ends of a month that a monitor at home adds up itself (src/balance/requests/own-sums.ts). */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { Balances } from '../../../src/balance/balances';
import { nextPeriod, type Period, periodContaining, periodFromLabel } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import type { CemmError } from '../../../src/errors';
import type { BalanceParts } from '../../../src/balance/house-reader';
import type { CounterStore } from '../../../src/balance/requests/period-reader';
import type { BalancePayload, SeriesPoint } from '../../../src/model/payload';
import { hourMs, millis } from '../../../src/time/units';
import { SOURCE } from '../../support/balance/small-house';
import { failure, MONITOR } from '../../support/clients/fake-client';
import { KeptInMemory } from '../../support/houses/still-clock';

const zone = 'Europe/Amsterdam';
const { signal } = new AbortController();
const at = (iso: string) => Date.parse(iso);
const march = { start: at('2026-02-28T23:00:00Z'), end: at('2026-03-31T22:00:00Z') };
/** 24 hours of 30 days and the 23 hours of 29 March. */
const hoursOfMarch = (march.end - march.start) / hourMs;

/** A monitor at home with one meter, which is recorded by the hour except while it is away. */
class House {
  readonly asked: string[] = [];
  now = at('2026-05-10T12:00:00Z');
  away: [number, number][] = [];
  /** m³ in an hour. */
  flow: (hour: number) => number = () => this.perHour;
  /** The monitor records hours in which nothing flows. */
  recordsNothing = true;
  hasMinutes = true;
  hasCounter = false;
  /** Of requests for minutes. */
  failure: CemmError | null = null;

  constructor(
    readonly alias: string,
    readonly role: 'gas' | 'water',
  ) {}

  /** m³ */
  get perHour(): number {
    return this.role === 'gas' ? 0.1 : 0.02;
  }

  get parts(): BalanceParts {
    return {
      clock: { ...systemClock, now: () => millis(this.now) },
      reader: {
        timezone: zone,
        transport: 'local',
        knownMeters: () =>
          Promise.resolve({
            monitor: { id: MONITOR },
            meters: [{ alias: this.alias, role: this.role }],
            unanswered: null,
          }),
        readTotals: () => Promise.reject(new Error('A monitor at home has no readings of the past.')),
        readSeries: (_target, period) => {
          this.asked.push(period.label);
          if (this.failure !== null && period.unit === 'day') return Promise.reject(this.failure);
          const [step, points] =
            period.unit === 'day'
              ? (['PT1H', this.hasMinutes ? this.hours(period) : []] as const)
              : period.unit === 'month'
                ? (['P1D', this.sums('day', period)] as const)
                : (['P1M', this.sums('month', period)] as const);
          return Promise.resolve({
            schema: 'cemm/1',
            id: 'fake',
            ts: period.start,
            time: new Date(period.start).toISOString(),
            monitor: { id: MONITOR },
            meter: { alias: this.alias, role: this.role },
            source: this.source,
            kind: 'series',
            period: { ...period, step },
            fields: {},
            points: [...points],
            stats: { expected: 0, received: 0, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
            complete: true,
          });
        },
        readRealtime: () =>
          this.hasCounter
            ? Promise.resolve([
                {
                  schema: 'cemm/1',
                  id: 'fake',
                  ts: this.now,
                  time: new Date(this.now).toISOString(),
                  monitor: { id: MONITOR },
                  meter: { alias: this.alias, role: this.role },
                  source: this.source,
                  kind: 'realtime',
                  values: this.value((this.perHour * (this.now - march.start)) / hourMs),
                  times: {},
                  missing: {},
                },
              ])
            : Promise.reject(failure('ALIAS')),
        watchRealtime: () => () => undefined,
      },
    };
  }

  private get source() {
    return { ...SOURCE, fetchedAt: this.now };
  }

  private isAway(moment: number): boolean {
    return this.away.some(([from, to]) => from <= moment && moment < to);
  }

  private hours({ start, end }: Period): SeriesPoint[] {
    const points: SeriesPoint[] = [];
    for (let ts: number = start; ts < end; ts += hourMs) {
      const amount = this.flow(ts);
      if (!this.isAway(ts) && (amount > 0 || this.recordsNothing)) points.push({ ts, ...this.value(amount) });
    }
    return points;
  }

  private value(amount: number) {
    return { [this.role === 'gas' ? 'gas_m3' : 'water_m3']: amount };
  }

  /** What flows while the meter is away counts for the hour in which it is back. */
  private sums(unit: 'day' | 'month', { start, end }: Period): SeriesPoint[] {
    const points: SeriesPoint[] = [];
    for (let part = periodContaining(unit, zone, start); part.start < end; part = nextPeriod(part)) {
      let sum = 0;
      for (let ts = part.start - 20 * 24 * hourMs; ts < part.end; ts += hourMs) {
        let counted = ts;
        while (this.isAway(counted)) counted += hourMs;
        if (counted >= part.start && counted < part.end) sum += this.flow(ts);
      }
      points.push({ ts: part.start, ...this.value(Math.round(sum * 1e6) / 1e6) });
    }
    return points;
  }
}

function read(house: House, label: string, counters: CounterStore | null = null): Promise<BalancePayload> {
  const period = periodFromLabel(label, zone);
  const target = { monitor: null, meters: everyMeter, period, prices: null, wantsPeak: false, counters } as const;
  const step = period.unit === 'month' ? 'P1D' : 'P1M';
  return new Balances({ ...house.parts }).read({ ...target, step }, { signal });
}

describe('the own sums of a monitor at home', () => {
  for (const role of ['gas', 'water'] as const) {
    const field = role === 'gas' ? 'gas_m3' : 'water_m3';
    const houseOf = () => new House(role === 'gas' ? 'p1-gas' : 'wm', role);

    it(`of ${role} count where the meter was there at both ends, after one request for each`, async () => {
      const house = houseOf();
      house.away = [[at('2026-03-10T08:00:00Z'), at('2026-03-12T15:00:00Z')]];
      const { values, complete } = await read(house, '2026-03');
      should(values[field]).be.approximately(hoursOfMarch * house.perHour, 1e-6);
      complete.should.be.true();
      house.asked.should.deepEqual(['2026-03', '2026-03-01', '2026-03-31']);
    });

    for (const [story, from, to, unknown] of [
      ['a few hours before its start', '2026-02-28T10:00:00Z', '2026-03-01T10:00:00Z', 11],
      ['days before its start', '2026-02-24T10:00:00Z', '2026-03-03T10:00:00Z', 59],
      ['a few hours before its end', '2026-03-31T10:00:00Z', '2026-04-01T10:00:00Z', 12],
      ['days before its end', '2026-03-28T10:00:00Z', '2026-04-02T10:00:00Z', 84],
    ] as const) {
      it(`of ${role} are a lower bound, and marked, where the meter was away ${story}`, async () => {
        const house = houseOf();
        house.away = [[at(from), at(to)]];
        const { values, complete, coverage } = await read(house, '2026-03');
        should(values[field]).be.approximately((hoursOfMarch - unknown) * house.perHour, 1e-6);
        complete.should.be.false();
        should(coverage[field]).be.approximately(1 - unknown / hoursOfMarch, 1e-4);
      });
    }

    it(`of ${role} of a year are read by day and by hour where the meter was away at New Year`, async () => {
      const house = houseOf();
      house.away = [[at('2024-12-30T10:00:00Z'), at('2025-01-02T10:00:00Z')]];
      const { values, complete } = await read(house, '2025');
      should(values[field]).be.approximately((365 * 24 - 35) * house.perHour, 1e-6);
      complete.should.be.false();
      house.asked.should.containDeepOrdered(['2025', '2025-01-01', '2025-01', '2025-01-02']);
    });

    it(`of ${role} stay where the minutes of that time are no longer stored`, async () => {
      const house = houseOf();
      house.hasMinutes = false;
      const { values, complete } = await read(house, '2026-03');
      should(values[field]).be.approximately(hoursOfMarch * house.perHour, 1e-6);
      complete.should.be.true();
    });

    it(`of ${role} give way to the readings of both midnights, also with a reading between them`, async () => {
      const house = houseOf();
      house.hasCounter = true;
      const store = new KeptInMemory();
      for (const moment of ['09T23:00:00', '10T10:00:00', '10T23:00:00', '11T23:00:00']) {
        house.now = at(`2026-03-${moment}Z`);
        await new Balances(house.parts).keepCounters({ monitor: null, meters: everyMeter }, store, { signal });
      }
      house.now = at('2026-05-10T12:00:00Z');
      // The monitor has lost this day, and shows 0.
      const isLost = (hour: number) => hour >= at('2026-03-09T23:00:00Z') && hour < at('2026-03-10T23:00:00Z');
      house.flow = (hour) => (isLost(hour) ? 0 : house.perHour);
      const { values, points = [] } = await read(house, '2026-03', store);
      should(points[9]?.[field]).be.approximately(24 * house.perHour, 1e-6);
      should(values[field]).be.approximately(hoursOfMarch * house.perHour, 1e-6);
    });

    it(`of ${role} are unknown where they are 0 and the meter was away at an end`, async () => {
      const house = houseOf();
      house.flow = () => 0;
      should((await read(house, '2026-03')).values[field]).equal(0);
      house.away = [[at('2026-03-20T10:00:00Z'), at('2026-04-02T10:00:00Z')]];
      const { values, missing } = await read(house, '2026-03');
      should(values[field]).be.null();
      should(missing[field]).equal('not_measured');
    });
  }

  it('of a pulse meter count where it sends nothing at night', async () => {
    const house = new House('pulse-2', 'water');
    house.recordsNothing = false;
    house.flow = (hour) => (new Date(hour).getUTCHours() >= 6 && new Date(hour).getUTCHours() < 20 ? 0.1 : 0);
    const { values, complete } = await read(house, '2026-03');
    should(values['water_m3']).be.approximately(31 * 1.4, 1e-6);
    complete.should.be.true();
  });

  it('of a month that is not over are held against the minutes of its first day alone', async () => {
    const house = new House('wm', 'water');
    house.now = at('2026-03-20T12:00:00Z');
    await read(house, '2026-03');
    house.asked.should.deepEqual(['2026-03', '2026-03-01']);
  });

  it('stay where the minutes cannot be read, each of which is asked once', async () => {
    const house = new House('p1-gas', 'gas');
    house.failure = failure('ALIAS');
    const { values } = await read(house, '2026-03');
    should(values['gas_m3']).be.approximately(hoursOfMarch * house.perHour, 1e-6);
    house.asked.should.deepEqual(['2026-03', '2026-03-01', '2026-03-31']);
  });
});
