/** A connection to an Open API with a fake client: monitors, meters and readings. */
import should from 'should';
import type { CemmError } from '../../../src/errors';
import { namedPeriod, nextPeriod, periodFromLabel } from '../../../src/calendar/periods';
import type { MonitorRequest } from '../../../src/clients/client';
import { MONITOR, OTHER, failure, healthy, io, measured, monitorRecord } from '../../support/clients/fake-client';
import type { FakeClock } from '../../support/time/fake-clock';
import { millis } from '../../../src/time/units';
import { makeReadOptions, startOpenApiConnection, ZONE } from '../../support/clients/open-api-connection';

/** Two monitors of one key. */
const two = (request: MonitorRequest) =>
  request.kind === 'monitors' ? [monitorRecord(MONITOR), monitorRecord(OTHER)] : undefined;

describe('connection: monitors', () => {
  it('lists the known data of each monitor, with the host of a local one', async () => {
    const { connection } = startOpenApiConnection(() => undefined, 'local');
    (await connection.listMonitors(makeReadOptions())).monitors.should.deepEqual([
      { id: MONITOR, name: 'Home', host: '192.0.2.7' },
    ]);
  });

  it('selects the only monitor by default, and accepts a MAC address in any spelling', async () => {
    const { connection } = startOpenApiConnection();
    (await connection.monitor(null, makeReadOptions())).id.should.equal(MONITOR);
    (await connection.monitor(' ', makeReadOptions())).id.should.equal(MONITOR);
    for (const spelling of ['00-11-22-AA-BB-CC', '00:11:22:aa:bb:cc', '001122AABBCC']) {
      (await connection.monitor(spelling, makeReadOptions())).id.should.equal(MONITOR);
    }
  });

  it('lists the monitors when one must be selected', async () => {
    const { connection } = startOpenApiConnection(two);
    await connection.monitor(null, makeReadOptions()).should.be.rejectedWith({
      code: 'INPUT',
      reason: 'several_monitors',
      message: /00:11:22:AA:BB:CC, 00:11:22:AA:BB:DD/,
      params: { monitors: '00:11:22:AA:BB:CC, 00:11:22:AA:BB:DD', count: 2 },
    });
    (await connection.monitor('001122aabbdd', makeReadOptions())).id.should.equal(OTHER);
  });

  it('refuses an unknown monitor, an invalid MAC address and an empty list', async () => {
    const { connection } = startOpenApiConnection();
    await connection.monitor('ffffffffffff', makeReadOptions()).should.be.rejectedWith({
      code: 'INPUT',
      reason: 'unknown_monitor',
      params: { monitor: 'FF:FF:FF:FF:FF:FF', monitors: '00:11:22:AA:BB:CC', count: 1 },
    });
    const error = await connection.monitor('canary', makeReadOptions()).then(
      () => null,
      (thrown: unknown) => thrown as CemmError,
    );
    should(error?.reason).equal('not_a_mac');
    should(error?.message).not.containEql('canary');
    const empty = startOpenApiConnection((request) => (request.kind === 'monitors' ? [] : undefined));
    await empty.connection
      .monitor(null, makeReadOptions())
      .should.be.rejectedWith({ code: 'INPUT', reason: 'no_monitors' });
  });

  it('requests the list again when the cached one lacks the monitor', async () => {
    let linked = [monitorRecord(MONITOR)];
    const { client, clock, connection } = startOpenApiConnection((request) =>
      request.kind === 'monitors' ? linked : undefined,
    );
    await connection.monitor(null, makeReadOptions());
    linked = [monitorRecord(MONITOR), monitorRecord(OTHER)];
    await clock.advance(60_000);
    (await connection.monitor(OTHER, makeReadOptions())).id.should.equal(OTHER);
    client.count('monitors').should.equal(2);
  });
});

