/** One run: a fleet that sends, replicas that take turns in dying, a broker that is restarted, and the account of it all. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/simulator/clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import { millis, type Millis } from '../../src/wire/time';
import { startInfluxDb, type InfluxDb } from '../support/influxdb';
import type { FlowNode } from '../support/node-red';
import { until } from '../support/wait';
import { account, type Account } from './account';
import { CpuAccount } from './cpu';
import { LatestValues } from './latest';
import { Deliveries, fleetOf, keyStoreOf, type FleetMonitor, type SentDelivery } from './monitors';
import { exampleFlow, Replica } from './replicas';
import { FleetBroker, startBalancer } from './servers';

const minute = 60_000;
const day = 86_400_000;
const apiKey = 'the key of the fleet';
const database = 'fleet';
const mostLooks = 20;
/** A summer noon: some of the houses feed in, others do not. */
const start = '2026-06-18T10:00:00.000Z';

export interface FleetPlan {
  readonly monitors: number;
  /** Minutes of the simulated clock in which every monitor sends. */
  readonly minutes: number;
  /** Simulated seconds per second. */
  readonly speed: number;
}

export interface FleetResult {
  readonly plan: FleetPlan;
  readonly seconds: number;
  readonly sent: readonly SentDelivery[];
  /** Before anything was asked for again. */
  readonly delivered: Account;
  readonly repaired: Account;
  /** How often a writer was made to look what the store lacks. */
  readonly looks: number;
  readonly latest: LatestValues;
  readonly monitors: readonly FleetMonitor[];
  readonly lastSlot: Millis;
  /** Per cent of one core while the monitors sent. */
  readonly cpu: ReadonlyMap<string, number>;
  /** That the service was asked. */
  readonly requests: number;
  readonly logs: string;
}

function fastClock(speed: number): { clock: Clock; env: Record<string, string> } {
  const since = Date.now();
  const begin = Date.parse(start);
  return {
    clock: { speed, now: () => millis(Math.floor(begin + (Date.now() - since) * speed)) },
    env: { CEMM_TEST_CLOCK: start, CEMM_TEST_CLOCK_SPEED: String(speed), CEMM_TEST_CLOCK_SINCE: String(since) },
  };
}

export async function runFleet(context: Mocha.Context, plan: FleetPlan): Promise<FleetResult> {
  const closing: (() => Promise<unknown>)[] = [];
  const closed = <T>(thing: T, close: () => Promise<unknown>): T => {
    closing.unshift(close);
    return thing;
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cemm-fleet-'));
    closing.unshift(() => rm(folder, { recursive: true, force: true }));
    const broker = await FleetBroker.start(context);
    closing.unshift(() => broker.stop());
    const store = await startInfluxDb(context, 'tests');
    closing.unshift(() => store.stop());
    await store.query(`CREATE DATABASE "${database}" WITH DURATION 730d REPLICATION 1 SHARD DURATION 7d NAME minutes`);

    const { clock, env: clockEnv } = fastClock(plan.speed);
    // The service of the fleet's key, and the houses behind both it and the deliveries.
    const service = await startSimulator({
      remotePort: 0,
      monitors: plan.monitors,
      seed: 7,
      since: millis(clock.now() - 2 * day),
      clock,
      apiKey,
    });
    closing.unshift(() => service.close());
    const monitors = fleetOf(service.monitors);
    const keysFile = join(folder, 'keys.json');
    await writeFile(keysFile, JSON.stringify(keyStoreOf(monitors)));
    const env = {
      ...clockEnv,
      MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      INFLUX_URL: `http://127.0.0.1:${store.port}`,
      INFLUX_DB: database,
      CEMM_KEYS_FILE: keysFile,
    };
    const [receiver, writer, worker, scheduler] = await Promise.all(
      ['fleet-receiver', 'fleet-writer', 'fleet-worker', 'fleet-scheduler'].map(exampleFlow),
    );
    const replica = async (name: string, examples: readonly (FlowNode[] | undefined)[]) => {
      const asked = connected(
        examples.flatMap((flow) => flow ?? []),
        service.remote ?? '',
        plan,
      );
      const started = await Replica.start({ name, ...asked, env: { ...env, CEMM_WRITER: name } });
      return closed(started, () => started.stop());
    };
    const workers = [
      await replica('worker 1', [writer, worker, scheduler]),
      await replica('worker 2', [writer, worker]),
    ] as const;
    const receivers = [await replica('receiver 1', [receiver]), await replica('receiver 2', [receiver])] as const;
    const balancer = await startBalancer(context, [receivers[0].port, receivers[1].port]);
    closing.unshift(() => balancer.stop());
    const latest = await LatestValues.connect(broker.port);
    closing.unshift(() => latest.close());
    await until('the writers at the broker', () => workers.every(({ log }) => /Connected to broker/.test(log)));
    await until('the receivers at the broker', () => receivers.every(({ log }) => /Connected to broker/.test(log)));

    const cpu = new CpuAccount();
    for (const { name, pid } of [...receivers, ...workers]) cpu.watch(name, pid);
    cpu.watch('mosquitto', broker.pid);
    cpu.watch('haproxy', balancer.pid);
    cpu.watch('influxd', store.pid);
    cpu.watch('simulator and test', process.pid);
    await until('both receivers behind the balancer', () => bothAnswer(receivers));
    const first = millis(Math.ceil((clock.now() + minute / 2) / minute) * minute);
    const began = performance.now();
    const deliveries = new Deliveries(monitors, clock, balancer.url);
    const share = (part: number) => first + part * plan.minutes * minute;
    const reached = async (part: number): Promise<void> => {
      while (clock.now() < share(part)) await sleep(50);
    };
    const accidents = async (): Promise<void> => {
      await reached(0.2);
      await receivers[1].kill(cpu);
      await reached(0.35);
      await receivers[1].startAgain(cpu);
      await reached(0.45);
      await workers[1].kill(cpu);
      await reached(0.6);
      await workers[1].startAgain(cpu);
      await reached(0.75);
      cpu.leave('mosquitto');
      await broker.restart(1000);
      cpu.watch('mosquitto', broker.pid, true);
    };
    await Promise.all([deliveries.send(first, plan.minutes), accidents()]);
    const seconds = (performance.now() - began) / 1000;
    const usage = cpu.close();
    // Minutes that the deliveries were about: each tells the one before its slot.
    const from = millis(first - minute);
    const delivered = await settled(store, monitors, from, plan.minutes);
    // What a writer does every quarter of an hour, once the last minutes are old enough for it, until it finds nothing more.
    const old = from + plan.minutes * minute + 6 * minute;
    while (clock.now() < old) await sleep(50);
    const holes = await makeHoles(store, monitors, millis(from + 2 * minute));
    let repaired = await account(store, database, monitors, from, plan.minutes);
    if (repaired.missing.length < holes) throw new Error('the store still has what was taken out of it');
    let looks = 0;
    for (; repaired.missing.length > 0 && looks < mostLooks; looks++) {
      await workers[0].press('cemm-fleet-out-look');
      repaired = await settled(store, monitors, from, plan.minutes);
    }
    return {
      plan,
      seconds,
      sent: deliveries.sent,
      delivered,
      repaired,
      looks,
      requests: [...service.requests.values()].reduce((sum, count) => sum + count, 0),
      latest,
      monitors,
      lastSlot: millis(first + (plan.minutes - 1) * minute),
      cpu: usage,
      logs: [...receivers, ...workers].map(({ name, log }) => `${name}\n${log}`).join('\n'),
    };
  } finally {
    for (const close of closing) await close().catch(() => undefined);
  }
}

