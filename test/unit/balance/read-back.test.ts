/** The past of a monitor in the own network, read backwards in the background (src/balance/requests/read-back.ts). */
import should from 'should';
import { Balances } from '../../../src/balance/balances';
import type { HouseReader } from '../../../src/balance/house-reader';
import { everyMeter } from '../../../src/balance/meters/choice';
import { monthsOf, periodContaining, type SeriesPeriod } from '../../../src/calendar/periods';
import type { MonitorClient, OpenApiKind, RequestOf } from '../../../src/clients/client';
import { connectTo } from '../../support/clients/in-process';
import { CemmError } from '../../../src/errors';
import type { PeriodSeriesPayload } from '../../../src/model/payload';
import { dayMs, millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { SOURCE } from '../../support/balance/small-house';
import { MONITOR } from '../../support/clients/fake-client';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { KeptInMemory } from '../../support/houses/still-clock';
import { FakeClock } from '../../support/time/fake-clock';

const zone = 'Europe/Amsterdam';
const noon = '2026-11-03T14:20:00+01:00';
const since = '2026-08-10T00:00:00+02:00';
const target = { monitor: null, meters: everyMeter };
const user = { signal: new AbortController().signal };

class MovingClock extends FakeClock {
  get moment(): number {
    return this.now();
  }
}

interface Sent {
  readonly at: number;
  /** Such as `series p1 day 2026-10-12`, or its kind alone. */
  readonly name: string;
}

function nameOf(request: RequestOf<OpenApiKind>): string {
  if (!('unit' in request)) return request.kind;
  const { label } = periodContaining('day', zone, millis(request.time * 1000));
  return `series ${request.alias} ${request.unit} ${label}`;
}

/** A simulated monitor that keeps nothing to itself: each request and its monotonic time. */
class OpenHouse {
  readonly sent: Sent[] = [];
  isAway = false;
  readonly balances: Balances;
  readonly connection: ReturnType<typeof connectTo>;

  constructor(
    readonly clock: MovingClock,
    past: PastDays,
  ) {
    const house = new SimulatedHouse('standard', clock.now(), Date.parse(since), clock);
    const client = house.client('local', clock);
    const { sent } = this;
    const isAway = (): boolean => this.isAway;
    const watched: MonitorClient = {
      limits: client.limits,
      transport: 'local',
      request: (request, options) => {
        sent.push({ at: clock.monotonic(), name: nameOf(request) });
        if (isAway()) return Promise.reject(new CemmError('NETWORK'));
        return client.request(request, options);
      },
      close: () => undefined,
    };
    this.connection = connectTo({ client: watched, clock, past });
    this.balances = new Balances({ reader: this.connection, clock, readsBack: true });
  }

  get days(): string[] {
    return this.sent.flatMap(({ name }) => (name.startsWith('series p1 day') ? [name.slice(-10)] : []));
  }

  async readAll(): Promise<void> {
    this.balances.readBack(target);
    for (let hour = 0; hour < 48 && this.balances.readBackState?.isDone === false; hour += 1) {
      await this.clock.advance(3_600_000);
    }
    should(this.balances.readBackState?.isDone).be.true();
  }
}

const inMemory = (clock: FakeClock): PastDays => new PastDays({ folder: null, clock, onProblem: () => undefined });

/** A monitor that has 1 kWh in each month of `known`, and answers at once. */
function fakeReader(known: (label: string) => boolean, asked: SeriesPeriod[]): HouseReader {
  const answer = (period: SeriesPeriod): PeriodSeriesPayload => {
    const months = period.unit === 'year' ? monthsOf(period) : [period];
    return {
      schema: 'cemm/1',
      kind: 'series',
      id: 'fake',
      ts: period.start,
      time: '',
      monitor: { id: MONITOR },
      meter: { alias: 'p1', role: 'grid' },
      source: SOURCE,
      period: { ...period, step: period.unit === 'year' ? 'P1M' : period.unit === 'month' ? 'P1D' : 'PT1M' },
      fields: {},
      points: months.map(({ start, label }) => ({ ts: start, energy_net_kwh: known(label.slice(0, 7)) ? 1 : 0 })),
      stats: { expected: 0, received: 0, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
      complete: true,
    };
  };
  return {
    timezone: zone,
    transport: 'local',
    knownMeters: () =>
      Promise.resolve({ monitor: { id: MONITOR }, meters: [{ alias: 'p1', role: 'grid' }], unanswered: null }),
    readSeries: (_target, period) => {
      asked.push(period);
      return Promise.resolve(answer(period));
    },
    readRealtime: () => Promise.resolve([]),
    readTotals: () => Promise.reject(new CemmError('UNSUPPORTED')),
    watchRealtime: () => () => undefined,
  };
}

async function readFake(
  known: (label: string) => boolean,
): Promise<{ readonly labels: string[]; readonly month: unknown }> {
  const clock = new MovingClock(noon);
  const asked: SeriesPeriod[] = [];
  const balances = new Balances({ reader: fakeReader(known, asked), clock, readsBack: true });
  balances.readBack(target);
  for (let hour = 0; hour < 24 && balances.readBackState?.isDone === false; hour += 1) await clock.advance(3_600_000);
  should(balances.readBackState?.isDone).be.true();
  balances.close();
  return { labels: asked.map(({ label }) => label), month: balances.readBackState?.month };
}

describe('reading back', function () {
  this.timeout(120_000);

  it('reads the days that are over from the newest one backwards, at most one request a second, until the monitor was not there', async () => {
    const open = new OpenHouse(new MovingClock(noon), inMemory(new FakeClock(noon)));
    should(open.balances.readBackState).eql({ month: null, hasBegun: false, isDone: false });
    await open.readAll();
    const { days, sent } = open;
    should(days[0]).equal('2026-11-02');
    should(days).eql([...new Set(days)].sort().reverse());
    should(days.filter((label) => label >= '2026-08-10')).have.length(85);
    // Months before its first one have a sum of 0, so their days are not requested.
    should(days.at(-1)).be.equal('2026-08-01');
    should(sent.some(({ name }) => name.startsWith('series p1 month 2026-07'))).be.false();
    const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    // The newest time of the monitor is asked for beside the first day.
    should(gaps.filter((gap) => gap < 1_000).length).be.belowOrEqual(2);
    should(open.balances.readBackState).eql({ month: '2026-08', hasBegun: true, isDone: true });
  });

  it('leaves nothing of the past to be requested for a year, or after a restart', async () => {
    const clock = new MovingClock(noon);
    const past = inMemory(clock);
    const open = new OpenHouse(clock, past);
    await open.readAll();
    const before = open.sent.length;
    const year = await open.balances.read(
      {
        ...target,
        period: periodContaining('year', zone, clock.now()),
        step: 'P1M',
        prices: null,
        wantsPeak: false,
        counters: new KeptInMemory(),
      },
      user,
    );
    should(year.values['energy_import_kwh']).be.above(0);
    const running = /realtime|monitors|meters|(month|year) 2026-(11|01)|day 2026-11-03/;
    const asked = open.sent.slice(before).filter(({ name }) => !running.test(name));
    // Gas and water are sums of days; the minutes show where they begin.
    should(asked.filter(({ name }) => !/^series (p1-gas|pulse-2) day 2026-08-(0\d|10)$/.test(name))).eql([]);
    const later = new OpenHouse(clock, past);
    await later.readAll();
    should(later.days).eql([]);
    should(later.balances.readBackState?.month).equal('2026-08');
  });

  it('waits while anything else is requested', async () => {
    const clock = new MovingClock(noon);
    const asked: SeriesPeriod[] = [];
    let isIdle = false;
    const reader = Object.defineProperty(
      fakeReader(() => true, asked),
      'isIdle',
      { get: () => isIdle },
    );
    const balances = new Balances({ reader, clock, readsBack: true });
    balances.readBack(target);
    await clock.advance(60_000);
    should(asked).be.empty();
    isIdle = true;
    await clock.advance(60_000);
    should(asked.length).be.within(50, 60);
    balances.close();
  });

  it('waits ten minutes after a failure, and goes on with the same day', async () => {
    const open = new OpenHouse(new MovingClock(noon), inMemory(new FakeClock(noon)));
    open.balances.readBack(target);
    await open.clock.advance(60_000);
    open.isAway = true;
    await open.clock.advance(10_000);
    const before = open.sent.length;
    const failed = open.sent.at(-1)?.name;
    await open.clock.advance(500_000);
    should(open.sent.length).equal(before);
    open.isAway = false;
    await open.clock.advance(105_000);
    // The address is verified before the request is sent again.
    const again = open.sent.slice(before).find(({ name }) => name.startsWith('series'));
    should(again?.name).equal(failed);
    open.balances.close();
  });

  it('ends after 36 months, and after a year of nothing', async () => {
    const all = await readFake(() => true);
    should(all.month).equal('2023-12');
    should(all.labels).containEql('2023-12-01').and.not.containEql('2023-11-30');
    // A house that was not measured for eleven months.
    const gap = await readFake((label) => label >= '2026-03' || (label < '2025-04' && label >= '2025-02'));
    should(gap.month).equal('2025-02');
    should(gap.labels).not.containEql('2026-02-28').and.not.containEql('2025-04-01');
    const long = await readFake((label) => label >= '2026-03' || label < '2025-03');
    should(long.month).equal('2026-03');
  });

  it('reads the days that were over since, once it is wanted again a day later', async () => {
    const open = new OpenHouse(new MovingClock(noon), inMemory(new FakeClock(noon)));
    await open.readAll();
    const before = open.days.length;
    open.balances.readBack(target);
    await open.clock.advance(60_000);
    should(open.days).have.length(before);
    await open.clock.advance(2 * dayMs);
    await open.readAll();
    should(open.days.slice(before).length).be.within(2, 4);
  });

  it('reads the other monitors where one does not exist', async () => {
    const clock = new MovingClock(noon);
    const asked: SeriesPeriod[] = [];
    const reader = fakeReader((label) => label >= '2026-10', asked);
    const knownMeters: HouseReader['knownMeters'] = (monitor, ask) =>
      monitor === 'mistyped'
        ? Promise.reject(new CemmError('INPUT', { reason: 'unknown_monitor' }))
        : reader.knownMeters(monitor, ask);
    const balances = new Balances({ reader: { ...reader, knownMeters }, clock, readsBack: true });
    balances.readBack({ ...target, monitor: 'mistyped' });
    balances.readBack(target);
    for (let hour = 0; hour < 24 && balances.readBackState?.isDone === false; hour += 1) await clock.advance(3_600_000);
    should(balances.readBackState).containEql({ isDone: true, month: '2026-10' });
    should(asked.map(({ label }) => label)).containEql('2026-11-02');
    balances.close();
  });

  it('ends at once when the connection closes', async () => {
    const open = new OpenHouse(new MovingClock(noon), inMemory(new FakeClock(noon)));
    open.balances.readBack(target);
    await open.clock.advance(30_000);
    open.balances.close();
    const before = open.sent.length;
    await open.clock.advance(60_000);
    should(open.sent).have.length(before);
    should(open.clock.timerCount).equal(0);
  });

  it('reads nothing where the connection does not do so', async () => {
    const clock = new MovingClock(noon);
    const asked: SeriesPeriod[] = [];
    const balances = new Balances({ reader: fakeReader(() => true, asked), clock });
    balances.readBack(target);
    await clock.advance(60_000);
    should(asked).be.empty();
    should(balances.readBackState).be.null();
  });
});
