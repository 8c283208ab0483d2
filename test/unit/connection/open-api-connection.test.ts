/** A connection to an Open API with a fake client: monitors, meters and readings. */
import should from 'should';
import type { CemmError } from '../../../src/errors';
import { namedPeriod, nextPeriod, periodFromLabel } from '../../../src/calendar/periods';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import type { ReadOptions, MonitorConnection } from '../../../src/connection/connection';
import type { MonitorRequest } from '../../../src/clients/client';
import type { IoRecord } from '../../../src/protocol/responses';
import {
  FakeClient,
  MONITOR,
  OTHER,
  failure,
  healthy,
  io,
  measured,
  monitorRecord,
  type Value,
} from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';
import { millis } from '../../../src/protocol/time';

const ZONE = 'Europe/Amsterdam';
const ask = (): ReadOptions => ({ signal: new AbortController().signal });

function start(
  override: (request: MonitorRequest, clock: FakeClock) => Value | CemmError | undefined = () => undefined,
  transport: 'remote' | 'local' = 'remote',
) {
  const clock = new FakeClock();
  const client = new FakeClient(clock, transport);
  const answers = healthy(clock);
  client.script = (request) => override(request, clock) ?? answers(request);
  const options = { client, timezone: ZONE, transport, deadlineMs: 25_000, clock, random: () => 0.5 };
  const connection = createOpenApiConnection(transport === 'local' ? { ...options, host: '192.0.2.7' } : options);
  return { clock, client, connection };
}

/** Two monitors of one key. */
const two = (request: MonitorRequest) =>
  request.kind === 'monitors' ? [monitorRecord(MONITOR), monitorRecord(OTHER)] : undefined;

describe('connection: monitors', () => {
  it('lists the known data of each monitor, with the host of a local one', async () => {
    const { connection } = start(() => undefined, 'local');
    (await connection.monitors(ask())).should.deepEqual([{ id: MONITOR, name: 'Home', host: '192.0.2.7' }]);
  });

  it('selects the only monitor by default, and accepts a MAC address in any spelling', async () => {
    const { connection } = start();
    (await connection.monitor(null, ask())).id.should.equal(MONITOR);
    (await connection.monitor(' ', ask())).id.should.equal(MONITOR);
    for (const spelling of ['00-11-22-AA-BB-CC', '00:11:22:aa:bb:cc', '001122AABBCC']) {
      (await connection.monitor(spelling, ask())).id.should.equal(MONITOR);
    }
  });

  it('lists the monitors when one must be selected', async () => {
    const { connection } = start(two);
    await connection.monitor(null, ask()).should.be.rejectedWith({
      code: 'INPUT',
      reason: 'several_monitors',
      message: /00:11:22:AA:BB:CC, 00:11:22:AA:BB:DD/,
      params: { monitors: '00:11:22:AA:BB:CC, 00:11:22:AA:BB:DD', count: 2 },
    });
    (await connection.monitor('001122aabbdd', ask())).id.should.equal(OTHER);
  });

  it('refuses an unknown monitor, an invalid MAC address and an empty list', async () => {
    const { connection } = start();
    await connection.monitor('ffffffffffff', ask()).should.be.rejectedWith({
      code: 'INPUT',
      reason: 'unknown_monitor',
      params: { monitor: 'FF:FF:FF:FF:FF:FF', monitors: '00:11:22:AA:BB:CC', count: 1 },
    });
    const error = await connection.monitor('canary', ask()).then(
      () => null,
      (thrown: unknown) => thrown as CemmError,
    );
    should(error?.reason).equal('not_a_mac');
    should(error?.message).not.containEql('canary');
    const empty = start((request) => (request.kind === 'monitors' ? [] : undefined));
    await empty.connection.monitor(null, ask()).should.be.rejectedWith({ code: 'INPUT', reason: 'no_monitors' });
  });

  it('requests the list again when the cached one lacks the monitor', async () => {
    let linked = [monitorRecord(MONITOR)];
    const { client, clock, connection } = start((request) => (request.kind === 'monitors' ? linked : undefined));
    await connection.monitor(null, ask());
    linked = [monitorRecord(MONITOR), monitorRecord(OTHER)];
    await clock.advance(60_000);
    (await connection.monitor(OTHER, ask())).id.should.equal(OTHER);
    client.count('monitors').should.equal(2);
  });
});

