/** The context of a receiver without a connection, and deliveries that are read in it. */
import type { DeliveryContext, DeliveryNormalizer } from '../../../src/model/delivery';
import type { WebhookPayload } from '../../../src/model/payload';
import { readDelivery } from '../../../src/protocol/delivery';
import { millis } from '../../../src/time/units';

export const plainContext: DeliveryContext = {
  timezone: 'Europe/Amsterdam',
  path: '/cemm',
  catalogue: new Map(),
  monitor: null,
  subject: { meter: '', channel: '' },
  interval: null,
};

/** @param at when the monitor sent it, epoch ms */
export function readBody(
  normalizer: DeliveryNormalizer,
  body: object,
  at: number,
  context = plainContext,
): WebhookPayload {
  return normalizer.payload(readDelivery(body), context, {
    at: millis(at + 300),
    latencyMs: 1,
    bytes: 500,
    id: `wh:1:${at}`,
    verified: [],
    keyUsed: null,
    replayCheck: 'none',
  });
}
