/**
 * Ten times the fleet: monitors at their real pace, with deliveries in the first half of each minute and once within five
 * seconds. A receiver, a writer and the broker are killed once each, and at the end the store has every minute once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { millis, type Millis } from '../../../src/time/units';
import type { Account } from './account';
import { tryDoors } from './attacker';
import type { CpuAccount } from './cpu';
import { startFleet, type Fleet } from './fleet';
import { settled } from './fleet-run';
import { Deliveries, type SentDelivery } from './monitors';

const minute = 60_000;
const second = 1000;
/** Usual spread of the deliveries of monitors with a correct clock, and the spread of the burst. */
const usualSpread = 30 * second;
const burstSpread = 5 * second;

export interface CampaignPlan {
  readonly monitors: number;
  readonly minutes: number;
  /** No kill and no burst: measures the usual cost of a delivery. */
  readonly isCalm: boolean;
  /** A folder for profiles of the Node-REDs. */
  readonly profiles?: string | undefined;
}

export interface CampaignResult {
  readonly plan: CampaignPlan;
  readonly openDoors: readonly string[];
  readonly sent: readonly SentDelivery[];
  /** Slot of the burst; null if there was none. */
  readonly burst: Millis | null;
  /** Delay of the latest call. */
  readonly senderLateMs: number;
  readonly delivered: Account;
  readonly repaired: Account;
  readonly looks: number;
  readonly seconds: number;
  /** Milliseconds of processor time, including restarts of replicas. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly complaints: readonly string[];
}

export async function runCampaign(plan: CampaignPlan): Promise<CampaignResult> {
  const { monitors: count, minutes, isCalm } = plan;
  const fleet = await startFleet({
    monitors: count,
    speed: 1,
    profiles: plan.profiles,
    jobSeconds: 86_400,
    workersYield: true,
    workers: { 'writer 1': ['writer'], 'writer 2': ['writer'], 'worker for gaps': ['worker'] },
  });
  try {
    const openDoors = await tryDoors(fleet);
    const burstAt = isCalm ? null : Math.floor(minutes * 0.85);
    const spread = (index: number): number => (index === burstAt ? burstSpread : usualSpread);
    const deliveries = new Deliveries(fleet.monitors, fleet.clock, fleet.balancer.url, spread);
    // The first bodies take longest, because each house has to compute its day.
    await deliveries.warmUp();
    const first = millis(Math.ceil((fleet.clock.now() + 15 * second) / minute) * minute);
    while (fleet.clock.now() < first - 10 * second) await sleep(100);
    const cpu = fleet.measured();
    const began = performance.now();
    await Promise.all([deliveries.send(first, minutes), isCalm ? null : accidents(fleet, cpu, first, minutes)]);
    // Includes the work still on its way from the receivers to the store.
    await sleep(5 * second);
    const usage = cpu.close();
    const seconds = (performance.now() - began) / second;
    const from = millis(first - minute);
    const delivered = await settled(fleet.store, fleet.monitors, from, minutes);
    const { repaired, looks } = await repair(fleet, delivered, from, minutes);
    return {
      plan,
      openDoors,
      sent: deliveries.sent,
      burst: burstAt === null ? null : millis(first + burstAt * minute),
      senderLateMs: deliveries.latestMs,
      delivered,
      repaired,
      looks,
      seconds,
      cpu: usage,
      complaints: fleet.complaints(),
    };
  } finally {
    await fleet.close();
  }
}

/** Outside the minute of the burst, which is measured alone. */
async function accidents(fleet: Fleet, cpu: CpuAccount, first: Millis, minutes: number): Promise<void> {
  const reached = async (part: number): Promise<void> => {
    while (fleet.clock.now() < first + part * minutes * minute) await sleep(50);
  };
  const [, receiver] = fleet.receivers;
  const [, writer] = fleet.workers;
  await reached(0.15);
  await receiver?.kill(cpu);
  await reached(0.25);
  await receiver?.startAgain(cpu);
  await reached(0.35);
  await writer?.kill(cpu);
  await reached(0.45);
  await writer?.startAgain(cpu);
  await reached(0.6);
  cpu.leave('mosquitto');
  await fleet.broker.restart(second, 'SIGKILL');
  cpu.watch('mosquitto', fleet.broker.pid, true);
}

/**
 * Runs a writer's check, which happens every quarter of an hour and reads the hour before the last five minutes. No deliveries
 * are sent any more, so there is one minute in which that hour ends with the last delivery.
 */
async function repair(fleet: Fleet, delivered: Account, from: Millis, minutes: number) {
  let repaired = delivered;
  let looks = 0;
  const begin = from + (minutes + 5) * minute;
  while (repaired.missing.length > 0 && fleet.clock.now() < begin + second) await sleep(100);
  while (repaired.missing.length > 0 && fleet.clock.now() < begin + minute - second) {
    await fleet.workers[0]?.press('cemm-fleet-out-look');
    looks += 1;
    repaired = await settled(fleet.store, fleet.monitors, from, minutes);
  }
  return { repaired, looks };
}
