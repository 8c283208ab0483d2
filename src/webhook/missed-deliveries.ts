/**
 * Notices what did not come: every moment at which the webhook was due must have a delivery within half a minute. Slots are
 * those of the wall clock in the installation's zone, so a day of 23 or 25 hours has its own number of them.
 */
import { countDue, dueAfter, dueUpTo, slotEndingAt, type WebhookInterval } from '../model/webhook-topics';
import { earliestMoment, latestMoment, millis, type Millis } from '../protocol/time';
import type { Clock } from '../clock';

export interface MissedSlot {
  readonly start: Millis;
  readonly end: Millis;
  /** More than one where the machine was asleep or too busy to look; start and end then enclose all of them. */
  readonly count: number;
}

const graceMs = 30_000;
/** The clock may be set while we wait, so no wait is longer than this. */
const longestWaitMs = 60_000;
/** A leap of the clock by more than this is a clock being set, not a week without deliveries. */
const longestSleepMs = 7 * 86_400_000;

export class MissedDeliveries {
  /** The next moment that needs a delivery. */
  private due: Millis | null = null;
  private readonly served = new Set<Millis>();
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly interval: WebhookInterval,
    private readonly timezone: string,
    private readonly clock: Clock,
    private readonly tell: (missed: MissedSlot) => void,
  ) {
    this.check();
  }

  /** Counts a delivery by its own time or by its arrival, whichever meets a due moment. */
  recordDelivery(started: Millis | null, arrived: Millis): void {
    for (const moment of [started, arrived]) {
      if (moment === null || !isUsable(moment)) continue;
      const due = dueAfter(millis(moment - graceMs - 1), this.interval, this.timezone);
      if (due <= moment + graceMs && this.due !== null && due >= this.due && this.served.size < 100)
        this.served.add(due);
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
    const served = new Set([...this.served].filter((moment) => moment >= due && moment < next));
    for (const moment of this.served) if (moment < next) this.served.delete(moment);
    const count = countDue(due, next, this.interval, this.timezone) - served.size;
    if (count <= 0) return;
    const first = this.nextMissed(due, served);
    const last = this.lastMissed(next, served);
    const { start } = slotEndingAt(first, this.interval, this.timezone);
    this.tell({ start, end: last, count });
  }

  /** At most as many steps as deliveries were seen, however far the clock has stepped. */
  private nextMissed(due: Millis, served: ReadonlySet<Millis>): Millis {
    return served.has(due) ? this.nextMissed(dueAfter(due, this.interval, this.timezone), served) : due;
  }

  private lastMissed(next: Millis, served: ReadonlySet<Millis>): Millis {
    const last = dueUpTo(millis(next - 1), this.interval, this.timezone);
    return served.has(last) ? this.lastMissed(last, served) : last;
  }
}

/** A machine without a clock battery starts in 1970. */
function isUsable(moment: Millis): boolean {
  return moment > earliestMoment + longestSleepMs && moment < latestMoment - longestSleepMs;
}

// The watch over missed slots where many installations send to one path: each is watched from its first delivery on.

/** One that was silent for this long, and for a few slots, has moved out: nobody wants to hear of it every minute for ever. */
const forgetMs = 86_400_000;
const forgetSlots = 3;

interface Watch {
  readonly slots: MissedDeliveries;
  /** Monotonic moment of the last delivery. */
  seen: number;
  missed: number;
}

export class InstallationWatch {
  private readonly watches = new Map<string | null, Watch>();

  /** @param isFleet false: one installation, watched from now on */
  constructor(
    private readonly interval: WebhookInterval,
    private readonly timezone: string,
    isFleet: boolean,
    private readonly clock: Clock,
    private readonly tell: (missed: MissedSlot, installation: string | null) => void,
    private readonly capacity = 10_000,
  ) {
    if (!isFleet) this.watch(null);
  }

  /** Counts a delivery by its own time or by its arrival, whichever meets a due moment. */
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

  /** Null where there are as many as may be. */
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
      // It sets its next timer when this is through.
      this.clock.soon(() => {
        watch.slots.stop();
      });
    }
    this.tell(missed, installation);
  }
}
