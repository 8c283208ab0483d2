/** One run: a sending fleet, replicas that are killed in turn, a broker that is restarted, and the final account. */
import { setTimeout as sleep } from 'node:timers/promises';
import { millis, type Millis } from '../../../src/time/units';
import type { InfluxDb } from '../../support/servers/influxdb';
import { account, type Account } from './account';
import { tryDoors } from './attacker';
import { startFleet } from './fleet';
import { LatestValues } from './latest';
import { Deliveries, type FleetMonitor, type SentDelivery } from './monitors';

const minute = 60_000;
const mostLooks = 20;

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
  /** Everything that an attacker reached without a login, or with the login of another role. */
  readonly openDoors: readonly string[];
  readonly sent: readonly SentDelivery[];
  /** Account before the first repair. */
  readonly delivered: Account;
  readonly repaired: Account;
  /** Number of a writer's checks of the store. */
  readonly looks: number;
  readonly latest: LatestValues;
  readonly monitors: readonly FleetMonitor[];
  readonly lastSlot: Millis;
  /** Milliseconds of processor time while the monitors sent. */
  readonly cpu: ReadonlyMap<string, number>;
  /** Number of requests to the service. */
  readonly requests: number;
  readonly complaints: readonly string[];
}

export async function runFleet(plan: FleetPlan): Promise<FleetResult> {
  const fleet = await startFleet({
    ...plan,
    jobSeconds: 60,
    workers: { 'worker 1': ['writer', 'worker', 'scheduler'], 'worker 2': ['writer', 'worker'] },
  });
  const { clock, monitors, broker, store, balancer, receivers, workers } = fleet;
  const [firstWorker, secondWorker] = workers;
  const [, secondReceiver] = receivers;
  if (firstWorker === undefined || secondWorker === undefined || secondReceiver === undefined)
    throw new Error('too few');
  let latest: LatestValues | null = null;
  try {
    const openDoors = await tryDoors(fleet);
    latest = await LatestValues.connect(broker.port, fleet.logins.broker.reader);
    const cpu = fleet.measured();
    const first = millis(Math.ceil((clock.now() + minute / 2) / minute) * minute);
    const began = performance.now();
    const deliveries = new Deliveries(monitors, clock, balancer.url);
    const share = (part: number) => first + part * plan.minutes * minute;
    const reached = async (part: number): Promise<void> => {
      while (clock.now() < share(part)) await sleep(50);
    };
    const accidents = async (): Promise<void> => {
      await reached(0.2);
      await secondReceiver.kill(cpu);
      await reached(0.35);
      await secondReceiver.startAgain(cpu);
      await reached(0.45);
      await secondWorker.kill(cpu);
      await reached(0.6);
      await secondWorker.startAgain(cpu);
      await reached(0.75);
      cpu.leave('mosquitto');
      await broker.restart(1000);
      cpu.watch('mosquitto', broker.pid, true);
    };
    await Promise.all([deliveries.send(first, plan.minutes), accidents()]);
    const seconds = (performance.now() - began) / 1000;
    const usage = cpu.close();
    // The delivered minutes: each delivery is about the minute before its slot.
    const from = millis(first - minute);
    const delivered = await settled(store, monitors, from, plan.minutes);
    // A writer's check, which happens every quarter of an hour: repeated, once the last minutes are old enough, until it finds
    // nothing more.
    const old = from + plan.minutes * minute + 6 * minute;
    while (clock.now() < old) await sleep(50);
    const holes = await makeHoles(store, monitors, millis(from + 2 * minute));
    let repaired = await account(store, monitors, from, plan.minutes);
    if (repaired.missing.length < holes) throw new Error('the store still has what was taken out of it');
    let looks = 0;
    for (; repaired.missing.length > 0 && looks < mostLooks; looks++) {
      await firstWorker.press('cemm-fleet-out-look');
      repaired = await settled(store, monitors, from, plan.minutes);
    }
    return {
      plan,
      seconds,
      openDoors,
      sent: deliveries.sent,
      delivered,
      repaired,
      looks,
      requests: fleet.requests(),
      latest,
      monitors,
      lastSlot: millis(first + (plan.minutes - 1) * minute),
      cpu: usage,
      complaints: fleet.complaints(),
    };
  } finally {
    await latest?.close();
    await fleet.close();
  }
}

/** Removes two minutes of a fifth of the fleet, because a killed writer need not have lost any. */
async function makeHoles(store: InfluxDb, monitors: readonly FleetMonitor[], at: Millis): Promise<number> {
  const hit = monitors.filter((_, place) => place % 5 === 0);
  const names = hit.map(({ id }) => id).join('|');
  const window = `time >= ${at}ms AND time < ${at + 2 * minute}ms`;
  await store.query(`DELETE FROM "cemm_series" WHERE "monitor" =~ /^(?:${names})$/ AND ${window}`);
  return hit.length * 2;
}

/** The account after everything has arrived, or nothing has changed for five seconds. */
export async function settled(
  store: InfluxDb,
  monitors: readonly FleetMonitor[],
  from: Millis,
  minutes: number,
): Promise<Account> {
  let before = -1;
  for (let quiet = 0; quiet < 5; quiet++) {
    const now = await account(store, monitors, from, minutes);
    if (now.right === now.expected) return now;
    if (now.right !== before) quiet = 0;
    before = now.right;
    await sleep(1000);
  }
  return account(store, monitors, from, minutes);
}
