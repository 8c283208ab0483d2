/** The state of a receiver that survives a redeploy of its node. It is independent of settings. */
import type { WebhookPayload } from '../model/payload';
import type { Clock } from '../time/clock';
import { BodyMemory } from './body-memory';
import { DeliveryQueue } from './delivery-queue';
import { DeliveryQuota, FailureLimit } from './quotas';
import { ReplayCache } from './replay-cache';

/** A request in the history. */
interface DeliveryOutcome {
  /** Epoch ms of the response. */
  readonly at: number;
  readonly status: number;
  /** `accepted`, `duplicate`, or the `error` word. */
  readonly word: string;
  readonly bytes: number | null;
  readonly remote: string | null;
  /** Number of the monitor; null if the body was not read. */
  readonly cemm: number | null;
  readonly id: string | null;
  /** Present if the path has parameters, as written in the URL. */
  readonly installation?: string;
}

/**
 * The last accepted and the last refused requests, newest first, for the lists in the dialog: refused requests of strangers do not push
 * out accepted ones.
 */
export class DeliveryHistory {
  readonly accepted: DeliveryOutcome[] = [];
  readonly refused: DeliveryOutcome[] = [];

  constructor(private readonly capacity = 5) {}

  add(outcome: DeliveryOutcome): void {
    const outcomes = outcome.status === 200 ? this.accepted : this.refused;
    outcomes.unshift(outcome);
    if (outcomes.length > this.capacity) outcomes.pop();
  }
}

const megabyte = 1024 * 1024;

export type ReceiverState = ReturnType<typeof createReceiverState>;

export function createReceiverState(clock: Clock) {
  return {
    replayCache: new ReplayCache(clock),
    quota: new DeliveryQuota(clock),
    failures: new FailureLimit(clock),
    history: new DeliveryHistory(),
    /** Payloads of accepted deliveries that are not sent to the flow yet. */
    queue: new DeliveryQueue<WebhookPayload>({ items: 1000, bytes: 32 * megabyte }),
    /** For bodies that arrive or wait for their keys. */
    bodyMemory: new BodyMemory(16 * megabyte),
  };
}
