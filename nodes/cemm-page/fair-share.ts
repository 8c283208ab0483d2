/**
 * Questions of a browser that asks much wait behind those of one that asks little: by the number of questions that wait, as a page has three at most, then by the time
 * that questions took, of the address and of the browser.
 */
import { setRecent } from '../../src/checks/set-recent';
import type { Client } from './viewer-message';

/** Used time counts half after this time. */
const halfLifeMs = 60_000;
/** More questions than these in about a minute are not those of a person, or of the persons in a house. */
const mostAsked = { ofBrowser: 60, ofAddress: 180 } as const;
/** Fewer questions are too many where they took so long, as of one that asks for long periods all the time. */
const mostLong = { questions: 20, ms: 40_000 } as const;
/** More waiting questions are not those of a page, or of the pages of a house. */
const mostWaiting = { ofBrowser: 4, ofAddress: 12 } as const;
/** The least time of a question. */
const leastMs = 50;
const mostNames = 400;

interface Used {
  readonly ms: number;
  readonly questions: number;
  readonly at: number;
}

export interface Share {
  readonly ofAddress: number;
  readonly ofSocket: number;
  readonly asksMuch: boolean;
}

export class FairShare {
  /** The name that was used longest ago is the first. */
  private readonly used = new Map<string, Used>();

  /**
   * @param tookMs from the question to its answer or failure
   * @param asksMuch questions of such a browser do not count for its address: they would make the others there ask much
   */
  charge(
    client: Client,
    { tookMs, asksMuch }: { readonly tookMs: number; readonly asksMuch: boolean },
    now: number,
  ): void {
    const counts = [
      { name: addressName(client), count: asksMuch ? 0 : 1 },
      { name: socketName(client), count: 1 },
    ];
    for (const { name, count } of counts) {
      const { ms, questions } = this.usedBy(name, now);
      const used = { ms: ms + Math.max(leastMs, tookMs), questions: questions + count, at: now };
      setRecent(this.used, name, used, mostNames);
    }
  }

  /**
   * By socket.
   * @param waiting the browser of each question that waits
   */
  shares(waiting: readonly Client[], now: number): Map<string, Share> {
    const clients = new Map(waiting.map((client) => [client.socket, client]));
    const counts = countsOf(waiting.map(socketName));
    // No browser counts for more than a page has: one that asks much does not make others of its address ask much.
    const ofPages = new Map<string, number>();
    for (const client of clients.values()) {
      const count = Math.min(mostWaiting.ofBrowser, counts.get(socketName(client)) ?? 0);
      ofPages.set(client.address, (ofPages.get(client.address) ?? 0) + count);
    }
    return new Map(
      [...clients].map(([socket, client]) => {
        const ofAddress = this.usedBy(addressName(client), now);
        const ofSocket = this.usedBy(socketName(client), now);
        const asksMuch =
          (ofPages.get(client.address) ?? 0) > mostWaiting.ofAddress ||
          this.asksMuch(client, counts.get(socketName(client)) ?? 0, now);
        return [socket, { ofAddress: ofAddress.ms, ofSocket: ofSocket.ms, asksMuch }];
      }),
    );
  }

  /** @param waiting questions of this browser that wait */
  asksMuch(client: Client, waiting: number, now: number): boolean {
    const ofSocket = this.usedBy(socketName(client), now);
    return (
      waiting > mostWaiting.ofBrowser ||
      ofSocket.questions > mostAsked.ofBrowser ||
      (ofSocket.questions > mostLong.questions && ofSocket.ms > mostLong.ms) ||
      this.usedBy(addressName(client), now).questions > mostAsked.ofAddress
    );
  }

  private usedBy(name: string, now: number): { readonly ms: number; readonly questions: number } {
    const { ms, questions, at } = this.used.get(name) ?? { ms: 0, questions: 0, at: now };
    const part = 0.5 ** (Math.max(0, now - at) / halfLifeMs);
    return { ms: ms * part, questions: questions * part };
  }
}

/** Negative if a question of `a` comes before one of `b`. */
export function compareShares(a: Share, b: Share): number {
  return Number(a.asksMuch) - Number(b.asksMuch) || a.ofAddress - b.ofAddress || a.ofSocket - b.ofSocket;
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function addressName({ address }: Client): string {
  return `address ${address}`;
}

function socketName({ socket }: Client): string {
  return `socket ${socket}`;
}
