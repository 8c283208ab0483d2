/** A connection to a CEMM 3.0: its readings, its cache and its refusals. */
import should from 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import { CemmError } from '../../../src/errors';
import { createLocalClient } from '../../../src/clients/local-client';
import { createPublicClient } from '../../../src/clients/public-client';
import type { PublicApiKind, PublicClient, RequestOf, SendOptions } from '../../../src/clients/client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { chooseChannel } from '../../../src/connection/chosen-channel';
import { createPublicConnection } from '../../../src/connection/public-connection';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import { connectTo } from '../../support/clients/in-process';
import type { ChannelTarget, MonitorConnection } from '../../../src/connection/connection';
import type { SeriesPayload, SeriesPoint } from '../../../src/model/payload';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { PublicMeter } from '../../../src/protocol/responses';
import { millis } from '../../../src/time/units';
import { valid, withSchemas } from '../../support/model/wire';

const zone = 'Europe/Amsterdam';
/** Two days after the day of 25 hours; a whole minute, so the current day is the same in every API. */
const now = millis(Date.parse('2026-10-27T10:30:00Z'));
const clock = { ...systemClock, now: () => now };
const ask = () => ({ signal: new AbortController().signal });
const anyMonitor = { monitor: null, role: 'auto' } as const;

function channel(name: string, count = 7): ChannelTarget {
  return { monitor: null, meter: null, channel: name, role: 'auto', resolution: 'day', count, include: 'cemm' };
}

async function errorOf(request: Promise<unknown>): Promise<CemmError> {
  const outcome = await request.catch((error: unknown) => error);
  if (outcome instanceof CemmError) return outcome;
  throw new Error('a CemmError was expected');
}

