/** Clients without a key that send slowly, or stop. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { head, type Sender } from './sending';

/** A client without a key that sends some of a body, then a byte now and then, and starts again after a refusal. */
export class SlowClients {
  readonly heard = new Map<string, number>();
  private running = true;
  private readonly sockets = new Set<Socket>();
  private readonly work: Promise<void>[];

  constructor(sender: Sender, count: number, lines: readonly string[], first: Buffer) {
    this.work = Array.from({ length: count }, () => this.attack(sender, lines, first));
  }

  get connected(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    this.running = false;
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.work);
  }

  private async attack(sender: Sender, lines: readonly string[], first: Buffer): Promise<void> {
    while (this.running) {
      const answer = await this.once(sender, lines, first);
      this.heard.set(answer, (this.heard.get(answer) ?? 0) + 1);
      await sleep(500);
    }
  }

  private once(sender: Sender, lines: readonly string[], first: Buffer): Promise<string> {
    const { hostname, port } = new URL(sender.url);
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(head(sender, 'ab'.repeat(64), lines));
        socket.write(first);
      });
      this.sockets.add(socket);
      const drip = setInterval(() => socket.writable && socket.write(' '), 300);
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        this.sockets.delete(socket);
        resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed');
      });
    });
  }
}