describe('connection: meters', () => {
  const remoteList = [io(1, 'p1'), io(2, 'gas'), io(3, 'solar_energy'), io(4, 'water')];

  /** s02 is the inverter, s03 the water meter; s01 is not used. */
  function remote(request: MonitorRequest): Value | CemmError | undefined {
    if (request.kind === 'meters') return remoteList;
    if (request.kind !== 'meter') return undefined;
    const behind = { 'p1-gas': 2, s02: 3, s03: 4 }[request.alias];
    return behind === undefined ? failure('ALIAS') : remoteList.filter(({ ioId }) => ioId === behind);
  }

  it('finds the alias of each remote I/O: the smart meter by type, the others by request', async () => {
    const { client, connection } = start(remote);
    const meters = await connection.meters(null, ask());
    meters
      .map(({ alias, role, ioId }) => [alias, role, ioId])
      .should.deepEqual([
        ['p1', 'grid', 1],
        ['p1-gas', 'gas', 2],
        ['s02', 'production', 3],
        ['s03', 'water', 4],
      ]);
    client.calls
      .flatMap(({ request }) => (request.kind === 'meter' ? [request.alias] : []))
      .should.deepEqual(['p1-gas', 's01', 's02', 's03']);
  });

  const pulseGasFirst = [io(4, 'gas'), io(1, 'p1'), io(2, 'gas'), io(3, 'solar_energy')];

  /** The I/O behind each alias; 412 for the others. */
  const monitorWith =
    (list: readonly IoRecord[], behind: Readonly<Record<string, readonly number[]>>) =>
    (request: MonitorRequest): Value | CemmError | undefined => {
      if (request.kind === 'meters') return list;
      if (request.kind !== 'meter') return undefined;
      const ids = behind[request.alias];
      return ids === undefined ? failure('ALIAS') : list.filter(({ ioId }) => ioId !== null && ids.includes(ioId));
    };

  const aliasesOf = async (connection: MonitorConnection) =>
    (await connection.meters(null, ask())).map(({ ioId, alias }) => [ioId, alias]);

  it('RA38: distinguishes a pulse gas meter from the gas meter of the smart meter, in any order', async () => {
    const { connection } = start(monitorWith(pulseGasFirst, { 'p1-gas': [2], s01: [3], s02: [4] }));
    (await aliasesOf(connection)).should.deepEqual([
      [4, 's02'],
      [1, 'p1'],
      [2, 'p1-gas'],
      [3, 's01'],
    ]);
    const [reading] = await connection.readRealtime({ monitor: null, alias: 's02', role: 'auto' }, ask());
    should(reading?.meter).containEql({ alias: 's02', role: 'gas', ioId: 4 });
  });

  it('reads a pulse gas meter when the smart meter has none', async () => {
    const { client, connection } = start(monitorWith([io(4, 'gas'), io(1, 'p1')], { s02: [4] }));
    const readings = await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, ask());
    readings
      .map(({ meter }) => [meter.ioId, meter.alias])
      .should.deepEqual([
        [4, 's02'],
        [1, 'p1'],
      ]);
    client.count('realtime', 'p1-gas').should.equal(0);
  });

  it('RA39: assigns no I/O that a response does not name', async () => {
    const list = [io(2, 'gas'), io(4, 'gas'), io(3, 'solar_energy')];
    // The first two leave it open; the third is not in the list.
    const { connection } = start((request) =>
      request.kind === 'meter' && request.alias === 's02'
        ? [io(9, 'gas')]
        : monitorWith(list, { 'p1-gas': [2, 4], s01: [2, 3, 4] })(request),
    );
    (await aliasesOf(connection)).should.deepEqual([
      [2, undefined],
      [4, undefined],
      [3, undefined],
    ]);
    const [reading] = await connection.readRealtime({ monitor: null, alias: 'p1-gas', role: 'auto' }, ask());
    should(reading?.meter).deepEqual({ alias: 'p1-gas', role: 'gas' });
  });

  it('selects the only record of the right type when an alias has several', async () => {
    const list = [io(2, 'gas'), io(1, 'p1'), io(7, 'p1')];
    const { connection } = start(monitorWith(list, { p1: [1, 2], 'p1-gas': [1, 2] }));
    (await aliasesOf(connection)).should.deepEqual([
      [2, 'p1-gas'],
      [1, 'p1'],
      [7, undefined],
    ]);
  });

  it('continues when an alias is refused with 403, and keeps the other responses', async () => {
    const answers = monitorWith(pulseGasFirst, { 'p1-gas': [2], s01: [3], s02: [4] });
    let allowed = false;
    const { client, clock, connection } = start((request) =>
      request.kind === 'meter' && request.alias === 's02' && !allowed ? failure('AUTH') : answers(request),
    );
    (await aliasesOf(connection)).should.containDeep([
      [4, undefined],
      [2, 'p1-gas'],
    ]);
    allowed = true;
    await clock.advance(60_000);
    (await aliasesOf(connection)).should.containDeep([[4, 's02']]);
    client.count('meter', 'p1-gas').should.equal(1);
    client.count('meter', 's02').should.equal(2);
  });

  it('reports the failure when no alias can be requested', async () => {
    const { connection } = start((request) => {
      if (request.kind === 'meters') return [io(2, 'gas')];
      return request.kind === 'meter' ? failure('UPSTREAM') : undefined;
    });
    await connection
      .readRealtime({ monitor: null, alias: null, role: 'auto' }, ask())
      .should.be.rejectedWith({ code: 'UPSTREAM' });
  });

  it('reads a meter when only the list is refused', async () => {
    const { connection } = start((request) => (request.kind === 'meters' ? failure('AUTH') : undefined));
    const [reading] = await connection.readRealtime({ monitor: null, alias: 'p1', role: 'auto' }, ask());
    should(reading?.meter).deepEqual({ alias: 'p1', role: 'grid' });
  });

  it('requests aliases once while the list does not change', async () => {
    const { client, clock, connection } = start(remote);
    await connection.meters(null, ask());
    await clock.advance(60 * 60_000);
    await connection.meters(null, ask());
    client.count('meters').should.equal(2);
    client.count('meter').should.equal(4);
  });

  it('lists an I/O without an alias when no alias selects it', async () => {
    const { connection } = start((request) => {
      if (request.kind === 'meters') return [io(1, 'p1'), io(9, 'relay')];
      return request.kind === 'meter' ? failure('ALIAS') : undefined;
    });
    const meters = await connection.meters(null, ask());
    meters
      .map(({ alias, type }) => [alias, type])
      .should.deepEqual([
        ['p1', 'p1'],
        [undefined, 'relay'],
      ]);
    should(meters[1]).not.have.property('alias');
  });

  it('leaves out an alias that cannot be requested, and requests it the next time', async () => {
    let down = true;
    const { connection } = start((request) =>
      request.kind === 'meter' && down ? failure('MONITOR_OFFLINE') : remote(request),
    );
    (await connection.meters(null, ask())).filter(({ alias }) => alias === undefined).length.should.equal(3);
    down = false;
    (await connection.meters(null, ask())).filter(({ alias }) => alias === undefined).length.should.equal(0);
  });

  it('continues a local alias search only when a user requests the meters', async () => {
    const { client, clock, connection } = start((request) => {
      if (request.kind !== 'meters') return undefined;
      return request.continueSearch === true ? [io(1, 'p1', 'p1'), io(2, 'solar', 'mb30')] : [io(1, 'p1', 'p1')];
    }, 'local');
    const searches = () =>
      client.calls.filter(({ request }) => request.kind === 'meters' && request.continueSearch === true);
    await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, ask());
    await connection.listMeters(null, { ...ask(), patience: 'poll' });
    searches().length.should.equal(0);
    (await connection.meters(null, ask())).map(({ alias }) => alias).should.deepEqual(['p1', 'mb30']);
    await connection.meters(null, ask());
    searches().length.should.equal(1);
    // All callers get the found meters.
    await clock.advance(60_000);
    const readings = await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, ask());
    readings.map(({ meter }) => meter.alias).should.deepEqual(['p1', 'mb30']);
    client.count('meters').should.equal(2);
  });

  it('uses the aliases of a local list', async () => {
    const list = [io(1, 'p1', 'p1-usb'), io(2, 'gas', 'emucs-gas'), io(3, 'solar_energy', 'mb5')];
    const { client, connection } = start((request) => (request.kind === 'meters' ? list : undefined), 'local');
    (await connection.meters(null, ask()))
      .map(({ alias, role }) => [alias, role])
      .should.deepEqual([
        ['p1-usb', 'grid'],
        ['emucs-gas', 'gas'],
        ['mb5', 'production'],
      ]);
    client.count('meter').should.equal(0);
  });
});

