/** Series of periods that are over, kept and served by a connection (src/connection/kept-series.ts). */
import should from 'should';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { type SeriesPeriod, periodContaining, periodFromLabel } from '../../../src/calendar/periods';
import type { MonitorRequest } from '../../../src/clients/client';
import type { CemmError } from '../../../src/errors';
import type { OpenApiConnection } from '../../../src/connection/open-api-connection';
import { connectTo } from '../../support/clients/in-process';
import type { BalancePayload, PeriodSeriesPayload, Role } from '../../../src/model/payload';
import type { SeriesResponse } from '../../../src/protocol/responses';
import { millis } from '../../../src/time/units';
import { type KeepProblem, PastDays } from '../../../src/store/past-days';
import {
  FakeClient,
  failure,
  healthy,
  io,
  MONITOR,
  monitorRecord,
  OTHER,
  type Value,
} from '../../support/clients/fake-client';
import { makeReadOptions, ZONE } from '../../support/clients/open-api-connection';
import { timeOf } from '../../support/houses/by-chance';
import { FakeMonitor } from '../../support/houses/fake-monitor';
import { randomHouse } from '../../support/houses/random-house';
import { StillClock } from '../../support/houses/still-clock';
import { FakeClock } from '../../support/time/fake-clock';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const day = periodFromLabel('2026-10-25', ZONE);
const p1 = { monitor: null, alias: 'p1', role: 'auto' } as const;

const iso = (moment: number): string => new Date(moment).toISOString();

function minutesOf({ start, end }: SeriesPeriod, missing = 0): SeriesResponse {
  const count = (end - start) / minuteMs - missing;
  const times = Float64Array.from({ length: count }, (_, minute) => start + minute * minuteMs).reverse();
  const values = times.map((time) => (((time / minuteMs) * 7919) % 4001) / 2 - 900);
  return {
    ioId: 1,
    time: start,
    channels: new Map([
      ['electric_power', { times, values, withoutTime: 1, malformed: 0 }],
      ['gas', { times: Float64Array.of(start), values: Float64Array.of(0.25), withoutTime: 0, malformed: 0 }],
    ]),
  };
}

function withoutSource({ source: { transport }, ...rest }: PeriodSeriesPayload): object {
  return { ...rest, transport };
}

