/** The hours of a year, as the question with `hours` gets them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import type { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { hoursOfYear } from '../../../src/balance/period/hours-of-year';
import { periodContaining } from '../../../src/calendar/periods';
import { openBalances } from '../../support/clients/in-process';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs, dayMs, millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { meter, minutesFrom, period, reading, SOURCE, zone } from '../../support/balance/small-house';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { KeptInMemory, StillClock } from '../../support/houses/still-clock';

const now = Date.parse('2026-11-03T14:20+01:00');
const { start } = period('2026');
const fields = { import: 'energy_import_kwh', export: 'energy_export_kwh' } as const;
const user = { signal: new AbortController().signal };
const target = { monitor: null, meters: everyMeter, step: 'P1M', prices: null, wantsPeak: false } as const;

/** Wh of an hour. */
const mostBothWays = 15;

class OpenHouse {
  readonly house: SimulatedHouse;
  readonly balances: Balances;

  constructor(
    private readonly clock: StillClock,
    transport: 'local' | 'remote',
    since: string,
    past: PastDays | null = null,
  ) {
    this.house = new SimulatedHouse('demo', now, Date.parse(since), clock);
    this.balances = openBalances({ client: this.house.client(transport, clock), clock, past }).balances;
  }

  read(unit: 'year' | 'day', wantsHours: boolean, counters = new KeptInMemory(), at = this.clock.moment) {
    const asked = periodContaining(unit, zone, millis(at));
    const step = unit === 'day' ? 'PT1H' : 'P1M';
    return this.balances.read({ ...target, step, period: asked, wantsHours, counters }, user);
  }

  /**
   * The known hours that differ from what flowed. Import and export within a minute cancel out, and minutes are rounded; where counters show
   * more, in which minutes it flowed is not known exactly, but it is the same in both directions.
   */
  wrong({ hours }: BalancePayload): string[] {
    const [taken = [], given = []] = Object.values(fields).map((field) => hours?.[field]);
    return taken.flatMap((wh, index) => {
      const [from, other] = [start + index * hourMs, given[index] ?? null];
      if (wh === null || other === null) return [];
      const flowed = (flow: 'import' | 'export') => 1000 * (this.house.flowed(flow, from, from + hourMs) ?? NaN);
      const [imported, exported] = [flowed('import'), flowed('export')];
      const slack = 2 + 0.002 * (imported + exported);
      const isRight =
        Math.abs(wh - other - (imported - exported)) <= slack &&
        wh <= imported + slack + mostBothWays &&
        other <= exported + slack + mostBothWays;
      return isRight ? [] : [`${new Date(from).toISOString()} ${wh} ${other}, ${imported} ${exported}`];
    });
  }
}

function indexAt(iso: string): number {
  return (Date.parse(iso) - start) / hourMs;
}

