/** Who asks much waits behind who asks little: the time that questions took, by socket and by address. */
import type { Client } from './viewer-message';

/** What was used counts half after this time. */
const halfLifeMs = 60_000;
/** An address that used more asks much. */
const muchMs = 5_000;
/** What a question costs at least. */
const leastMs = 50;
const mostNames = 400;

interface Used {
  readonly ms: number;
  readonly at: number;
}

export interface Usage {
  readonly ofAddress: number;
  readonly ofSocket: number;
  readonly isMuch: boolean;
}

export class FairShare {
  /** The name that was used longest ago is the first. */
  private readonly used = new Map<string, Used>();

  /** @param tookMs from the question to its answer or failure */
  charge(client: Client, tookMs: number, now: number): void {
    for (const name of [addressName(client), socketName(client)]) {
      const ms = this.usedBy(name, now) + Math.max(leastMs, tookMs);
      this.used.delete(name);
      this.used.set(name, { ms, at: now });
      for (const oldest of [...this.used.keys()].slice(0, this.used.size - mostNames)) this.used.delete(oldest);
    }
  }

  usage(client: Client, now: number): Usage {
    const ofAddress = this.usedBy(addressName(client), now);
    return { ofAddress, ofSocket: this.usedBy(socketName(client), now), isMuch: ofAddress > muchMs };
  }

  private usedBy(name: string, now: number): number {
    const used = this.used.get(name);
    return used === undefined ? 0 : used.ms * 0.5 ** (Math.max(0, now - used.at) / halfLifeMs);
  }
}

/** Negative if a question of `a` comes before one of `b`. */
export function compareUsage(a: Usage, b: Usage): number {
  return a.ofAddress - b.ofAddress || a.ofSocket - b.ofSocket;
}

function addressName({ address }: Client): string {
  return `address ${address}`;
}

function socketName({ socket }: Client): string {
  return `socket ${socket}`;
}
