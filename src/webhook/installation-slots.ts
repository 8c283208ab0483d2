/** The watch over missed slots where many installations send to one path: each is watched from its first delivery on. */
import type { WebhookInterval } from '../model/webhook-slots';
import type { Millis } from '../wire/time';
import type { ReceiverClock } from './clock';
import { MissedSlots, type MissedSlot } from './missed-slots';

/** One that was silent for this long, and for a few slots, has moved out: nobody wants to hear of it every minute for ever. */
const forgetMs = 86_400_000;
const forgetSlots = 3;

interface Watch {
  readonly slots: MissedSlots;
  /** Monotonic moment of the last delivery. */
  seen: number;
  missed: number;
}

export class InstallationSlots {
  private readonly watches = new Map<string | null, Watch>();

  /** @param isFleet false: one installation, watched from now on */
  constructor(
    private readonly interval: WebhookInterval,
    private readonly timezone: string,
    isFleet: boolean,
    private readonly clock: ReceiverClock,
    private readonly tell: (missed: MissedSlot, installation: string | null) => void,
    private readonly capacity = 10_000,
  ) {
    if (!isFleet) this.watch(null);
  }

  /** Counts a delivery by its own time or by its arrival, whichever meets a due moment. */
  saw(started: Millis | null, arrived: Millis, installation: string | null): void {
    const watch = this.watches.get(installation) ?? this.watch(installation);
    if (watch === null) return;
    watch.seen = this.clock.monotonic();
    watch.missed = 0;
    watch.slots.saw(started, arrived);
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
    const slots = new MissedSlots(this.interval, this.timezone, this.clock, (missed) => {
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