describe('the hours of a year', function () {
  this.timeout(120_000);

  it('are what flowed in each clock hour, across both changes of the clock, up to the last hour that is over', async () => {
    const open = new OpenHouse(new StillClock(now), 'local', '2026-03-20T00:00+01:00');
    const year = await open.read('year', true);
    const { hours = {} } = year;
    should(Object.keys(hours)).eql(Object.values(fields));
    const first = indexAt('2026-03-20T01:00+01:00');
    for (const list of Object.values(hours)) {
      should(list).have.length(indexAt('2026-11-03T14:00+01:00'));
      should(list.slice(0, first - 1).every((wh) => wh === null)).be.true();
      should(list.slice(first).filter((wh) => wh === null)).have.length(0);
      should(list.slice(first).every(Number.isInteger)).be.true();
    }
    should(open.wrong(year)).eql([]);
    const sum = (hours[fields.import] ?? []).reduce<number>((total, wh) => total + (wh ?? 0), 0);
    should(sum / 1000).be.approximately(Number(year.values[fields.import]), 3);
    should(JSON.stringify(hours).length).be.below(60_000);
  });

  it('are known in the own network also where the counters alone show the months', async () => {
    const clock = new StillClock(Date.parse('2026-08-01T00:00:20+02:00'));
    const open = new OpenHouse(clock, 'local', '2026-07-20T00:00+02:00');
    const store = new KeptInMemory();
    for (const midnight of ['2026-08-01T00:00:20+02:00', '2026-09-01T00:00:20+02:00', '2026-10-01T00:00:20+02:00']) {
      clock.moment = Date.parse(midnight);
      await open.balances.keepCounters(target, store, user);
    }
    clock.moment = Date.parse('2026-10-03T14:20+02:00');
    const plain = await open.read('year', false, store);
    const year = await open.read('year', true, store);
    should(plain).not.have.property('hours');
    should(year.values).eql(plain.values);
    const list = year.hours?.[fields.import] ?? [];
    should(list.slice(indexAt('2026-08-01T00:00+02:00')).filter((wh) => wh === null)).have.length(0);
    should(open.wrong(year)).eql([]);
  });

  it('are those of the days that are kept, over the internet, without a request for them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cemm-hours-'));
    const clock = new StillClock(now);
    const past = new PastDays({ folder, clock, onProblem: (problem) => should(problem).be.undefined() });
    const openWith = (): OpenHouse => new OpenHouse(clock, 'remote', '2026-03-20T00:00+01:00', past);
    const open = openWith();
    const seen = ['2026-03-29', '2026-06-15', '2026-10-25'].map(period);
    for (const day of seen) await open.read('day', false, undefined, day.start);
    await past.flush();
    await openWith().read('year', false);
    const plain = await openWith().read('year', false);
    const again = openWith();
    const year = await again.read('year', true);
    should(year.values).eql(plain.values);
    should(year.source.requests).equal(plain.source.requests);
    const list = year.hours?.[fields.import] ?? [];
    const known = list.flatMap((wh, index) => (wh === null ? [] : start + index * hourMs));
    const wanted = seen.flatMap((day) =>
      Array.from({ length: (day.end - day.start) / hourMs }, (_, hour) => day.start + hour * hourMs),
    );
    should(wanted).have.length(23 + 24 + 25);
    should(known).eql(wanted);
    should(again.wrong(year)).eql([]);
    await rm(folder, { recursive: true, force: true });
  });

  it('are null for a day of which only counters are known, and for a field that cannot be read', async () => {
    const day = start + 2 * dayMs;
    const minutes = (watt: number, count: number) => Array.from({ length: count }, () => watt);
    const readings = [0, 1, 2, 3, 4].map((after) => reading('import', start + after * dayMs, 24 * after));
    const known = minutesFrom(start, [
      ...minutes(1000, 2880),
      ...Array.from({ length: 1440 }, () => null),
      ...minutes(1000, 1440),
    ]);
    const p1 = meter('p1', 'grid', { readings, shapes: { import: known }, offersExport: false });
    const house = {
      monitor: { id: '001122aabbcc' },
      period: period('2026'),
      slots: 'minutes',
      source: SOURCE,
    } as const;
    const hours = await hoursOfYear({ ...house, meters: [p1], now: start + 4 * dayMs + 30 * 60_000 });
    const list = hours[fields.import] ?? [];
    should(list.flatMap((wh, hour) => (wh === null ? hour : []))).eql(
      Array.from({ length: 24 }, (_, hour) => (day - start) / hourMs + hour),
    );
    should(list.filter((wh) => wh !== null).every((wh) => wh === 1000)).be.true();
    should(list).have.length(96);
    should(hours[fields.export]?.[0]).equal(0);
    should(hours[fields.export]?.[50]).equal(null);
    const away = await hoursOfYear({ ...house, meters: [{ ...p1, isReadable: false }], now: start + hourMs });
    should(away).eql({ energy_import_kwh: [null], energy_export_kwh: [null] });
    should(await hoursOfYear({ ...house, meters: [], now })).eql({});
  });
});
