/**
 * The example of gap repair with a simulated monitor and a real InfluxDB. After a start, and for a missed delivery, it requests
 * exactly that window; a delivered, requested or doubled minute is one point with one value.
 */
import should from 'should';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemPayload, SeriesPayload } from '../../../src/model/payload';
import { createSimulatedClock, type SimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { minuteMs, millis } from '../../../src/time/units';
import { startInfluxDb, type InfluxDb } from '../../support/servers/influxdb';
import { collector, freePort, NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { projectDir } from '../../support/node-red/installed-package';
import { until } from '../../support/until';

const database = 'energy';
const admin = { user: 'admin', password: 'a password of the store' };
/** Early in a minute: the first delivery does not count for the next slot, which is then the missed one. */
const start = millis(Date.parse('2026-06-18T13:02:02+02:00'));
const selectMinutes = `SELECT * FROM cemm_series WHERE step = 'PT1M'`;

function example(changes: Readonly<Record<string, object>>): FlowNode[] {
  const flow = JSON.parse(readFileSync(join(projectDir, 'examples/influxdb/gap-repair.json'), 'utf8')) as FlowNode[];
  for (const id of Object.keys(changes)) flow.some((node) => node.id === id).should.be.true(id);
  return flow.map((node) => ({ ...node, ...changes[node.id] }));
}

/** Copies messages of nodes to a file of the test. */
function watched(flow: readonly FlowNode[], taps: Readonly<Record<string, string>>): FlowNode[] {
  const wired = flow.map((node) =>
    taps[node.id] === undefined
      ? node
      : { ...node, wires: (node['wires'] as string[][]).map((port) => [...port, String(taps[node.id])]) },
  );
  return [...wired, ...Object.values(taps).flatMap((name) => collector(name, 'cemm-gaps'))];
}

describe('the example gap-repair with a monitor and a store', function () {
  this.timeout(300_000);
  const hmacKey = randomBytes(32).toString('hex');
  let influx: InfluxDb | undefined;
  let monitor: Simulator | undefined;
  let nodeRed: NodeRed | undefined;
  let clock: SimulatedClock;

  before(async () => {
    const users = `CREATE USER "admin" WITH PASSWORD '${admin.password}' WITH ALL PRIVILEGES`;
    influx = await startInfluxDb(database, { admin, setUp: [users, `CREATE DATABASE "${database}"`] });
  });

  after(async () => {
    await nodeRed?.stop();
    await monitor?.close();
    await influx?.stop();
  });

  function running(): { influx: InfluxDb; monitor: Simulator; nodeRed: NodeRed } {
    if (influx === undefined || monitor === undefined || nodeRed === undefined) throw new Error('not running');
    return { influx, monitor, nodeRed };
  }

  async function deploy(): Promise<void> {
    const { influx, monitor, nodeRed } = running();
    const env = [
      { name: 'INFLUX_URL', type: 'str', value: `http://127.0.0.1:${influx.port}` },
      { name: 'INFLUX_DB', type: 'str', value: database },
      { name: 'INFLUX_USER', type: 'str', value: admin.user },
      { name: 'INFLUX_PASSWORD', type: 'cred', value: '' },
      { name: 'METER', type: 'str', value: 'p1' },
    ];
    const flow = example({
      'cemm-gaps': { env },
      'cemm-demo-monitor': { mode: 'local', host: new URL(String(monitor.local)).host },
    });
    const taps = {
      'cemm-gaps-in': 'delivered',
      'cemm-gaps-only': 'repaired',
      'cemm-gaps-write': 'written',
      'cemm-gaps-errors': 'caught',
    };
    await nodeRed.deploy(watched(flow, taps), 'full', {
      'cemm-gaps-in': { hmacKey },
      'cemm-gaps': { INFLUX_PASSWORD: admin.password },
    });
  }

  async function stored(): Promise<Map<number, number>> {
    const rows = await running().influx.query(selectMinutes);
    const minutes = rows.map(({ time, power_w: power, meter, monitor: id }) => {
      should(meter).equal('p1');
      should(id).match(/^[0-9a-f]{12}$/);
      return [Number(time), Number(power)] as const;
    });
    // A second point of the same minute would have another monitor or meter.
    new Set(minutes.map(([time]) => time)).size.should.equal(minutes.length);
    return new Map(minutes);
  }

  async function windows(): Promise<SeriesPayload[]> {
    return (await running().nodeRed.messages('repaired')).map(({ payload }) => payload as SeriesPayload);
  }

  function shouldBeOfTheHouse(minutes: ReadonlyMap<number, number>): void {
    const [first] = running().monitor.monitors;
    for (const [time, power] of minutes) should(power).equal(first?.household.minute(millis(time)).gridW);
  }

  it('asks after a start for the last hour, and for no more', async () => {
    clock = createSimulatedClock({ start });
    nodeRed = await NodeRed.start({
      env: { CEMM_TEST_CLOCK: new Date(start).toISOString() },
      settings: "contextStorage: { default: { module: 'localfilesystem', config: { flushInterval: 1 } } },",
    });
    const url = `${nodeRed.url}/cemm-gaps`;
    const since = millis(Date.parse('2026-06-01T00:00:00+02:00'));
    monitor = await startSimulator({
      localPort: await freePort(),
      since,
      clock,
      webhook: { url, hmacKey, everySeconds: 86_400 },
    });
    await deploy();
    await nodeRed.waitForMessages('written', 1);
    const minutes = await stored();
    minutes.size.should.equal(60);
    const [payload] = await windows();
    should(payload?.points.length).equal(60);
    should((payload?.points[0]?.ts ?? 1) % minuteMs).equal(0);
    shouldBeOfTheHouse(minutes);
  });

  it('has one point for a minute that is delivered and asked for, with one value', async () => {
    const { monitor, nodeRed } = running();
    const [before, written] = [await stored(), (await nodeRed.messages('written')).length];
    should((await monitor.webhook?.sendNow())?.status).equal(200);
    await nodeRed.waitForMessages('written', written + 1);
    const after = await stored();
    // The delivered minute lies in the requested window, or is the one after it.
    after.size.should.be.within(before.size, before.size + 1);
    for (const [time, power] of before) should(after.get(time)).equal(power);
    shouldBeOfTheHouse(after);
    (await windows()).should.have.length(1);
  });

  it('asks for the slot of a delivery that does not come, and for nothing else', async () => {
    const { nodeRed } = running();
    const [asked, before] = [(await windows()).length, await stored()];
    const [missed] = (
      await nodeRed.waitFor(
        'delivered',
        (all) => all.some(({ payload }) => (payload as ProblemPayload).reason === 'missed'),
        180_000,
      )
    )
      .map(({ payload }) => payload as ProblemPayload)
      .filter(({ reason }) => reason === 'missed');
    const slot = missed?.slot ?? { start: 0, end: 0 };
    (slot.end - slot.start).should.equal(minuteMs);
    await nodeRed.waitForMessages('repaired', asked + 1);
    const points = (await windows())[asked]?.points ?? [];
    points.map(({ ts }) => ts).should.eql([slot.start]);
    const after = await until('the minute in the store', async () => {
      const minutes = await stored();
      return minutes.has(slot.start) && minutes;
    });
    after.size.should.be.within(before.size, before.size + 2);
    shouldBeOfTheHouse(after);
    (await nodeRed.messages('caught')).should.be.empty();
  });

  it('asks after a restart for what it missed since the last delivery', async () => {
    const first = running();
    // Waits for the context on disk.
    await until('the last minute on disk', () =>
      readFileSync(join(first.nodeRed.userDir, 'context/cemm-gaps/flow.json'), 'utf8').includes('"until"'),
    );
    const asked = (await windows()).length;
    const seen = (await first.nodeRed.messages('delivered'))
      .map(({ payload }) => payload as { kind: string; ts: number })
      .findLast(({ kind }) => kind === 'webhook');
    const from = Math.floor((seen?.ts ?? 0) / minuteMs) * minuteMs;
    const port = first.nodeRed.port;
    await first.nodeRed.stop({ keep: true, signal: 'SIGKILL' });
    // Ten minutes without Node-RED.
    const later = new Date(clock.now() + 10 * minuteMs);
    await first.monitor.close();
    clock = createSimulatedClock({ start: millis(later.getTime()) });
    const localPort = Number(new URL(String(first.monitor.local)).port);
    monitor = await startSimulator({ localPort, since: millis(Date.parse('2026-06-01T00:00:00+02:00')), clock });
    nodeRed = await NodeRed.start({
      userDir: first.nodeRed.userDir,
      port,
      env: { CEMM_TEST_CLOCK: later.toISOString() },
    });
    await nodeRed.waitForMessages('repaired', asked + 1);
    const moments = ((await windows())[asked]?.points ?? []).map(({ ts }) => ts);
    moments.length.should.be.above(9);
    should(moments[0]).equal(from);
    const all = await until('all minutes in the store', async () => {
      const minutes = await stored();
      return moments.every((ts) => minutes.has(ts)) && minutes;
    });
    // Every minute exists exactly once.
    const times = [...all.keys()].sort((a, b) => a - b);
    times.should.eql(times.map((_, index) => (times[0] ?? 0) + index * minuteMs));
    shouldBeOfTheHouse(all);
    (await nodeRed.messages('caught')).should.be.empty();
  });
});
