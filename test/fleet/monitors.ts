/**
 * The monitors of the fleet: each sends one signed delivery a minute to the balancer, and none twice. What a monitor does when
 * a delivery fails is not known (spec.md, Events), so these do nothing: a slot that fails is a gap.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/simulator/clock';
import { monitorIdOf } from '../../src/simulator/identity';
import type { SimulatedMonitor } from '../../src/simulator/simulator';
import { buildDelivery, sign } from '../../src/simulator/webhook-payload';
import { millis, type Millis } from '../../src/wire/time';

const minute = 60_000;
/** The monitor's own limit (spec.md E4). */
const limitMs = 5000;

export interface FleetMonitor extends SimulatedMonitor {
  /** 12 hex digits: its name in the path. */
  readonly id: string;
  readonly key: string;
}

export interface SentDelivery {
  readonly monitor: FleetMonitor;
  readonly slot: Millis;
  /** Null where there was no answer. */
  readonly status: number | null;
  readonly ms: number;
}

export function fleetOf(monitors: readonly SimulatedMonitor[]): FleetMonitor[] {
  return monitors.map((monitor) => {
    const id = monitorIdOf(monitor);
    return { ...monitor, id, key: `key of ${id}, which is long enough` };
  });
}

/** What the receivers read: see docs/fleet/settings.js. */
export function keyStoreOf(monitors: readonly FleetMonitor[]): Record<string, { key: string; cemm: number }> {
  return Object.fromEntries(monitors.map(({ id, key, cemm }) => [id, { key, cemm }]));
}

export class Deliveries {
  readonly sent: SentDelivery[] = [];
  /** Each call on a connection of its own, as monitors do. */
  private readonly agent = new Agent({ keepAlive: false, maxSockets: 200 });
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly monitors: readonly FleetMonitor[],
    private readonly clock: Clock,
    private readonly url: string,
  ) {}

  /** Settles when every monitor has sent at each of the slots and has its answer. */
  async send(first: Millis, slots: number): Promise<void> {
    for (let index = 0; index < slots; index++) {
      const slot = millis(first + index * minute);
      await this.reached(slot);
      await this.sendAll(slot);
    }
    await Promise.all(this.underWay);
    this.agent.destroy();
  }

  /** Clocks of monitors differ by some seconds: a minute's deliveries come over its first half. */
  private async sendAll(slot: Millis): Promise<void> {
    for (const [place, monitor] of this.monitors.entries()) {
      await this.reached(millis(slot + (place / this.monitors.length) * (minute / 2)));
      const delivery = this.deliver(monitor, slot);
      this.underWay.add(delivery);
      void delivery.then(() => this.underWay.delete(delivery));
    }
  }

  private async deliver(monitor: FleetMonitor, slot: Millis): Promise<void> {
    const delivery = buildDelivery(monitor.house, monitor.cemm, slot, ['realtime', 'reading', 'last/minute']);
    const body = Buffer.from(JSON.stringify(delivery));
    const started = performance.now();
    const status = await this.post(monitor, body);
    this.sent.push({ monitor, slot, status, ms: performance.now() - started });
  }

  private post({ id, key }: FleetMonitor, body: Buffer): Promise<number | null> {
    return new Promise((resolve) => {
      const call = request(`${this.url}/cemm/${id}`, {
        method: 'POST',
        agent: this.agent,
        signal: AbortSignal.timeout(limitMs),
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'x-signature': sign(body, key),
        },
      });
      call.on('error', () => {
        resolve(null);
      });
      call.on('response', (response) => {
        response.resume();
        response.on('error', () => {
          resolve(null);
        });
        response.on('end', () => {
          resolve(response.statusCode ?? null);
        });
      });
      call.end(body);
    });
  }

  private async reached(moment: Millis): Promise<void> {
    for (;;) {
      const left = (moment - this.clock.now()) / this.clock.speed;
      if (left <= 0) return;
      await sleep(Math.min(left, 1000));
    }
  }
}
