/** The library in a program, against the simulator. */
import { rejects, throws } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import {
  connect,
  discover,
  toMonitorId,
  type Cemm,
  type CemmError,
  type ConnectOptions,
  type Prices,
} from '../../../src/index';
import { createSimulatedClock, millis, startSimulator, type Simulator } from '../../../src/simulator/index';
import { requestsTo } from '../../support/node-red/remote-flow';
import { until } from '../../support/until';
import { weeksAgo } from '../../support/time/recent';

/** A quarter past noon of a winter day. */
const noon = millis(Date.parse('2026-02-10T12:15:00Z'));

describe('connect', function () {
  // Waits for conditions; the machine may be slow.
  this.timeout(120_000);

  let simulator: Simulator;
  let cemm: Cemm;

  before(async () => {
    simulator = await startSimulator({
      localPort: 0,
      remotePort: 0,
      udpPort: 0,
      clock: createSimulatedClock({ start: noon }),
      since: millis(Date.parse('2025-12-01T00:00:00Z')),
    });
  });
  before(async () => {
    cemm = await connect({ host: String(simulator.local), allowLoopback: true });
  });
  after(async () => {
    await cemm.close();
    await simulator.close();
  });

  /** Number of requests whose path has this part. */
  function requestsOf(part: string): number {
    return [...simulator.requests].reduce((sum, [path, count]) => sum + (path.includes(part) ? count : 0), 0);
  }

  it('reads one meter by its alias and every meter without one', async () => {
    const meters = await cemm.meters();
    const all = await cemm.realtime();
    all.length.should.be.above(2);
    should(all.map(({ meter }) => meter.alias)).eql(meters.map(({ alias }) => alias));
    const p1 = await cemm.realtime('p1');
    p1.kind.should.equal('realtime');
    should(p1.values['power_w']).be.a.Number();
    should(p1.meter.role).equal('grid');
  });

  it('names the monitor, and takes its MAC address in any spelling', async () => {
    const [monitor] = await cemm.monitors();
    const mac = String(simulator.monitors[0]?.mac);
    should(monitor?.id).equal(toMonitorId(mac));
    const reading = await cemm.realtime('p1', { monitor: mac.replaceAll(':', '-') });
    should(reading.monitor.id).equal(toMonitorId(mac));
  });

  const today = '2026-02-10';
  it('gives the balance of a day: what was taken less what was given is the difference of the meter', async () => {
    const balance = await cemm.balance({ day: '2026-02-09' }, { prices: { currency: 'EUR', import: 0.25 } });
    const { values, points = [], cost } = balance;
    should(balance.period).have.properties({ label: '2026-02-09', step: 'PT1H' });
    points.length.should.equal(24);
    const sum = (field: string): number => points.reduce((total, point) => total + Number(point[field]), 0);
    should(values['energy_import_kwh']).be.approximately(sum('energy_import_kwh'), 0.001);
    should(cost?.import).be.approximately(0.25 * Number(values['energy_import_kwh']), 0.000_001);
    const series = await cemm.series('p1', { day: '2026-02-09' });
    const net = series.points.reduce((total, { power_w }) => total + Number(power_w) / 60_000, 0);
    should(values['energy_net_kwh']).be.approximately(net, 0.001);
  });

  it('keeps past days in a folder, so that another program requests them no more', async () => {
    const keepIn = await mkdtemp(join(tmpdir(), 'cemm-kept-'));
    const read = async () => {
      const keeping = await connect({ host: String(simulator.local), allowLoopback: true, keepIn });
      try {
        const balance = await keeping.balance({ day: '2026-02-03' });
        const series = [
          await keeping.series('p1', { day: '2026-02-03' }),
          await keeping.series('p1', { day: '2026-02-04' }),
          await keeping.series('p1', { day: '2026-02-04' }, { role: 'consumption' }),
          await keeping.series('p1', { month: '2026-01' }),
        ];
        return { ...balance, series };
      } finally {
        await keeping.close();
      }
    };
    const seriesRequests = (): number =>
      ['/data/day', '/data/month', '/data/year'].reduce((sum, part) => sum + requestsTo(simulator, part), 0);
    const plain = ({ series }: Awaited<ReturnType<typeof read>>) =>
      series.map(({ source: { transport }, ...rest }) => ({ ...rest, transport }));
    try {
      const first = await read();
      const asked = seriesRequests();
      const second = await read();
      seriesRequests().should.equal(asked);
      should(first.series.map(({ source }) => source.kept)).deepEqual([true, undefined, true, undefined]);
      for (const { source } of second.series) should(source).have.properties({ kept: true, requests: 0 });
      should(plain(second)).deepEqual(plain(first));
      should(first.source.kept).be.undefined();
      first.source.requests.should.be.above(0);
      should(second.source.kept).be.true();
      second.source.requests.should.equal(0);
      should(second.values).deepEqual(first.values);
      should(second.points).deepEqual(first.points);
    } finally {
      await rm(keepIn, { recursive: true });
    }
  });

  it('warns once where past days cannot be kept, and answers', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on('warning', onWarning);
    const keepIn = join(__filename, 'cemm');
    const keeping = await connect({ host: String(simulator.local), allowLoopback: true, keepIn });
    try {
      should((await keeping.balance({ day: '2026-02-03' })).values['energy_import_kwh']).be.a.Number();
    } finally {
      await keeping.close();
    }
    await until('the warning', () => warnings.length > 0);
    process.off('warning', onWarning);
    should(warnings.map((warning) => Reflect.get(warning, 'code') as unknown)).deepEqual(['KEPT_DAYS']);
    warnings[0]?.message.should.containEql(keepIn);
  });

  it('gives the balance of a day by the quarter, of a month by the day, and of chosen meters only', async () => {
    const demo = await connect({ demo: true });
    try {
      const quarters = await demo.balance({ day: 'previous' }, { step: 'PT15M', meters: { grid: ['p1'], gas: [] } });
      should(quarters.period?.step).equal('PT15M');
      should(quarters.meters).have.properties({ grid: ['p1'], gas: [] });
      const month = await demo.balance({ month: 'previous' });
      should(month.period?.step).equal('P1D');
      should(month.points?.length).equal(new Date(Number(month.period?.end) - 43_200_000).getUTCDate());
      // A monitor has no past readings, and adds up gas and water by itself. test/campaigns/processes/demo-year.test.ts has a year.
      const { values, points = [], coverage, method } = month;
      for (const field of ['gas_m3', 'water_m3']) {
        const sum = points.reduce((total, point) => total + Number(point[field]), 0);
        should(values[field]).be.above(1).and.approximately(sum, 1e-6);
        should([coverage[field], method[field]]).deepEqual([1, 'minutes']);
      }
    } finally {
      await demo.close();
    }
  });

  it('refuses prices and meters of a balance that nobody can mean', async () => {
    for (const json of ['{ "currency": "EUR", "imprt": 0.25 }', '{ "currency": "EUR", "import": "0,25" }']) {
      await rejects(cemm.balance({ day: 'current' }, { prices: JSON.parse(json) as Prices }), {
        code: 'INPUT',
        reason: 'prices',
      });
    }
    await rejects(cemm.balance({ day: 'current' }, { meters: { grid: [''] } }), { code: 'INPUT', reason: 'meters' });
  });

  const periods: [string, Parameters<Cemm['series']>[1], string][] = [
    ['a day by its date', { day: today }, today],
    ['a day by a Date', { day: new Date(noon) }, today],
    ['a day by epoch seconds', { day: noon / 1000 }, today],
    ['a month by any of its days', { month: today }, '2026-02'],
    ['a year by its number', { year: 2026 }, '2026'],
    ['a year by its text', { year: '2026' }, '2026'],
  ];
  for (const [what, period, label] of periods) {
    it(`reads the series of ${what}`, async () => {
      const series = await cemm.series('p1', period);
      series.period.label.should.equal(label);
      series.points.should.not.be.empty();
      should(series.period.timezone).equal('Europe/Amsterdam');
    });
  }

  it('gives a range period by period, oldest first, each when the loop asks for it', async () => {
    const before = requestsOf('/day/');
    const labels: string[] = [];
    for await (const { period } of cemm.seriesRange('p1', { unit: 'day', from: '2026-02-07', to: 'previous' })) {
      labels.push(period.label);
      if (labels.length === 2) break;
    }
    should(labels).eql(['2026-02-07', '2026-02-08']);
    should(requestsOf('/day/') - before).equal(2);
    const days = [];
    const range = { unit: 'day', from: '2026-02-08', to: new Date(noon - 86_400_000) } as const;
    for await (const { period, values } of cemm.balanceRange(range)) days.push([period?.label, values]);
    const one = await cemm.balance({ day: '2026-02-09' });
    should(days.map(([label]) => label)).eql(['2026-02-08', '2026-02-09']);
    should(days[1]?.[1]).eql(one.values);
  });

  it('rejects a range that ends before it begins, and one of a million days', async () => {
    const read = (from: string, to: string) => cemm.balanceRange({ unit: 'day', from, to }).next();
    await rejects(read('2026-02-09', '2026-02-08'), { code: 'INPUT', reason: 'wrong_order' });
    await rejects(read('2010-01-02', '2026-02-08'), { code: 'INPUT', reason: 'too_many_periods' });
  });

  it('gives the balance of this moment, in the demo with a heat pump and a car by their names', async () => {
    const demo = await connect({ demo: true });
    try {
      const prices = { currency: 'EUR', import: 0.3 };
      // The simulated year is made with the first answer.
      await until('a reading', () => demo.realtime('p1').catch(() => null));
      const { values, missing, period, points, cost, devices } = await demo.balance({ period: 'now' }, { prices });
      should(devices?.map(({ meter, name }) => [meter, name])).eql([
        ['mb2', 'Heat pump'],
        ['mb3', 'Car'],
      ]);
      should([period, points, cost]).eql([undefined, undefined, undefined]);
      const [taken, given, made] = ['power_import_w', 'power_export_w', 'power_production_w'].map(
        (name) => values[name],
      );
      should(missing).eql({});
      should(values['power_house_w']).equal(Number(taken) - Number(given) + Number(made));
    } finally {
      await demo.close();
    }
  });

  it('takes the running period and the one before it', async () => {
    const current = await cemm.series('p1', { year: 'current' });
    const previous = await cemm.series('p1', { year: 'previous' });
    previous.period.end.should.equal(current.period.start);
  });

  it('reads the meter readings of a day from the remote service', async () => {
    const remote = await connect({ apiKey: 'demo', baseUrl: String(simulator.remote) });
    try {
      const totals = await remote.totals('p1', { day: '2026-02-09' });
      totals.period.label.should.equal('2026-02-09');
      should(totals.values['energy_import_kwh']).be.above(0);
      should(totals.source.transport).equal('remote');
    } finally {
      await remote.close();
    }
  });

  it('reads meters and series of a CEMM 3.0, in the time zone of the monitor', async () => {
    const cemm3 = await connect({ host: String(simulator.local), generation: 3, allowLoopback: true });
    try {
      const meters = await cemm3.meters();
      should(meters.find(({ key }) => key === 'smartmeter-dsmr')?.role).equal('grid');
      const series = await cemm3.series('smartmeter-dsmr:electric_energy_import', { count: 3 });
      series.points.length.should.equal(3);
      cemm3.timezone.should.equal('Europe/Amsterdam');
      should((await cemm3.monitors())[0]?.id).equal(toMonitorId(simulator.monitors[0]?.mac));
    } finally {
      await cemm3.close();
    }
  });

  const refusals: [string, object, string][] = [
    ['nothing', {}, 'mode'],
    ['both a host and a key', { host: '192.168.1.20', apiKey: 'demo' }, 'mode'],
    ['a host with a path', { host: '192.168.1.20/open-api' }, 'host_path'],
    ['a blank key', { apiKey: ' ' }, 'no_key'],
    ['a time zone that there is not', { demo: true, timezone: 'Europe/Utrecht' }, 'timezone'],
    ['a MAC address of eleven digits', { host: '192.168.1.20', mac: '0123456789a' }, 'mac'],
    ['no time', { host: '192.168.1.20', deadlineMs: 0 }, 'deadline'],
  ];
  for (const [what, options, reason] of refusals) {
    it(`rejects ${what}: CONFIG ${reason}`, () =>
      rejects(connect(options as ConnectOptions), { name: 'CemmError', code: 'CONFIG', reason }));
  }

  const wrongPeriods: [string, object, string][] = [
    ['no period', {}, 'no_period'],
    ['30 February', { day: '2026-02-30' }, 'no_such_date'],
    ['a word', { month: 'soon' }, 'not_a_date'],
    ['a moment before 2010', { day: '1999-12-31' }, 'out_of_range'],
  ];
  for (const [what, period, reason] of wrongPeriods) {
    it(`rejects a series of ${what}: INPUT ${reason}`, () =>
      rejects(cemm.series('p1', period as { day: string }), { name: 'CemmError', code: 'INPUT', reason }));
  }

  it('rejects an alias that the monitor does not have', () =>
    rejects(cemm.realtime('nothing-here'), { code: 'ALIAS', alias: 'nothing-here' }));

  it('ends a request when its signal fires, and when its deadline is over', async () => {
    const silent = await startSimulator({ localPort: 0, faults: ['silent'] });
    const connection = await connect({ host: String(silent.local), allowLoopback: true });
    try {
      await rejects(connection.realtime('p1', { deadlineMs: 50 }), { code: 'DEADLINE' });
      const stop = new AbortController();
      const reading = connection.realtime('p1', { signal: stop.signal });
      stop.abort();
      await rejects(reading, { code: 'CANCELLED' });
    } finally {
      await connection.close();
      await silent.close();
    }
  });

  it('reports no meter when each of them answers', async () => {
    const failed: CemmError[] = [];
    (await cemm.realtime({ onMeterError: (error) => failed.push(error) })).should.not.be.empty();
    failed.should.be.empty();
  });

  it('takes the monitor and the time zone that the caller knows', async () => {
    const mac = String(simulator.monitors[0]?.mac);
    const host = String(simulator.local);
    const cemm3 = await connect({ host, generation: 3, mac, timezone: 'Europe/Brussels', allowLoopback: true });
    const local = await connect({ host, mac, timezone: 'Europe/Brussels', allowLoopback: true });
    try {
      cemm3.timezone.should.equal('Europe/Brussels');
      const [monitor] = await cemm3.monitors({ patience: 'poll', deadlineMs: 20_000 });
      should(monitor?.id).equal(toMonitorId(mac));
      (await cemm3.meters({ monitor: mac })).should.not.be.empty();
      const day = await local.series('p1', { day: today });
      day.period.timezone.should.equal('Europe/Brussels');
    } finally {
      await cemm3.close();
      await local.close();
    }
  });

  it('answers nothing after it was closed', async () => {
    const closed = await connect({ host: String(simulator.local), allowLoopback: true });
    await closed.close();
    await rejects(closed.realtime('p1'), { code: 'CANCELLED' });
  });

  describe('watch', () => {
    it('gives readings at the interval until it is stopped', async () => {
      const readings: string[] = [];
      const stop = cemm.watch('p1', { every: 20 }, ({ meter }) => readings.push(String(meter.alias)), shouldNot);
      await until('three readings', () => readings.length >= 3);
      stop();
      const count = readings.length;
      await cemm.realtime('p1');
      readings.length.should.equal(count);
      new Set(readings).should.eql(new Set(['p1']));
    });

    it('reads every meter where none is named, until its signal fires', async () => {
      const aliases = new Set<unknown>();
      const stop = new AbortController();
      cemm.watch(null, { every: 20, signal: stop.signal }, ({ meter }) => aliases.add(meter.alias), shouldNot);
      const meters = await cemm.meters();
      await until('every meter', () => aliases.size === meters.length);
      stop.abort();
      aliases.clear();
      await cemm.realtime();
      aliases.size.should.equal(0);
    });

    it('reports an outage once, as an error and as availability', async () => {
      const lost = await startSimulator({ localPort: 0, since: weeksAgo(6) });
      const connection = await connect({ host: String(lost.local), allowLoopback: true });
      const problems: CemmError[] = [];
      const states: string[] = [];
      let readings = 0;
      connection.watch(
        'p1',
        { every: 20, onAvailability: ({ state }) => states.push(state) },
        () => (readings += 1),
        (error) => problems.push(error),
      );
      await until('a reading', () => readings > 0);
      await lost.close();
      await until('a problem', () => problems.length > 0);
      await connection.close();
      should(problems.map(({ code }) => code)).eql(['NETWORK']);
      states.should.eql(['offline']);
    });

    it('reports what a callback throws as an uncaught exception, and continues', async () => {
      const listeners = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      const uncaught: unknown[] = [];
      process.on('uncaughtException', (error) => uncaught.push(error));
      try {
        const fail = (): never => {
          throw new Error('in a callback');
        };
        const stop = cemm.watch('p1', { every: 20 }, fail, shouldNot);
        await until('two exceptions', () => uncaught.length >= 2);
        stop();
        should(uncaught[0]).be.an.Error().and.have.property('message', 'in a callback');
      } finally {
        process.removeAllListeners('uncaughtException');
        for (const listener of listeners) process.on('uncaughtException', listener);
      }
    });

    it('rejects an interval that is no time', () => {
      throws(() => cemm.watch('p1', { every: 0 }, shouldNot, shouldNot), { code: 'CONFIG', reason: 'interval' });
    });

    it('does not begin where its signal has fired', () => {
      cemm.watch('p1', { signal: AbortSignal.abort() }, shouldNot, shouldNot).should.be.a.Function();
    });
  });

  it('starts a demo monitor of its own, and ends it', async () => {
    const demo = await connect({ demo: true, timezone: 'Europe/Lisbon' });
    const { monitor, source } = await demo.realtime('p1');
    source.transport.should.equal('demo');
    demo.timezone.should.equal('Europe/Lisbon');
    await demo.close();
    const host = String(monitor.host);
    const gone = await connect({ host, allowLoopback: true });
    await rejects(gone.realtime('p1'), { code: 'NETWORK' });
    await gone.close();
  });

  it('spares a monitor a quarter of a second after each request, but not the demo monitor', async () => {
    const pausesOf = async (options: ConnectOptions): Promise<number[]> => {
      const connection = await connect(options);
      const [original, delays] = [globalThis.setTimeout, [] as number[]];
      globalThis.setTimeout = Object.assign((run: () => void, delayMs = 0) => {
        delays.push(delayMs);
        return original(run, delayMs);
      }, original);
      try {
        if ('realtime' in connection) for (const alias of ['p1', 's01']) await connection.realtime(alias);
      } finally {
        globalThis.setTimeout = original;
        await connection.close();
      }
      return delays.filter((delayMs) => delayMs > 0 && delayMs <= 250);
    };
    (await pausesOf({ host: String(simulator.local), allowLoopback: true })).should.not.be.empty();
    (await pausesOf({ demo: true })).should.be.empty();
  });

  it('discovers monitors', async () => {
    const port = Number(simulator.udp);
    const found = await discover({ broadcast: '127.0.0.1', port, waitMs: 300, allowLoopback: true });
    should(found.map(({ id, host }) => ({ id, host }))).eql([
      { id: toMonitorId(simulator.monitors[0]?.mac), host: '127.0.0.1' },
    ]);
    await rejects(discover({ broadcast: '127.0.0.1', port, signal: AbortSignal.abort() }), { code: 'CANCELLED' });
    // A timer of so long a time ends at once.
    await rejects(discover({ waitMs: 1e12 }), { code: 'CONFIG', message: /`waitMs`.*600000/ });
  });
});

function shouldNot(value: unknown): never {
  throw value instanceof Error ? value : new Error('was called');
}
