/** What outlives a receiver when its node is deployed again: nothing of it depends on settings. */
import type { WebhookPayload } from '../model/payload';
import type { ReceiverClock } from './clock';
import { DeliveryHistory } from './delivery-history';
import { DeliveryQueue } from './delivery-queue';
import { DeliveryQuota } from './delivery-quota';
import { FailureLimit } from './failure-limit';
import { ReadingBudget } from './raw-body';
import { ReplayMemory } from './replay-memory';

const megabyte = 1024 * 1024;

export interface ReceiverState {
  readonly memory: ReplayMemory;
  readonly quota: DeliveryQuota;
  readonly failures: FailureLimit;
  readonly history: DeliveryHistory;
  /** Acknowledged, not yet sent. */
  readonly queue: DeliveryQueue<WebhookPayload>;
  /** For the bodies that are just arriving. */
  readonly budget: ReadingBudget;
}

export function createReceiverState(clock: ReceiverClock): ReceiverState {
  return {
    memory: new ReplayMemory(clock),
    quota: new DeliveryQuota(clock),
    failures: new FailureLimit(clock),
    history: new DeliveryHistory(),
    queue: new DeliveryQueue({ items: 1000, bytes: 32 * megabyte }),
    budget: new ReadingBudget(32 * megabyte),
  };
}
