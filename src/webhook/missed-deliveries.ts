/**
 * Detects missed deliveries: a delivery must come within half a minute of each due moment. Due moments follow the wall clock of
 * the time zone, so a day of 23 or 25 hours has fewer or more of them.
 */
import { countDue, dueAfter, dueUpTo, slotEndingAt, type WebhookInterval } from '../model/webhook-topics';
import { dayMs, earliestMoment, latestMoment, millis, type Millis, minuteMs } from '../time/units';
import type { Clock } from '../time/clock';

export interface MissedSlot {
  readonly start: Millis;
  readonly end: Millis;
  /** More than one after the machine was suspended or busy; start and end then enclose all of them. */
  readonly count: number;
}

const graceMs = 30_000;
/** Upper bound of a timer, because the clock may be set meanwhile. */
const longestWaitMs = minuteMs;
/** A larger jump means that the clock was set, not that nothing arrived for a week. */
const longestSleepMs = 7 * dayMs;

export class MissedDeliveries {
  /** The next due moment. */
  private due: Millis | null = null;
  private readonly delivered = new Set<Millis>();
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly interval: WebhookInterval,
    private readonly timezone: string,
    private readonly clock: Clock,
    private readonly report: (missed: MissedSlot) => void,
  ) {
    this.check();
  }

  /** Counts a delivery by its own time or its arrival, whichever is closer to a due moment. */
  recordDelivery(started: Millis | null, arrived: Millis): void {
    for (const moment of [started, arrived]) {
      if (moment === null || !isUsable(moment)) continue;
      const due = dueAfter(millis(moment - graceMs - 1), this.interval, this.timezone);
      if (due <= moment + graceMs && this.due !== null && due >= this.due && this.delivered.size < 100)
        this.delivered.add(due);
    }
  }

  stop(): void {
    this.stopTimer?.();
    this.stopTimer = null;
  }

  private check(): void {
    const now = this.clock.now();
    if (isUsable(now)) this.advance(now);
    const wait = this.due === null ? longestWaitMs : this.due + graceMs + 1 - now;
    this.stopTimer = this.clock.after(Math.min(Math.max(wait, 1), longestWaitMs), () => {
      this.check();
    });
  }

  private advance(now: Millis): void {
    if (this.due === null || Math.abs(now - this.due) > longestSleepMs) {
      this.due = dueAfter(now, this.interval, this.timezone);
      return;
    }
    const next = dueAfter(millis(now - graceMs - 1), this.interval, this.timezone);
    if (next <= this.due) return;
    const { due } = this;
    this.due = next;
    const delivered = new Set([...this.delivered].filter((moment) => moment >= due && moment < next));
    for (const moment of this.delivered) if (moment < next) this.delivered.delete(moment);
    const count = countDue(due, next, this.interval, this.timezone) - delivered.size;
    if (count <= 0) return;
    const first = this.nextMissed(due, delivered);
    const last = this.lastMissed(next, delivered);
    const { start } = slotEndingAt(first, this.interval, this.timezone);
    this.report({ start, end: last, count });
  }

  /** Takes at most one step per received delivery, whatever the jump of the clock. */
  private nextMissed(due: Millis, delivered: ReadonlySet<Millis>): Millis {
    return delivered.has(due) ? this.nextMissed(dueAfter(due, this.interval, this.timezone), delivered) : due;
  }

  private lastMissed(next: Millis, delivered: ReadonlySet<Millis>): Millis {
    const last = dueUpTo(millis(next - 1), this.interval, this.timezone);
    return delivered.has(last) ? this.lastMissed(last, delivered) : last;
  }
}

/** A machine without a battery for its clock starts in 1970. */
function isUsable(moment: Millis): boolean {
  return moment > earliestMoment + longestSleepMs && moment < latestMoment - longestSleepMs;
}

/** An installation without deliveries for this time and number of slots is forgotten. */
const forgetMs = dayMs;
const forgetSlots = 3;

interface Watch {
  readonly slots: MissedDeliveries;
  /** Monotonic time of the last delivery. */
  seen: number;
  missed: number;
}

/** Watches one installation, or every installation that sends to one path. */
export class InstallationWatch {
  private readonly watches = new Map<string | null, Watch>();

  /** @param isFleet true: each installation is watched from its first delivery on; false: there is one, watched from now on */
  constructor(
    private readonly interval: WebhookInterval,
    private readonly timezone: string,
    isFleet: boolean,
    private readonly clock: Clock,
    private readonly report: (missed: MissedSlot, installation: string | null) => void,
    private readonly capacity = 10_000,
  ) {
    if (!isFleet) this.watch(null);
  }

  /** Counts a delivery by its own time or its arrival, whichever is closer to a due moment. */
  recordDelivery(started: Millis | null, arrived: Millis, installation: string | null): void {
    const watch = this.watches.get(installation) ?? this.watch(installation);
    if (watch === null) return;
    watch.seen = this.clock.monotonic();
    watch.missed = 0;
    watch.slots.recordDelivery(started, arrived);
  }

  stop(): void {
    for (const { slots } of this.watches.values()) slots.stop();
    this.watches.clear();
  }

  get size(): number {
    return this.watches.size;
  }

  /** Null if the capacity is reached. */
  private watch(installation: string | null): Watch | null {
    if (this.watches.size >= this.capacity) return null;
    const slots = new MissedDeliveries(this.interval, this.timezone, this.clock, (missed) => {
      this.miss(installation, missed);
    });
    const watch = { slots, seen: this.clock.monotonic(), missed: 0 };
    this.watches.set(installation, watch);
    return watch;
  }

  private miss(installation: string | null, missed: MissedSlot): void {
    const watch = this.watches.get(installation);
    if (watch === undefined) return;
    watch.missed += missed.count;
    const isGone = this.clock.monotonic() - watch.seen >= forgetMs && watch.missed >= forgetSlots;
    if (installation !== null && isGone) {
      this.watches.delete(installation);
      // Deferred, because it sets its next timer after this.
      this.clock.soon(() => {
        watch.slots.stop();
      });
    }
    this.report(missed, installation);
  }
}
