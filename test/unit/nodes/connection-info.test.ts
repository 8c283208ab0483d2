/** Information that a webhook node reads from its connection, and the times of its requests. */
import should from 'should';
import {
  type ConnectionInfo,
  defaultConnectionInfo,
  readConnectionInfo,
} from '../../../nodes/cemm-webhook-in/connection-info';
import { createPublicClient } from '../../../src/clients/public-client';
import type { MonitorConnection } from '../../../src/connection/connection';
import { createPublicConnection } from '../../../src/connection/public-connection';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import { PastDays } from '../../../src/store/past-days';
import { systemClock } from '../../../src/time/clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { until } from '../../support/until';
import { weeksAgo } from '../../support/time/recent';

describe('the facts of an installation', () => {
  let simulator: Simulator;
  let installation: MonitorConnection;
  let told: ConnectionInfo[];
  let complaints: unknown[];
  let now: number;

  beforeEach(async () => {
    simulator = await startSimulator({ localPort: 0, since: weeksAgo(6), timezone: 'Europe/Lisbon' });
    const client = createPublicClient({ host: simulator.local ?? '', allowLoopback: true });
    installation = createPublicConnection({ client, timezone: null, deadlineMs: 20_000 });
    [told, complaints, now] = [[], [], 0];
  });
  afterEach(async () => {
    await installation.close();
    await simulator.close();
  });

  const follow = (settings: object = {}) => {
    const connection = {
      type: 'cemm-connection',
      connect: () => Promise.resolve(installation),
      register: () => undefined,
      deregister: () => undefined,
      ...settings,
    };
    return readConnectionInfo({
      RED: { nodes: { getNode: () => connection } } as never,
      connection: 'public',
      localHost: () => null,
      update: (facts) => told.push(facts),
      warn: (error) => complaints.push(error),
      now: () => now,
    });
  };

  it('are the zone, the monitor and the units of a CEMM 3.0, before they are known the usual zone', async () => {
    const followed = follow();
    await until('all facts', () => told.length === 2);
    followed.stop();
    should(told[0]).match({ timezone: 'Europe/Amsterdam', monitor: null });
    should(told[1]).match({ timezone: 'Europe/Lisbon', monitor: { cemm: simulator.monitors[0]?.cemm } });
    const water = told[1]?.catalogue.get('water');
    should(water).match({ label: 'Water', type: 'water', role: 'water' });
    should(water?.channels.get('volume')).eql({ label: 'Volume', unit: 'm³', aggregation: 'COUNTER' });
    should(complaints).eql([]);
  });

  it('are asked for again when a key is unknown, once a minute at most', async () => {
    const followed = follow();
    await until('all facts', () => told.length === 2);
    now = 59_000;
    followed.refresh();
    now = 61_000;
    followed.refresh();
    followed.refresh();
    await until('facts anew', () => told.length === 3);
    should(told[2]?.catalogue.has('zon')).be.true();
    now = 200_000;
    followed.stop();
    followed.refresh();
    // A request that came too early or after the end would be visible by now, because the connection caches its list.
    await installation.listMeters(null, { signal: new AbortController().signal });
    should(told.length).equal(3);
  });

  it('are what its owner has entered, without the demo monitor, for a demo connection', async () => {
    const houseMeters = new MeterTable(parseMeterRows([{ meter: 'water', name: 'Garden', role: 'water' }]));
    const followed = follow({ mode: 'demo', timezone: 'Europe/Berlin', houseMeters });
    await until('all facts', () => told.length > 0);
    // A request to the monitor would have told its facts by now.
    await installation.listMeters(null, { signal: new AbortController().signal });
    now = 61_000;
    followed.refresh();
    await installation.listMonitors({ signal: new AbortController().signal });
    followed.stop();
    should(told).eql([{ ...defaultConnectionInfo, timezone: 'Europe/Berlin', meters: houseMeters }]);
    should(complaints).eql([]);
  });

  it('are those of the last list after a start while the monitor is away', async () => {
    const past = new PastDays({ folder: null, clock: systemClock, onProblem: () => undefined });
    const host = simulator.local ?? '';
    const connect = (): MonitorConnection =>
      createPublicConnection({
        client: createPublicClient({ host, allowLoopback: true }),
        timezone: null,
        deadlineMs: 1_000,
        past,
        owner: `public ${host}`,
      });
    await installation.close();
    installation = connect();
    const before = follow();
    await until('all facts', () => told.length === 2);
    before.stop();
    await installation.close();
    simulator.faults.add('reset');
    installation = connect();
    const after = follow();
    await until('the kept facts', () => told.length === 3);
    after.stop();
    should(told[2]).eql(told[1]);
  });

  it('stay as they are when the monitor no longer answers', async () => {
    const followed = follow();
    await until('all facts', () => told.length === 2);
    await installation.close();
    now = 61_000;
    followed.refresh();
    await installation.listMeters(null, { signal: new AbortController().signal }).catch(() => undefined);
    // Handlers of a rejection have run after a turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    should(told.length).equal(2);
    followed.stop();
  });
});
