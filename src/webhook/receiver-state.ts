import type { WebhookPayload } from '../model/payload';
import type { Clock } from '../clock';
import { DeliveryQueue } from './delivery-queue';
import { DeliveryQuota, FailureLimit } from './quotas';
import { BodyMemory } from './raw-body';
import { ReplayCache } from './replay-cache';

/** The five last deliveries and the five last refused calls, as the monitor lists them on its own page. */
interface DeliveryOutcome {
  /** Epoch ms of the answer. */
  readonly at: number;
  readonly status: number;
  /** `accepted`, `duplicate`, or the `error` word. */
  readonly word: string;
  readonly bytes: number | null;
  readonly remote: string | null;
  /** Which monitor, where the body was read that far. */
  readonly cemm: number | null;
  readonly id: string | null;
  /** As called, where the path holds parameters. */
  readonly installation?: string;
}

/** Apart, so that refused calls of a stranger do not push out what the user looks for. */
interface RecentOutcomes {
  /** Newest first, as all of these. */
  readonly accepted: readonly DeliveryOutcome[];
  readonly refused: readonly DeliveryOutcome[];
}

export class DeliveryHistory implements RecentOutcomes {
  readonly accepted: DeliveryOutcome[] = [];
  readonly refused: DeliveryOutcome[] = [];

  constructor(private readonly capacity = 5) {}

  add(outcome: DeliveryOutcome): void {
    const outcomes = outcome.status === 200 ? this.accepted : this.refused;
    outcomes.unshift(outcome);
    if (outcomes.length > this.capacity) outcomes.pop();
  }
}

// What outlives a receiver when its node is deployed again: nothing of it depends on settings.

const megabyte = 1024 * 1024;

export interface ReceiverState {
  readonly replayCache: ReplayCache;
  readonly quota: DeliveryQuota;
  readonly failures: FailureLimit;
  readonly history: DeliveryHistory;
  /** Acknowledged, not yet sent. */
  readonly queue: DeliveryQueue<WebhookPayload>;
  /** For the bodies that are just arriving. */
  readonly bodyMemory: BodyMemory;
}

export function createReceiverState(clock: Clock): ReceiverState {
  return {
    replayCache: new ReplayCache(clock),
    quota: new DeliveryQuota(clock),
    failures: new FailureLimit(clock),
    history: new DeliveryHistory(),
    queue: new DeliveryQueue({ items: 1000, bytes: 32 * megabyte }),
    bodyMemory: new BodyMemory(32 * megabyte),
  };
}