describe('connection to a CEMM 3.0', () => {
  withSchemas();
  let simulator: Simulator;
  const open: MonitorConnection[] = [];

  const kept = <I extends MonitorConnection>(connection: I): I => {
    open.push(connection);
    return connection;
  };
  const connect = (timezone: string | null = null): MonitorConnection => {
    const host = simulator.local ?? '';
    const client = createPublicClient({ host, allowLoopback: true, clock });
    return kept(createPublicConnection({ client, timezone, deadlineMs: 25_000, clock, host: 'monitor' }));
  };
  const asked = (): string[] =>
    [...simulator.requests].map(([path, count]) => `${path.replace('local /api/v1/public/', '')} ${count}`);

  beforeEach(async () => {
    simulator = await startSimulator({
      localPort: 0,
      remotePort: 0,
      clock: createSimulatedClock({ start: now, speed: 0 }),
      since: millis(Date.parse('2026-10-01T00:00:00Z')),
      timezone: zone,
    });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((connection) => connection.close()));
    await simulator.close();
  });

  describe('with both Open APIs of one installation', () => {
    /** Day → value, for the days of both APIs. */
    const byDay = (points: readonly SeriesPoint[], field: string): Map<number, number | null> =>
      new Map(points.map((point) => [point.ts, point[field] ?? null]));

    function same(ours: ReadonlyMap<number, number | null>, theirs: ReadonlyMap<number, number | null>): void {
      should(ours.size).equal(7);
      for (const [day, value] of ours) {
        // The public API counts in micro-units, the Open APIs in watt-minutes.
        should(value).be.approximately(theirs.get(day) ?? NaN, 3e-6, new Date(day).toISOString());
      }
    }

    async function difference(meter: string, plus: string, minus: string, field: [string, string]) {
      const connection = connect();
      const plusDays = byDay((await connection.readTimeseries(channel(`${meter}:${plus}`), ask())).points, field[0]);
      const minusDays = byDay((await connection.readTimeseries(channel(`${meter}:${minus}`), ask())).points, field[1]);
      return new Map([...plusDays].map(([day, value]) => [day, (value ?? NaN) - (minusDays.get(day) ?? NaN)]));
    }

    const openApis = (): MonitorConnection[] => [
      kept(
        connectTo({ client: createLocalClient({ host: simulator.local ?? '', allowLoopback: true, clock }), clock }),
      ),
      kept(
        connectTo({ client: createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey: 'demo', clock }), clock }),
      ),
    ];

    const month = periodFromLabel('2026-10', zone);
    const energies: readonly [string, string, string, string, [string, string]][] = [
      [
        'p1',
        'smartmeter-dsmr',
        'electric_energy_import',
        'electric_energy_export',
        ['energy_import_kwh', 'energy_export_kwh'],
      ],
      ['s01', 'zon', 'electric_energy_export', 'electric_energy_import', ['energy_export_kwh', 'energy_import_kwh']],
    ];
    for (const [alias, meter, plus, minus, fields] of energies) {
      it(`have the same energy of ${meter} for the same days, the one of 25 hours and the running one included`, async () => {
        const ours = await difference(meter, plus, minus, fields);
        for (const connection of openApis()) {
          const { points } = await connection.readSeries({ ...anyMonitor, alias }, month, ask());
          same(ours, byDay(points, 'energy_net_kwh'));
        }
      });
    }

    it('have the same water for the same days', async () => {
      const ours = await connect().readTimeseries(channel('water:volume'), ask());
      const [local] = openApis();
      const theirs = await local?.readSeries({ ...anyMonitor, alias: 'pulse-2' }, month, ask());
      same(byDay(ours.points, 'water_m3'), byDay(theirs?.points ?? [], 'water_m3'));
      ours.fields.should.eql({
        water_m3: { unit: 'm³', semantics: 'volume', unitSource: 'monitor', semanticsSource: 'assumed' },
      });
    });

    it('have the same mean power of a day', async () => {
      const ours = await difference('smartmeter-dsmr', 'electric_power_import', 'electric_power_export', [
        'power_import_w',
        'power_export_w',
      ]);
      const day = periodFromLabel('2026-10-25', zone);
      for (const connection of openApis()) {
        const { points } = await connection.readSeries({ ...anyMonitor, alias: 'p1' }, day, ask());
        should(points.length).equal(1500);
        const mean = points.reduce((sum, point) => sum + (point['power_w'] ?? NaN), 0) / points.length;
        should(ours.get(day.start)).be.approximately(mean, 3e-6);
      }
    });
  });

  it('uses the time zone of the monitor, unless one is configured', async () => {
    await simulator.close();
    simulator = await startSimulator({
      localPort: 0,
      clock: createSimulatedClock({ start: now, speed: 0 }),
      since: millis(Date.parse('2026-10-01T00:00:00Z')),
      timezone: 'Asia/Tokyo',
    });
    const [followed, set] = [connect(), connect(zone)];
    should([followed.timezone, set.timezone]).eql([zone, zone]);
    const ours = await followed.readTimeseries(channel('zon:electric_energy_export', 2), ask());
    should([followed.timezone, ours.period.timezone, new Date(ours.ts).toISOString()]).eql([
      'Asia/Tokyo',
      'Asia/Tokyo',
      '2026-10-25T15:00:00.000Z',
    ]);
    const theirs = await set.readTimeseries(channel('zon:electric_energy_export', 2), ask());
    should([set.timezone, theirs.period.timezone]).eql([zone, zone]);
  });

  it('lists the monitor with all details and its clock difference; other payloads only identify it', async () => {
    simulator.faults.add('clock-off');
    const connection = connect();
    const [monitor] = (await connection.listMonitors(ask())).monitors;
    const [known] = simulator.monitors;
    should(monitor).eql({
      id: known?.mac.replaceAll(':', '').toLowerCase(),
      cemm: known?.cemm,
      name: 'Demo',
      host: 'monitor',
      version: '1.10.0',
      timezone: zone,
      currency: 'EUR',
      modules: ['webhooks', 'smartmeter', 'pulse'],
      clockDifferenceMs: -7_200_000,
    });
    const series = valid<SeriesPayload>(await connection.readTimeseries(channel('1'), ask()));
    should(Object.keys(series.monitor).sort()).eql(['cemm', 'host', 'id', 'name', 'version']);
  });

  it('lists meters with their channels, units and roles', async () => {
    const { meters, monitor, source } = await connect().listMeters(null, ask());
    should(monitor.cemm).equal(simulator.monitors[0]?.cemm);
    should([source.transport, source.requests]).eql(['public', 1]);
    meters
      .map(({ key, label, role }) => [key, label, role])
      .should.eql([
        ['smartmeter-dsmr', 'Hoofdmeter', 'grid'],
        ['zon', 'Zonnepanelen', null],
        ['garage', 'Garage', null],
        ['water', 'Water', 'water'],
      ]);
    should(meters[3]?.channels).match([
      { key: 'volume', id: 27, label: 'Volume', unit: 'm³', aggregation: 'COUNTER' },
      { key: 'flow', unit: 'L/min', aggregation: 'AVG' },
    ]);
  });

  it('requests monitor and channels once, and shares the other requests', async () => {
    const connection = connect();
    const wish = (): Promise<SeriesPayload> => connection.readTimeseries(channel('zon:electric_energy_export'), ask());
    const answers = await Promise.all([wish(), wish(), wish()]);
    should(new Set(answers.map(({ id }) => id)).size).equal(1);
    await wish();
    should(asked()).eql(['cemm/ 1', 'meters/ 1', 'timeseries/ 2']);
  });

  it('finds a channel by number, by both keys, and by its own key when only one meter has it', async () => {
    const connection = connect();
    const byNumber = await connection.readTimeseries(channel('27'), ask());
    const byKeys = await connection.readTimeseries({ ...channel('volume'), meter: 'water' }, ask());
    const byKey = await connection.readTimeseries(channel('volume'), ask());
    for (const payload of [byNumber, byKeys, byKey]) {
      should([payload.meter.key, payload.channel?.key]).eql(['water', 'volume']);
      payload.points.should.eql(byNumber.points);
    }
    const error = await errorOf(connection.readTimeseries(channel('electric_energy_export'), ask()));
    should([error.code, error.reason]).eql(['INPUT', 'several_channels']);
  });

  it('does not request a channel that the monitor does not list', async () => {
    const connection = connect();
    for (const name of ['zon:t1', '999', 'nothing:volume']) {
      const error = await errorOf(connection.readTimeseries(channel(name), ask()));
      should([error.code, error.reason]).eql(['ALIAS', 'no_channel']);
    }
    should(asked().some((path) => path.startsWith('timeseries'))).be.false();
  });

  it('requests the list again for a channel that the cached one lacks', async () => {
    let passed = 0;
    const late = { ...clock, monotonic: () => performance.now() + passed };
    const real = createPublicClient({ host: simulator.local ?? '', allowLoopback: true, clock: late });
    let lists = 0;
    const client: PublicClient = {
      transport: 'public',
      limits: real.limits,
      identity: null,
      async request<K extends PublicApiKind>(request: RequestOf<K>, options: SendOptions) {
        const response = await real.request(request, options);
        if (request.kind !== 'catalogue') return response;
        lists += 1;
        return lists > 1 ? response : { ...response, value: withoutWater(response.value as readonly PublicMeter[]) };
      },
      close: () => {
        real.close();
      },
    };
    const connection = kept(createPublicConnection({ client, timezone: null, deadlineMs: 25_000, clock: late }));
    should((await errorOf(connection.readTimeseries(channel('water:volume'), ask()))).reason).equal('no_channel');
    passed = 11_000;
    should((await connection.readTimeseries(channel('water:volume'), ask())).meter.key).equal('water');
    should(lists).equal(2);
  });

  it('sends an unknown resolution, and reports the refusal of the monitor', async () => {
    const error = await errorOf(connect().readTimeseries({ ...channel('1'), resolution: 'hour' }, ask()));
    should([error.code, error.reason, error.status]).eql(['UNSUPPORTED', 'timeseries_refused', 400]);
  });

  it('refuses another monitor', async () => {
    const connection = connect();
    should((await errorOf(connection.monitor('00:11:22:33:44:55', ask()))).reason).equal('unknown_monitor');
    should((await connection.monitor(simulator.monitors[0]?.mac ?? '', ask())).name).equal('Demo');
  });

  it('rejects everything but series as unsupported, without a request', async () => {
    const connection = connect();
    const meter = { ...anyMonitor, alias: 'p1' };
    const day = periodFromLabel('2026-10-25', zone);
    for (const request of [
      connection.readRealtime(meter, ask()),
      connection.readSeries(meter, day, ask()),
      connection.readTotals(meter, day, ask()),
    ]) {
      const error = await errorOf(request);
      should([error.code, error.reason]).eql(['UNSUPPORTED', 'only_series']);
    }
    const told = await new Promise<CemmError>((resolve) => {
      const nothing = (): void => undefined;
      connection.watchRealtime(meter, 10_000, { onReading: nothing, onAvailability: nothing, onError: resolve });
    });
    should(told.reason).equal('only_series');
    should(asked()).eql([]);
  });

  it('rejects time series of an Open API as unsupported', async () => {
    const client = createLocalClient({ host: simulator.local ?? '', allowLoopback: true });
    const local = kept(createOpenApiConnection({ client, timezone: zone, transport: 'local', deadlineMs: 25_000 }));
    should((await errorOf(local.readTimeseries())).reason).equal('not_public');
  });

  it('cancels requests in flight when it is closed', async () => {
    simulator.faults.add('silent');
    const connection = connect();
    const request = errorOf(connection.readTimeseries(channel('1'), ask()));
    await connection.close();
    should((await request).code).equal('CANCELLED');
  });
});

describe('selecting a channel', () => {
  const plain = { label: null, type: null, role: null };
  const said = { label: null, unit: null, aggregation: null };
  const meters: readonly PublicMeter[] = [
    { ...plain, id: 1, key: 'a', channels: [{ ...said, id: 1, key: 'x' }] },
    {
      ...plain,
      id: 2,
      key: 'odd key',
      channels: [
        { ...said, id: 5, key: 'y' },
        { ...said, id: 9, key: '1' },
      ],
    },
  ];

  it('requests by number when a key contains a separator', () => {
    chooseChannel(meters, { meter: 'odd key', channel: 'y' }).name.should.equal('5');
    chooseChannel(meters, { meter: 'a', channel: 'x' }).name.should.equal('a:x');
  });

  it('prefers a key to a number', () => {
    chooseChannel(meters, { meter: null, channel: '1' }).channel.id?.should.equal(9);
    chooseChannel(meters, { meter: 'a', channel: '1' }).name.should.equal('a:x');
  });
});

function withoutWater(meters: readonly PublicMeter[]): readonly PublicMeter[] {
  return meters.filter(({ key }) => key !== 'water');
}