/** A writer may or may not have had something in its hands when it was killed; a fifth of the fleet loses two minutes for sure. */
async function makeHoles(store: InfluxDb, monitors: readonly FleetMonitor[], at: Millis): Promise<number> {
  const hit = monitors.filter((_, place) => place % 5 === 0);
  const names = hit.map(({ id }) => id).join('|');
  const window = `time >= ${at}ms AND time < ${at + 2 * minute}ms`;
  await store.query(`DELETE FROM "cemm_series" WHERE "monitor" =~ /^(?:${names})$/ AND ${window}`, database);
  return hit.length * 2;
}

async function bothAnswer(receivers: readonly Replica[]): Promise<boolean> {
  const answers = await Promise.all(receivers.map(({ port }) => fetch(`http://127.0.0.1:${port}/health`)));
  return answers.every(({ status }) => status === 204);
}

/** The flows as they are set up for a fleet: the service in place of the demo monitor, each meter asked once in a real minute. */
function connected(flows: readonly FlowNode[], remote: string, { speed }: FleetPlan) {
  const asked = flows.map((node) => {
    const { type, id } = node;
    if (type === 'cemm-connection' && /-(?:work|jobs)-/.test(id)) return { ...node, mode: 'remote', baseUrl: remote };
    if (type !== 'tab' || id !== 'cemm-fleet-jobs') return node;
    const env = (node['env'] as { name: string }[]).map((entry) =>
      entry.name === 'JOB_SECONDS' ? { ...entry, value: String(60 * speed) } : entry,
    );
    return { ...node, env };
  });
  const remoteIds = asked.filter((node) => Reflect.get(node, 'mode') === 'remote').map(({ id }) => id);
  return { flows: asked, credentials: Object.fromEntries(remoteIds.map((id) => [id, { apiKey }])) };
}

/** The account once nothing more comes: everything is there, or nothing has changed for five seconds. */
async function settled(
  store: InfluxDb,
  monitors: readonly FleetMonitor[],
  from: Millis,
  minutes: number,
): Promise<Account> {
  let before = -1;
  for (let quiet = 0; quiet < 5; quiet++) {
    const now = await account(store, database, monitors, from, minutes);
    if (now.right === now.expected) return now;
    if (now.right !== before) quiet = 0;
    before = now.right;
    await sleep(1000);
  }
  return account(store, database, monitors, from, minutes);
}