describe('connection: reading', () => {
  it('reads one meter, with monitor, meter, source and the asked-for role', async () => {
    const { clock, connection } = start();
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const [payload, ...others] = await connection.readRealtime(target, ask());
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
    const [produced] = await connection.readRealtime({ ...target, role: 'production' }, ask());
    should(produced?.values.power_production_w).equal(100);
  });

  it('gives each caller its own object', async () => {
    const { client, connection } = start();
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const [[first], [second]] = await Promise.all([
      connection.readRealtime(target, ask()),
      connection.readRealtime(target, ask()),
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
    const monitors = await connection.monitors(ask());
    should(monitors[0]?.name).equal('Home');
  });

  const three = [io(1, 'p1', 'p1'), io(2, 'gas', 'p1-gas'), io(3, 'solar_energy', 's01')];

  it('reads all meters, and reports the one that fails', async () => {
    const { connection } = start((request) => {
      if (request.kind === 'meters') return three;
      return request.kind === 'realtime' && request.alias === 'p1-gas' ? failure('UPSTREAM') : undefined;
    });
    const failures: CemmError[] = [];
    const readings = await connection.readRealtime(
      { monitor: null, alias: null, role: 'auto' },
      { ...ask(), onMeterError: (error) => failures.push(error) },
    );
    readings.map(({ meter }) => meter.alias).should.deepEqual(['p1', 's01']);
    failures.map(({ code }) => code).should.deepEqual(['UPSTREAM']);
  });

  it('rejects when no meter can be read, and when there is none', async () => {
    const down = start((request) => {
      if (request.kind === 'meters') return three;
      return request.kind === 'realtime' ? failure('MONITOR_OFFLINE') : undefined;
    });
    const target = { monitor: null, alias: null, role: 'auto' } as const;
    await down.connection.readRealtime(target, ask()).should.be.rejectedWith({ code: 'MONITOR_OFFLINE' });
    const none = start((request) => (request.kind === 'meters' ? [] : undefined));
    await none.connection.readRealtime(target, ask()).should.be.rejectedWith({ code: 'INPUT', reason: 'no_meters' });
  });

  it('ME6: reads forty meters without a warning', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    const many = Array.from({ length: 40 }, (_, index) => io(index, 'solar_energy', `mb${index + 1}`));
    const { connection } = start((request) => (request.kind === 'meters' ? many : undefined));
    const readings = await connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, ask());
    await new Promise(setImmediate);
    process.off('warning', note);
    readings.length.should.equal(40);
    warnings.should.deepEqual([]);
  });

  it('reads without the list of I/Os when the alias determines the role', async () => {
    const { connection } = start((request) => (request.kind === 'meters' ? failure('BAD_PAYLOAD') : undefined));
    const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
    const [payload] = await connection.readRealtime(target, ask());
    should(payload?.meter).deepEqual({ alias: 'p1', role: 'grid' });
    // The role of s01 comes from the list, and the fields must not change between responses.
    await connection.readRealtime({ ...target, alias: 's01' }, ask()).should.be.rejectedWith({ code: 'BAD_PAYLOAD' });
    const [chosen] = await connection.readRealtime({ ...target, alias: 's01', role: 'production' }, ask());
    should(chosen?.meter.role).equal('production');
  });

  it('requests the service with noon of the day, the 15th of the month and 1 July', async () => {
    const { client, connection } = start();
    for (const label of ['2026-03-29', '2026-10', '2026']) {
      const period = periodFromLabel(label, ZONE);
      const payload = await connection.readSeries({ monitor: null, alias: 'p1', role: 'auto' }, period, ask());
      payload.period.label.should.equal(label);
      payload.kind.should.equal('series');
    }
    const asked = client.calls.flatMap(({ request }) => (request.kind === 'series' ? [request.time * 1000] : []));
    asked
      .map((ms) => new Date(ms).toISOString())
      .should.deepEqual(['2026-03-29T10:00:00.000Z', '2026-10-15T10:00:00.000Z', '2026-07-01T10:00:00.000Z']);
  });

  it('requests a local monitor with the first moment of the period', async () => {
    const { client, connection } = start(undefined, 'local');
    for (const label of ['2026-03-29', '2026-10', '2026']) {
      const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
      await connection.readSeries(target, periodFromLabel(label, ZONE), ask());
    }
    const asked = client.calls.flatMap(({ request }) => (request.kind === 'series' ? [request.time * 1000] : []));
    asked
      .map((ms) => new Date(ms).toISOString())
      .should.deepEqual(['2026-03-28T23:00:00.000Z', '2026-09-30T22:00:00.000Z', '2025-12-31T23:00:00.000Z']);
  });

  it('reads totals of any day remotely', async () => {
    const yesterday = (clock: FakeClock) => namedPeriod('previous', 'day', ZONE, clock.now());
    const { clock, connection } = start((request, now) =>
      request.kind === 'totals'
        ? { ioId: 1, time: null, data: new Map([['t1', measured(millis(yesterday(now).end - 60_000), 12.5)]]) }
        : undefined,
    );
    const day = yesterday(clock);
    const payload = await connection.readTotals({ monitor: null, alias: 'p1', role: 'auto' }, day, ask());
    payload.period.final.should.be.true();
    should(payload.values.energy_import_t1_kwh).equal(12.5);
    const month = namedPeriod('current', 'month', ZONE, clock.now());
    await connection
      .readTotals({ monitor: null, alias: 'p1', role: 'auto' }, month, ask())
      .should.be.rejectedWith({ code: 'INPUT', reason: 'not_a_day' });
  });

  for (const transport of ['remote', 'local'] as const) {
    it(`refuses the totals of a day that has not begun, and asks nothing (${transport})`, async () => {
      const { clock, client, connection } = start(() => undefined, transport);
      const tomorrow = nextPeriod(namedPeriod('current', 'day', ZONE, clock.now()));
      await connection
        .readTotals({ monitor: null, alias: 'p1', role: 'auto' }, tomorrow, ask())
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
    const { clock, connection } = start((request, now) => {
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
      const [realtime] = await connection.readRealtime(target, ask());
      const totals = await connection.readTotals(target, today, ask());
      const { points } = await connection.readSeries(target, month, ask());
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
    const { clock, client, connection } = start((request, now) => {
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
    const payload = await connection.readTotals(target, today, ask());
    should(payload.values.energy_import_t1_kwh).equal(77);
    payload.values.should.not.have.property('power_w');
    payload.period.final.should.be.false();
    await connection
      .readTotals(target, namedPeriod('previous', 'day', ZONE, clock.now()), ask())
      .should.be.rejectedWith({ code: 'UNSUPPORTED', reason: 'current_day_only', alias: 'p1' });
    client.count('totals').should.equal(0);
  });

  it('applies one deadline to all requests of one operation', async () => {
    const { clock, client, connection } = start();
    const answers = healthy(clock);
    client.script = null;
    const wish = connection
      .readRealtime({ monitor: null, alias: 'p1', role: 'auto' }, { ...ask(), deadlineMs: 10_000 })
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
    const { clock, client, connection } = start();
    client.script = null;
    const wish = connection.readRealtime({ monitor: null, alias: null, role: 'auto' }, ask());
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
    await connection.monitors(ask()).should.be.rejectedWith({ code: 'CANCELLED' });
  });
});
