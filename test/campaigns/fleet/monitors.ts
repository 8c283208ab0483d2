/**
 * The monitors of the fleet: each sends one signed delivery per minute to the balancer, and none twice. What a monitor
 * does after a failed delivery is not documented (https://wiki.cemm.nl/tools/webhooks), so these do not retry: a failed
 * slot is a gap.
 */
import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedClock } from '../../../src/simulator/simulated-clock';
import { monitorIdOf } from '../../../src/simulator/identity';
import type { SimulatedMonitor } from '../../../src/simulator/simulator';
import { buildDelivery, signBody } from '../../../src/simulator/webhook-payload';
import { millis, type Millis } from '../../../src/time/units';

const minute = 60_000;
/** The timeout of a monitor (https://wiki.cemm.nl/tools/webhooks). */
const limitMs = 5000;
/** Length of `HTTP/1.1 200 `, and a buffer that all sockets share. */
const statusEnd = 13;
const received = Buffer.alloc(4096);

export interface FleetMonitor extends SimulatedMonitor {
  /** 12 hex digits: the name of the monitor in the path. */
  readonly id: string;
  readonly key: string;
}

export interface SentDelivery {
  readonly monitor: FleetMonitor;
  readonly slot: Millis;
  /** Null when there was no response. */
  readonly status: number | null;
  readonly ms: number;
}

export function fleetOf(monitors: readonly SimulatedMonitor[]): FleetMonitor[] {
  return monitors.map((monitor) => {
    const id = monitorIdOf(monitor);
    return { ...monitor, id, key: `key of ${id}, which is long enough` };
  });
}

/** The key store of the receivers, as in docs/fleet/settings.js. */
export function keyStoreOf(monitors: readonly FleetMonitor[]): Record<string, { key: string; cemm: number }> {
  return Object.fromEntries(monitors.map(({ id, key, cemm }) => [id, { key, cemm }]));
}

/** Times of the deliveries of a minute, in milliseconds of the simulated clock; default: over its first half. */
export type Spread = (slotIndex: number) => number;

export class Deliveries {
  readonly sent: SentDelivery[] = [];
  /** Longest delay between the planned and the real start of a delivery, in real milliseconds, caused by this process. */
  latestMs = 0;
  private readonly underWay = new Set<Promise<void>>();
  private readonly port: number;

  constructor(
    private readonly monitors: readonly FleetMonitor[],
    private readonly clock: SimulatedClock,
    url: string,
    private readonly spread: Spread = () => minute / 2,
  ) {
    this.port = Number(new URL(url).port);
  }

  /** Resolves when every monitor has sent at each of the slots and has its response. */
  async send(first: Millis, slots: number): Promise<void> {
    for (let index = 0; index < slots; index++) {
      const slot = millis(first + index * minute);
      // Before the slot, because building a body takes longer than sending it.
      const calls = await this.prepare(slot);
      await this.reached(slot);
      await this.sendAll(calls, slot, this.spread(index));
    }
    await Promise.all(this.underWay);
  }

  /** Builds one body per house, because the first one takes longest. */
  async warmUp(): Promise<void> {
    await this.prepare(millis(Math.ceil(this.clock.now() / minute) * minute));
  }

  private async prepare(slot: Millis): Promise<Buffer[]> {
    const calls: Buffer[] = [];
    for (const { household, cemm, id, key } of this.monitors) {
      const delivery = buildDelivery(household, cemm, slot, ['realtime', 'reading', 'last/minute']);
      const body = Buffer.from(JSON.stringify(delivery));
      const head = [
        `POST /cemm/${id} HTTP/1.1`,
        `Host: 127.0.0.1:${this.port}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `X-Signature: ${signBody(body, key)}`,
        'Connection: close',
      ];
      calls.push(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
      if (calls.length % 20 === 0) await turn();
    }
    return calls;
  }

  private async sendAll(calls: readonly Buffer[], slot: Millis, spread: number): Promise<void> {
    for (const [place, monitor] of this.monitors.entries()) {
      const call = calls[place];
      if (call === undefined) return;
      const planned = millis(slot + (place / this.monitors.length) * spread);
      await this.reached(planned);
      this.latestMs = Math.max(this.latestMs, (this.clock.now() - planned) / this.clock.speed);
      const delivery = this.deliver(monitor, slot, call);
      this.underWay.add(delivery);
      void delivery.then(() => this.underWay.delete(delivery));
    }
  }

  private async deliver(monitor: FleetMonitor, slot: Millis, call: Buffer): Promise<void> {
    const started = performance.now();
    const status = await this.post(call);
    this.sent.push({ monitor, slot, status, ms: performance.now() - started });
  }

  /**
   * A connection per delivery, as monitors do; without an HTTP client, because ten thousand deliveries share two cores
   * with the fleet.
   */
  private post(call: Buffer): Promise<number | null> {
    return new Promise((resolve) => {
      let head = '';
      const takes = (bytes: number, buffer: Uint8Array): boolean => {
        if (head.length < statusEnd) head += Buffer.from(buffer.subarray(0, bytes)).toString('latin1');
        return true;
      };
      const socket = connect({ port: this.port, host: '127.0.0.1', onread: { buffer: received, callback: takes } });
      const limit = setTimeout(() => socket.destroy(), limitMs);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(limit);
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1];
        resolve(status === undefined ? null : Number(status));
      });
      socket.write(call);
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