describe('series that are kept', () => {
  let folder: string;
  let problems: KeepProblem[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-series-'));
    problems = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const room = (clock: FakeClock | StillClock): PastDays =>
    new PastDays({ folder, clock, onProblem: (problem) => problems.push(problem) });

  interface Started {
    readonly clock: FakeClock;
    readonly client: FakeClient;
    readonly past: PastDays;
    readonly connection: OpenApiConnection;
    /** Returns when the file is written. */
    read(target?: { alias?: string; role?: Role | 'auto' }, period?: SeriesPeriod): Promise<PeriodSeriesPayload>;
    /** Requests in the background have ended. */
    settled(): Promise<void>;
  }

  interface Program {
    readonly transport?: 'remote' | 'local';
    /** Minutes that the monitor does not have. */
    readonly missing?: number;
    /** Undefined: the usual answer. */
    readonly script?: (request: MonitorRequest) => Value | CemmError | undefined;
  }

  /** A program that starts at this moment. */
  function start(at: number, { transport = 'remote', missing = 0, script }: Program = {}): Started {
    const clock = new FakeClock(iso(at));
    const client = new FakeClient(clock, transport);
    const answers = healthy(clock);
    client.script = (request) => {
      const scripted = script?.(request);
      if (scripted !== undefined) return scripted;
      if (request.kind !== 'series') return answers(request);
      return minutesOf(periodContaining('day', ZONE, millis(request.time * 1000)), missing);
    };
    const past = room(clock);
    const connection = connectTo({ client, clock, past });
    return {
      clock,
      client,
      past,
      connection,
      async read(target = {}, period = day) {
        const payload = await connection.readSeries({ ...p1, ...target }, period, makeReadOptions());
        await past.flush();
        return payload;
      },
      async settled() {
        for (let turn = 0; turn < 20; turn += 1) {
          clock.tick(1);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await past.flush();
      },
    };
  }

  for (const transport of ['remote', 'local'] as const) {
    for (const [label, hours] of [
      ['2026-03-29', 23],
      ['2026-07-01', 24],
      ['2026-10-25', 25],
    ] as const) {
      it(`give the same ${hours} hours after a restart, without a request (${transport})`, async () => {
        const period = periodFromLabel(label, ZONE);
        const first = start(period.end + 2 * dayMs, { transport });
        const read = await first.read({}, period);
        should(read.source).not.have.property('kept');
        read.points.length.should.equal(hours * 60);
        const later = start(period.end + 100 * dayMs, { transport });
        const kept = await later.read({}, period);
        later.client.count('series').should.equal(0);
        should(withoutSource(kept)).deepEqual(withoutSource(read));
        should(kept.source).deepEqual({
          transport,
          fetchedAt: first.clock.now(),
          latencyMs: 0,
          requests: 0,
          promises: 0,
          kept: true,
          keptAt: first.clock.now(),
        });
      });
    }
  }

  it('are equal to those of the monitor, of days, months and years of random houses', async function () {
    this.timeout(60_000);
    for (let seed = 1; seed <= 12; seed += 1) {
      const house = randomHouse(seed, timeOf(seed, 40));
      const now = house.end + 500 * dayMs;
      const clock = new StillClock(now);
      const monitor = new FakeMonitor(house, () => now);
      const readAll = async (past: PastDays | null): Promise<PeriodSeriesPayload[]> => {
        const connection = connectTo({ client: monitor, clock, past });
        const payloads: PeriodSeriesPayload[] = [];
        for (const { alias } of (await connection.listMeters(null, makeReadOptions())).meters) {
          if (alias === undefined) continue;
          for (const unit of ['day', 'month', 'year'] as const) {
            const period = periodContaining(unit, house.timezone, millis(house.start + 3 * dayMs));
            payloads.push(await connection.readSeries({ ...p1, alias }, period, makeReadOptions()));
          }
        }
        await past?.flush();
        return payloads;
      };
      await rm(folder, { recursive: true, force: true });
      await readAll(room(clock));
      const asked = monitor.requests;
      const kept = await readAll(room(clock));
      const lists = monitor.requests - asked;
      const fresh = await readAll(null);
      should(kept.map(withoutSource)).deepEqual(fresh.map(withoutSource), `house ${seed}`);
      for (const { source } of kept) should(source.kept).be.true();
      // The same lists, and a request for each series.
      (monitor.requests - asked - 2 * lists).should.be.aboveOrEqual(kept.length);
    }
  });

  it('are days after three hours, read again once after two days, and, with a gap, after 7 and 30', async () => {
    const isKept = async (readAfter: number, thenAfter: number, missing: number): Promise<[boolean, number]> => {
      await rm(folder, { recursive: true, force: true });
      await start(day.end + readAfter, { missing }).read();
      const later = start(day.end + thenAfter, { missing });
      const { source } = await later.read();
      await later.settled();
      return [source.kept === true, later.client.count('series')];
    };
    for (const missing of [0, 1]) {
      (await isKept(3 * hourMs - 1, 3 * hourMs, missing)).should.deepEqual([false, 1]);
      (await isKept(3 * hourMs, 2 * dayMs - 1, missing)).should.deepEqual([true, 0]);
      (await isKept(3 * hourMs, 2 * dayMs, missing)).should.deepEqual([true, 1]);
    }
    (await isKept(2 * dayMs, 400 * dayMs, 0)).should.deepEqual([true, 0]);
    (await isKept(3 * dayMs, 7 * dayMs - 1, 1)).should.deepEqual([true, 0]);
    (await isKept(3 * dayMs, 7 * dayMs, 1)).should.deepEqual([true, 1]);
    (await isKept(7 * dayMs, 30 * dayMs - 1, 1)).should.deepEqual([true, 0]);
    (await isKept(7 * dayMs, 30 * dayMs, 1)).should.deepEqual([true, 1]);
    (await isKept(30 * dayMs, 37 * dayMs - 1, 1)).should.deepEqual([true, 0]);
    (await isKept(30 * dayMs, 37 * dayMs, 1)).should.deepEqual([true, 1]);
  });

  it('are completed by what the monitor sends later', async () => {
    await start(day.end + 3 * dayMs, { missing: 200 }).read();
    const program = start(day.end + 8 * dayMs, { missing: 0 });
    (await program.read()).complete.should.be.false();
    await program.settled();
    const second = await program.read();
    second.complete.should.be.true();
    const third = start(day.end + 9 * dayMs);
    should(withoutSource(await third.read())).deepEqual(withoutSource(second));
    third.client.count('series').should.equal(0);
  });

  it('are not those of a running day', async () => {
    const running = start(day.end - hourMs);
    await running.read();
    await running.read();
    running.client.count('series').should.equal(2);
    // Read by a clock that was wrong.
    await start(day.end + 4 * dayMs).read();
    should((await start(day.end - 1).read()).source).not.have.property('kept');
  });

  it('are shown only once the monitor has confirmed who it is, and are not those of another one', async () => {
    await start(day.end + 3 * dayMs).read();
    const away = start(day.end + 4 * dayMs, { script: ({ kind }) => (kind === 'monitors' ? failure() : undefined) });
    await away.read().should.be.rejectedWith({ code: 'NETWORK' });
    const replaced = start(day.end + 4 * dayMs, {
      missing: 5,
      script: ({ kind }) => (kind === 'monitors' ? [monitorRecord(OTHER)] : undefined),
    });
    const other = await replaced.read();
    replaced.client.count('series').should.equal(1);
    should(other.monitor.id).equal(OTHER);
    other.stats.gaps.should.equal(5);
    const back = start(day.end + 4 * dayMs);
    should((await back.read()).source.kept).be.true();
    back.client.count('series').should.equal(0);
    (await readdir(folder)).should.deepEqual([MONITOR, OTHER]);
  });

  it('have the role and the name of now', async () => {
    await start(day.end + 2 * dayMs).read();
    const script = (request: MonitorRequest) =>
      request.kind === 'monitors' ? [monitorRecord(MONITOR, 'New')] : undefined;
    const later = start(day.end + 3 * dayMs, { script });
    const kept = await later.read({ role: 'production' });
    later.client.count('series').should.equal(0);
    should(kept.meter.role).equal('production');
    should(kept.monitor.name).equal('New');
    kept.fields.should.have.property('power_production_w');
    await later.past.readAgain(null);
    should(withoutSource(await later.read({ role: 'production' }))).deepEqual(withoutSource(kept));
    later.client.count('series').should.equal(1);
  });

  it('are each those of one meter, period and interface', async () => {
    const meters = (request: MonitorRequest) =>
      request.kind === 'meters' ? [io(1, 'p1', 'p1'), io(2, 'electric', 's01')] : undefined;
    await start(day.end + 40 * dayMs, { script: meters }).read();
    for (const [options, target, period] of [
      [{}, { alias: 's01' }, day],
      [{}, {}, periodFromLabel('2026-10-24', ZONE)],
      [{}, {}, periodFromLabel('2026-10', ZONE)],
      [{ transport: 'local' }, {}, day],
    ] as const) {
      const other = start(day.end + 41 * dayMs, { script: meters, ...options });
      should((await other.read(target, period)).source).not.have.property('kept');
    }
  });

  it('are asked for again where the file is damaged, or holds something else', async () => {
    const first = await start(day.end + 2 * dayMs).read();
    const path = join(folder, MONITOR, '2026-10.series');
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, -1));
    const second = start(day.end + 2 * dayMs);
    should(withoutSource(await second.read())).deepEqual(withoutSource(first));
    problems.should.deepEqual(['damaged']);
    const files = (await readdir(join(folder, MONITOR))).filter((name) => name.includes('.series'));
    files.sort().should.deepEqual(['2026-10.series', '2026-10.series.bad']);
    const name = `remote p1 day ${day.start}-${day.end}`;
    for (const value of [null, 1, [], {}, { asOf: 1 }, { channels: [] }, { channels: 1 }]) {
      const other = start(day.end + 2 * dayMs);
      await other.past.keep({ kind: 'series', house: MONITOR, start: day.start, name }, value, () => value);
      should((await other.read()).source).not.have.property('kept');
      should((await other.read()).source.kept).be.true();
    }
  });

  async function balanceOf({ connection, clock, past }: Started): Promise<BalancePayload> {
    const target = { monitor: null, meters: everyMeter, period: day, step: 'PT1H', prices: null } as const;
    const balances = new Balances({ reader: connection, clock });
    const balance = await balances.read({ ...target, wantsPeak: false, counters: null }, makeReadOptions());
    await past.flush();
    return balance;
  }

  it('are kept of a day that a balance has read, and the other way round', async () => {
    const first = start(day.end + 2 * dayMs, { transport: 'local' });
    const balance = await balanceOf(first);
    const second = start(day.end + 2 * dayMs, { transport: 'local' });
    should((await second.read()).source.kept).be.true();
    await rm(folder, { recursive: true, force: true });
    await start(day.end + 2 * dayMs, { transport: 'local' }).read();
    const third = start(day.end + 3 * dayMs, { transport: 'local' });
    const kept = await balanceOf(third);
    should(kept.source.kept).be.true();
    third.client.calls
      .flatMap(({ request }) => (request.kind === 'series' ? [iso(request.time * 1000)] : []))
      .should.not.containEql(iso(day.start));
    should(kept.values).deepEqual(balance.values);
  });
});
