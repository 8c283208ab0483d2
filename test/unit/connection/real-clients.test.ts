/** Connections with real clients and a simulated monitor. */
import should from 'should';
import { namedPeriod, periodFromLabel } from '../../../src/calendar/periods';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import type { MonitorConnection } from '../../../src/connection/connection';
import type { AvailabilityPayload, RealtimePayload } from '../../../src/model/payload';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import { weeksAgo } from '../../support/time/recent';
import { until } from '../../support/until';

const timezone = 'Europe/Amsterdam';
const ask = () => ({ signal: new AbortController().signal });
const all = { monitor: null, alias: null, role: 'auto' } as const;

function requestsTo(simulator: Simulator, part: string): number {
  return [...simulator.requests].reduce((sum, [path, count]) => sum + (path.includes(part) ? count : 0), 0);
}

describe('connection: real clients and a simulated monitor', function () {
  // Waits for conditions; the machine may be slow.
  this.timeout(120_000);

  let simulator: Simulator;
  let connection: MonitorConnection;

  async function start(transport: 'local' | 'remote'): Promise<void> {
    simulator = await startSimulator({
      [transport === 'local' ? 'localPort' : 'remotePort']: 0,
      clock: createSimulatedClock({ start: millis(Date.now()) }),
      since: weeksAgo(10),
    });
    const client =
      transport === 'local'
        ? createLocalClient({ host: simulator.local ?? '', allowLoopback: true })
        : createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey: 'demo' });
    connection = createOpenApiConnection({
      client,
      timezone,
      transport,
      deadlineMs: 25_000,
      random: () => 0,
    });
  }

  afterEach(async () => {
    await connection.close();
    await simulator.close();
  });

  for (const transport of ['local', 'remote'] as const) {
    it(`reads every meter of the house (${transport}), each once for all callers`, async () => {
      await start(transport);
      const { meters } = await connection.listMeters(null, ask());
      meters.length.should.be.above(2);
      should(meters.find(({ alias }) => alias === 'p1')?.role).equal('grid');
      const aliases = meters.flatMap(({ alias }) => (alias === undefined ? [] : [alias]));
      const readings = await Promise.all(Array.from({ length: 10 }, () => connection.readRealtime(all, ask())));
      for (const reading of readings) reading.map(({ meter }) => meter.alias).should.deepEqual(aliases);
      requestsTo(simulator, '/p1/realtime').should.equal(1);
      const smartMeter = readings[0]?.find(({ meter }) => meter.alias === 'p1');
      should(smartMeter?.values.power_w).be.a.Number();
      should(smartMeter?.monitor.id).equal(simulator.monitors[0]?.mac.replaceAll(':', '').toLowerCase());
    });

    it(`reads series and totals (${transport})`, async () => {
      await start(transport);
      const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
      const now = millis(Date.now());
      const month = namedPeriod('current', 'month', timezone, now);
      const [first, second] = await Promise.all([
        connection.readSeries(target, month, ask()),
        connection.readSeries(target, month, ask()),
      ]);
      requestsTo(simulator, '/p1/data/month').should.equal(1);
      first.points.length.should.be.above(0);
      first.points.should.deepEqual(second.points);
      first.points.should.not.equal(second.points);
      const totals = await connection.readTotals(target, namedPeriod('current', 'day', timezone, now), ask());
      should(totals.values.energy_import_t1_kwh).be.a.Number();
    });
  }

  it('reports an outage and the recovery of a monitor once each', async () => {
    await start('local');
    const readings: RealtimePayload[] = [];
    const told: AvailabilityPayload[] = [];
    const errors: string[] = [];
    const stop = connection.watchRealtime({ monitor: null, alias: 'p1', role: 'auto' }, 300, {
      onReading: (reading) => readings.push(reading),
      onAvailability: (news) => told.push(news),
      onError: ({ code }) => errors.push(code),
    });
    await until('three readings', () => readings.length >= 3);
    simulator.faults.add('truncated');
    await until('the outage', () => told.length === 1);
    simulator.faults.clear();
    const before = readings.length;
    await until('another reading', () => readings.length > before);
    told.map(({ state }) => state).should.deepEqual(['offline', 'online']);
    errors.should.deepEqual(['BAD_PAYLOAD']);
    stop();
  });

  it('reads the day of a clock change in full', async () => {
    await start('local');
    const day = periodFromLabel('2026-10-25', timezone);
    const series = await connection.readSeries({ monitor: null, alias: 'p1', role: 'auto' }, day, ask());
    (series.period.end - series.period.start).should.equal(25 * 3_600_000);
  });
});