describe('connection: reading', () => {
  it('reads one meter, with monitor, meter, source and the asked-for role', async () => {
    const { clock, connection } = startOpenApiConnection();
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const [payload, ...others] = await connection.readRealtime(target, makeReadOptions());
    others.length.should.equal(0);
    should(payload?.values.power_import_w).equal(100);
    should(payload?.monitor).deepEqual({ id: MONITOR, name: 'Home' });
    should(payload?.meter).containEql({ alias: 'p1', role: 'grid', ioId: 1 });
    should(payload?.source).deepEqual({
      transport: 'remote',
      fetchedAt: clock.now(),
      latencyMs: 5,
      requests: 1,
      promises: 0,
    });
    const [produced] = await connection.readRealtime({ ...target, role: 'production' }, makeReadOptions());
    should(produced?.values.power_production_w).equal(100);
  });

  it('gives each caller its own object', async () => {
    const { client, connection } = startOpenApiConnection();
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const [[first], [second]] = await Promise.all([
      connection.readRealtime(target, makeReadOptions()),
      connection.readRealtime(target, makeReadOptions()),
    ]);
    client.count('realtime').should.equal(1);
    if (first === undefined || second === undefined) throw new Error('no reading');
    const untouched = structuredClone(second);
    first.values.power_w = -1;
    first.meter.alias = 'mine';
    first.monitor.name = 'mine';
    first.source.requests = 99;
    first.missing.power_w = 'not_offered';
    second.should.deepEqual(untouched);
    const { monitors } = await connection.listMonitors(makeReadOptions());
    should(monitors[0]?.name).equal('Home');
  });

  const three = [io(1, 'p1', 'p1'), io(2, 'gas', 'p1-gas'), io(3, 'solar_energy', 's01')];

  it('reads all meters, and reports the one that fails', async () => {
    const { connection } = startOpenApiConnection((request) => {
      if (request.kind === 'meters') return three;
      return request.kind === 'realtime' && request.alias === 'p1-gas' ? failure('UPSTREAM') : undefined;
    });
    const failures: CemmError[] = [];
    const readings = await connection.readRealtime(
      { monitor: null, alias: null, role: 'auto' },
      { ...makeReadOptions(), onMeterError: (error) => failures.push(error) },
    );
    readings.map(({ meter }) => meter.alias).should.deepEqual(['p1', 's01']);
    failures.map(({ code }) => code).should.deepEqual(['UPSTREAM']);
  });

  it('rejects when no meter can be read, and when there is none', async () => {
    const down = startOpenApiConnection((request) => {
      if (request.kind === 'meters') return three;
      return request.kind === 'realtime' ? failure('MONITOR_OFFLINE') : undefined;
    });
    const target = { monitor: null, alias: null, role: 'auto' } as const;
    await down.connection.readRealtime(target, makeReadOptions()).should.be.rejectedWith({ code: 'MONITOR_OFFLINE' });
    const none = startOpenApiConnection((request) => (request.kind === 'meters' ? [] : undefined));
    await none.connection
      .readRealtime(target, makeReadOptions())
      .should.be.rejectedWith({ code: 'INPUT', reason: 'no_meters' });
  });

  it('ME6: reads forty meters without a warning', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    const many = Array.from({ length: 40 }, (_, index) => io(index, 'solar_energy', `mb${index + 1}`));
    const { connection } = startOpenApiConnection((request) => (request.kind === 'meters' ? many : undefined));
    const readings = await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, makeReadOptions());
    await new Promise(setImmediate);
    process.off('warning', note);
    readings.length.should.equal(40);
    warnings.should.deepEqual([]);
  });

  it('reads without the list of I/Os when the alias determines the role', async () => {
    const { connection } = startOpenApiConnection((request) =>
      request.kind === 'meters' ? failure('BAD_PAYLOAD') : undefined,
    );
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const [payload] = await connection.readRealtime(target, makeReadOptions());
    should(payload?.meter).deepEqual({ alias: 'p1', role: 'grid' });
    // The role of s01 comes from the list, and the fields must not change between responses.
    await connection
      .readRealtime({ ...target, alias: 's01' }, makeReadOptions())
      .should.be.rejectedWith({ code: 'BAD_PAYLOAD' });
    const [chosen] = await connection.readRealtime({ ...target, alias: 's01', role: 'production' }, makeReadOptions());
    should(chosen?.meter.role).equal('production');
  });

  it('requests the service with noon of the day, the 15th of the month and 1 July', async () => {
    const { client, connection } = startOpenApiConnection();
    for (const label of ['2026-03-29', '2026-10', '2026']) {
      const period = periodFromLabel(label, ZONE);
      const payload = await connection.readSeries(
        { monitor: null, alias: 'p1', role: 'auto' },
        period,
        makeReadOptions(),
      );
      payload.period.label.should.equal(label);
      payload.kind.should.equal('series');
    }
    const asked = client.calls.flatMap(({ request }) => (request.kind === 'series' ? [request.time * 1000] : []));
    asked
      .map((ms) => new Date(ms).toISOString())
      .should.deepEqual(['2026-03-29T10:00:00.000Z', '2026-10-15T10:00:00.000Z', '2026-07-01T10:00:00.000Z']);
  });

  it('requests a local monitor with the first moment of the period', async () => {
    const { client, connection } = startOpenApiConnection(undefined, 'local');
    for (const label of ['2026-03-29', '2026-10', '2026']) {
      const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
      await connection.readSeries(target, periodFromLabel(label, ZONE), makeReadOptions());
    }
    const asked = client.calls.flatMap(({ request }) => (request.kind === 'series' ? [request.time * 1000] : []));
    asked
      .map((ms) => new Date(ms).toISOString())
      .should.deepEqual(['2026-03-28T23:00:00.000Z', '2026-09-30T22:00:00.000Z', '2025-12-31T23:00:00.000Z']);
  });

  it('reads totals of any day remotely', async () => {
    const yesterday = (clock: FakeClock) => namedPeriod('previous', 'day', ZONE, clock.now());
    const { clock, connection } = startOpenApiConnection((request, now) =>
      request.kind === 'totals'
        ? { ioId: 1, time: null, data: new Map([['t1', measured(millis(yesterday(now).end - 60_000), 12.5)]]) }
        : undefined,
    );
    const day = yesterday(clock);
    const payload = await connection.readTotals({ monitor: null, alias: 'p1', role: 'auto' }, day, makeReadOptions());
    payload.period.final.should.be.true();
    should(payload.values.energy_import_t1_kwh).equal(12.5);
    const month = namedPeriod('current', 'month', ZONE, clock.now());
    await connection
      .readTotals({ monitor: null, alias: 'p1', role: 'auto' }, month, makeReadOptions())
      .should.be.rejectedWith({ code: 'INPUT', reason: 'not_a_day' });
  });

  for (const transport of ['remote', 'local'] as const) {
    it(`refuses the totals of a day that has not begun, and asks nothing (${transport})`, async () => {
      const { clock, client, connection } = startOpenApiConnection(() => undefined, transport);
      const tomorrow = nextPeriod(namedPeriod('current', 'day', ZONE, clock.now()));
      await connection
        .readTotals({ monitor: null, alias: 'p1', role: 'auto' }, tomorrow, makeReadOptions())
        .should.be.rejectedWith({
          code: 'INPUT',
          reason: 'not_begun',
          params: { field: 'date', date: tomorrow.label },
        });
      client.calls.should.be.empty();
    });
  }

  it('LA17: returns the total of a single register until a response contains a second tariff', async () => {
    const channels: Record<string, [string, ...string[]]> = { realtime: ['t1'], totals: ['t1'], series: ['t1'] };
    const { clock, connection } = startOpenApiConnection((request, now) => {
      const offered = channels[request.kind];
      if (offered === undefined) return undefined;
      if (request.kind === 'series') {
        const samples = {
          times: Float64Array.of(now.now()),
          values: Float64Array.of(3),
          withoutTime: 0,
          malformed: 0,
        };
        return { ioId: 1, time: null, channels: new Map([['electric_energy', samples]]) };
      }
      const data = new Map(offered.map((channel) => [channel, measured(now.now(), 5)]));
      return request.kind === 'realtime' ? { ioId: 1, data, totals: null } : { ioId: 1, time: null, data };
    });
    const target = { monitor: null, alias: 's01', role: 'production' } as const;
    const today = namedPeriod('current', 'day', ZONE, clock.now());
    const month = namedPeriod('current', 'month', ZONE, clock.now());
    const totalsOf = async () => {
      await clock.advance(60_000);
      const [realtime] = await connection.readRealtime(target, makeReadOptions());
      const totals = await connection.readTotals(target, today, makeReadOptions());
      const { points } = await connection.readSeries(target, month, makeReadOptions());
      return [
        realtime?.values['energy_production_kwh'],
        totals.values['energy_production_kwh'],
        points.at(-1)?.['energy_net_kwh'],
      ];
    };
    (await totalsOf()).should.eql([5, 5, 3]);
    channels['totals'] = ['t1', 't2'];
    await totalsOf();
    channels['totals'] = ['t1'];
    (await totalsOf()).should.eql([null, null, null]);
  });

  it('returns the current readings as local totals of today, and rejects other days', async () => {
    const { clock, client, connection } = startOpenApiConnection((request, now) => {
      return request.kind === 'realtime'
        ? {
            ioId: 1,
            data: new Map([['electric_power', { time: now.now(), value: 5, flaw: null }]]),
            totals: new Map([['t1', { time: now.now(), value: 77, flaw: null }]]),
          }
        : undefined;
    }, 'local');
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const today = namedPeriod('current', 'day', ZONE, clock.now());
    const payload = await connection.readTotals(target, today, makeReadOptions());
    should(payload.values.energy_import_t1_kwh).equal(77);
    payload.values.should.not.have.property('power_w');
    payload.period.final.should.be.false();
    await connection
      .readTotals(target, namedPeriod('previous', 'day', ZONE, clock.now()), makeReadOptions())
      .should.be.rejectedWith({ code: 'UNSUPPORTED', reason: 'current_day_only', alias: 'p1' });
    client.count('totals').should.equal(0);
  });

  it('applies one deadline to all requests of one operation', async () => {
    const { clock, client, connection } = startOpenApiConnection();
    const answers = healthy(clock);
    client.script = null;
    const wish = connection
      .readRealtime({ monitor: null, alias: 'p1', role: 'auto' }, { ...makeReadOptions(), deadlineMs: 10_000 })
      .then(
        () => 'read',
        (error: unknown) => (error as CemmError).code,
      );
    for (let step = 0; step < 2; step += 1) {
      await clock.advance(4_000);
      const call = client.open[0];
      call?.answer(answers(call.request));
    }
    await clock.advance(2_100);
    (await wish).should.equal('DEADLINE');
    client.calls.length.should.equal(3);
    client.open.length.should.equal(0);
    clock.timerCount.should.equal(0);
  });

  it('cancels everything when it closes', async () => {
    const { clock, client, connection } = startOpenApiConnection();
    client.script = null;
    const wish = connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, makeReadOptions());
    connection.watchRealtime({ monitor: null, alias: 'p1', role: 'auto' }, 10_000, {
      onReading: () => {
        should.fail(1, 0, 'read');
      },
      onAvailability: () => {
        should.fail(1, 0, 'told');
      },
      onError: () => {
        should.fail(1, 0, 'failed');
      },
    });
    await clock.advance(10);
    const closed = connection.close();
    await wish.should.be.rejectedWith({ code: 'CANCELLED' });
    await closed;
    client.closed.should.be.true();
    client.open.length.should.equal(0);
    clock.timerCount.should.equal(0);
    await connection.listMonitors(makeReadOptions()).should.be.rejectedWith({ code: 'CANCELLED' });
  });
});
