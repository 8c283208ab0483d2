/** The messages that leave a webhook-in node. */
import type { NodeMessage } from 'node-red';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';

/** Topic of contract.md section 2; what a message about the whole monitor has no part for is left out. */
export function webhookMessage(payload: WebhookPayload | ProblemPayload): NodeMessage {
  const { monitor, kind } = payload;
  const key = payload.kind === 'webhook' ? meterOf(payload) : undefined;
  const parts = ['cemm', monitor.id ?? monitor.cemm, key, kind];
  return { payload, topic: parts.filter((part) => part !== undefined).join('/') };
}

/** The meter, where the delivery is about one. */
function meterOf({ meter, readings }: WebhookPayload): string | undefined {
  if (meter?.key !== undefined) return meter.key;
  const [first] = readings;
  return readings.every((reading) => reading.meter === first?.meter) ? first?.meter : undefined;
}
