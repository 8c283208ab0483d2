/**
 * Reports problems at a limited rate: the first of a kind at once, further ones of the same minute together with their count. A
 * flood of bad requests thus does not become a flood of messages.
 */
import type { Problem } from '../model/delivery';
import type { Clock } from '../time/clock';
import { minuteMs } from '../time/units';

interface Pending {
  readonly reason: string;
  readonly remote: string | null;
  readonly installation: string | undefined;
  count: number;
  /** Monotonic time of the last report. */
  reportedAt: number;
}

export class ProblemReport {
  private readonly pending = new Map<string, Pending>();
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly report: (problem: Problem) => void,
    private readonly pauseMs = minuteMs,
    private readonly capacity = 100,
  ) {}

  /** @param installation only a known one: invented names must not use memory */
  add(reason: string, remote: string | null, installation?: string): void {
    const now = this.clock.monotonic();
    // Above the capacity all senders share one entry.
    const known = this.pending.get(buildProblemKey(reason, remote, installation));
    const isFull = this.pending.size >= this.capacity;
    const entry = known ?? (isFull ? this.pending.get(buildProblemKey(reason, null)) : undefined);
    if (entry !== undefined) {
      entry.count += 1;
      if (now - entry.reportedAt >= this.pauseMs) this.flush(entry, now);
      else this.reportLater();
      return;
    }
    const from = isFull ? null : remote;
    const named = isFull ? undefined : installation;
    const fresh = { reason, remote: from, installation: named, count: 1, reportedAt: now };
    this.pending.set(buildProblemKey(reason, from, named), fresh);
    this.flush(fresh, now);
    this.reportLater();
  }

  stop(): void {
    this.stopTimer?.();
    this.stopTimer = null;
    this.pending.clear();
  }

  private flush(entry: Pending, now: number): void {
    const { reason, remote, count, installation } = entry;
    entry.count = 0;
    entry.reportedAt = now;
    const named = installation === undefined ? {} : { installation };
    this.report({ reason, remote, count, at: this.clock.now(), ...named });
  }

  private reportLater(): void {
    this.stopTimer ??= this.clock.after(this.pauseMs, () => {
      this.stopTimer = null;
      const now = this.clock.monotonic();
      for (const [key, entry] of this.pending) {
        if (entry.count > 0 && now - entry.reportedAt >= this.pauseMs) this.flush(entry, now);
        else if (entry.count === 0 && now - entry.reportedAt >= this.pauseMs) this.pending.delete(key);
      }
      if (this.pending.size > 0) this.reportLater();
    });
  }
}

function buildProblemKey(reason: string, remote: string | null, installation = ''): string {
  return `${reason} ${remote ?? ''} ${installation}`;
}
