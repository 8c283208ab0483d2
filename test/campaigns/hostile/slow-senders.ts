/** Clients without a key that send half a body, then almost nothing, repeatedly, with valid deliveries in between. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeRed } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { delivery, head, post } from '../../support/webhook/sending';
import { openPath } from './cases';
import { key } from './flows';

export interface SlowSendersOptions {
  readonly clients: number;
  /** Good deliveries, one every 20 ms. */
  readonly deliveries: number;
  readonly ownPort?: number | undefined;
}

export interface SlowSendersReport {
  readonly sent: number;
  /** Answered with 200 within the 5 s that a monitor waits. */
  readonly accepted: number;
  /** Responses to the other deliveries. */
  readonly refusals: readonly string[];
}

/** 99 of 100. */
export const leastAccepted = 0.99;

/** Most have the largest size of a body; the others fill the rest of the memory. */
const claimedKilobytes = [256, 256, 256, 256, 64, 16, 8, 4];
const monitorWaitsMs = 5000;
/** Small deliveries, and, as one in four, those of a monitor with all its channels. */
const paddings = [0, 4, 12, 60].map((kilobytes) => ' '.repeat(1024 * kilobytes));

export async function runSlowSenders(nodeRed: NodeRed, options: SlowSendersOptions): Promise<SlowSendersReport> {
  const port = options.ownPort ?? nodeRed.port;
  const url = `http://127.0.0.1:${port}${openPath}`;
  const clients = Array.from(
    { length: options.clients },
    (_, index) => new SlowClient(port, url, claimedKilobytes[index % claimedKilobytes.length] ?? 256),
  );
  try {
    await until('all slow clients', () => clients.every(({ hasSentHalf }) => hasSentHalf), 30_000);
    const before = (await nodeRed.messages('accepted')).length;
    const answers = await Promise.all(
      Array.from({ length: options.deliveries }, async (_, index) => {
        await sleep(20 * index);
        const body = delivery({ cemm: 25_000_000 + index, padding: paddings[index % paddings.length] });
        const reply = await post({ url, key }, body).catch((error: unknown) => ({
          status: 0,
          ms: 0,
          text: String(error),
        }));
        if (reply.status !== 200) return `${reply.status} ${reply.text}`;
        return reply.ms <= monitorWaitsMs ? null : `200 after ${Math.round(reply.ms)} ms`;
      }),
    );
    const accepted = answers.filter((answer) => answer === null).length;
    await nodeRed.waitFor('accepted', (all) => all.length >= before + accepted);
    return { sent: answers.length, accepted, refusals: answers.filter((answer) => answer !== null) };
  } finally {
    for (const client of clients) client.stop();
  }
}

/** Connects again whenever it is refused. */
class SlowClient {
  hasSentHalf = false;
  private stopped = false;
  private socket: Socket;
  private readonly drip = setInterval(() => {
    if (this.socket.writable) this.socket.write(' ');
  }, 500);

  constructor(
    private readonly port: number,
    private readonly url: string,
    private readonly kilobytes: number,
  ) {
    this.socket = this.open();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.drip);
    this.socket.destroy();
  }

  private open(): Socket {
    const socket = connect(this.port, '127.0.0.1', () => {
      const bytes = 1024 * this.kilobytes;
      socket.write(head({ url: this.url, key }, 'ab'.repeat(64), [`Content-Length: ${bytes}`]));
      // A little more than half, which makes a doubling buffer grow to the full size.
      socket.write(Buffer.alloc(bytes / 2 + 1024, 0x20), () => (this.hasSentHalf = true));
    });
    // Connects again after a response.
    socket.once('data', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      setTimeout(() => {
        if (!this.stopped) this.socket = this.open();
      }, 20);
    });
    return socket;
  }
}
