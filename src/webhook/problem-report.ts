/**
 * Tells of problems without becoming one: the first of its kind at once, the following ones of the same minute as one more
 * message with their number. A flood of bad calls must not become a flood of messages.
 */
import type { Problem } from '../model/delivery';
import type { Clock } from '../clock';

interface Pending {
  readonly reason: string;
  readonly remote: string | null;
  readonly installation: string | undefined;
  count: number;
  /** Monotonic moment of the last message. */
  told: number;
}

export class ProblemReport {
  private readonly pending = new Map<string, Pending>();
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (problem: Problem) => void,
    private readonly pauseMs = 60_000,
    private readonly capacity = 100,
  ) {}

  /** `installation`: one that is known, so that nobody can make up names and fill the memory with them. */
  add(reason: string, remote: string | null, installation?: string): void {
    const now = this.clock.monotonic();
    // More senders than can be told apart share one entry.
    const known = this.pending.get(keyOf(reason, remote, installation));
    const isFull = this.pending.size >= this.capacity;
    const entry = known ?? (isFull ? this.pending.get(keyOf(reason, null)) : undefined);
    if (entry !== undefined) {
      entry.count += 1;
      if (now - entry.told >= this.pauseMs) this.flush(entry, now);
      else this.schedule();
      return;
    }
    const from = isFull ? null : remote;
    const named = isFull ? undefined : installation;
    const fresh = { reason, remote: from, installation: named, count: 1, told: now };
    this.pending.set(keyOf(reason, from, named), fresh);
    this.flush(fresh, now);
    this.schedule();
  }

  stop(): void {
    this.stopTimer?.();
    this.stopTimer = null;
    this.pending.clear();
  }

  private flush(entry: Pending, now: number): void {
    const { reason, remote, count, installation } = entry;
    entry.count = 0;
    entry.told = now;
    const named = installation === undefined ? {} : { installation };
    this.tell({ reason, remote, count, at: this.clock.now(), ...named });
  }

  private schedule(): void {
    this.stopTimer ??= this.clock.after(this.pauseMs, () => {
      this.stopTimer = null;
      const now = this.clock.monotonic();
      for (const [key, entry] of this.pending) {
        if (entry.count > 0 && now - entry.told >= this.pauseMs) this.flush(entry, now);
        else if (entry.count === 0 && now - entry.told >= this.pauseMs) this.pending.delete(key);
      }
      if (this.pending.size > 0) this.schedule();
    });
  }
}

function keyOf(reason: string, remote: string | null, installation = ''): string {
  return `${reason} ${remote ?? ''} ${installation}`;
}
