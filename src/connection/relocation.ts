/**
 * Finds a local monitor that has got another address (DHCP). After a failure that may mean this the network is
 * searched, at most once per step of its own backoff, and the connection moves only to an address where the same MAC
 * address has answered.
 */
import type { Clock } from '../time/clock';
import { type CemmError, hasConsequence } from '../errors';
import type { MonitorId } from '../protocol/mac';
import { backoffMs } from './circuit-breaker';

export interface RelocationParts {
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  /** The expected monitor; null while it is not known, and then there is no search. */
  readonly identity: () => MonitorId | null;
  /** The verified address of the monitor; null when it was not found. A rejection counts as not found. */
  readonly find: (id: MonitorId, signal: AbortSignal) => Promise<string | null>;
  /** Uses the address that `find` has verified. Never throws. */
  readonly moveTo: (host: string) => void;
}

export class Relocation {
  private readonly stop = new AbortController();
  private fruitless = 0;
  private notBefore = Number.NEGATIVE_INFINITY;
  private searching = false;

  constructor(private readonly parts: RelocationParts) {}

  resetSearch(): void {
    this.fruitless = 0;
    this.notBefore = Number.NEGATIVE_INFINITY;
  }

  failed({ code }: CemmError): void {
    const id = this.parts.identity();
    if (id === null || this.searching || this.stop.signal.aborted || !hasConsequence(code, 'may_have_moved')) return;
    if (this.parts.clock.monotonic() < this.notBefore) return;
    this.searching = true;
    void this.search(id).finally(() => {
      this.searching = false;
    });
  }

  close(): void {
    this.stop.abort();
  }

  /** Never rejects. */
  private async search(id: MonitorId): Promise<void> {
    const { clock, find, moveTo, random } = this.parts;
    const host = await find(id, this.stop.signal).catch(() => null);
    if (this.stop.signal.aborted) return;
    this.fruitless += 1;
    this.notBefore = clock.monotonic() + backoffMs(this.fruitless, random);
    if (host !== null) moveTo(host);
  }
}
