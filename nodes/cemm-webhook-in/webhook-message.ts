/** The messages that leave a webhook-in node. */
import type { NodeMessage } from 'node-red';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';

/**
 * Topic of contract.md section 2; what a message about the whole monitor has no part for is left out, and an installation
 * stands for a monitor that is not known.
 * @param parameters names of those in the path: their values are in `msg.req.params`, as behind a core `http in`
 */
export function webhookMessage(payload: WebhookPayload | ProblemPayload, parameters: readonly string[]): NodeMessage {
  const { monitor, kind, installation } = payload;
  const key = payload.kind === 'webhook' ? meterOf(payload) : undefined;
  const parts = ['cemm', monitor.id ?? monitor.cemm ?? installation, key, kind];
  const topic = parts.filter((part) => part !== undefined).join('/');
  if (installation === undefined) return { payload, topic };
  const values = installation.split('/');
  const params = Object.fromEntries(parameters.map((name, place) => [name, values[place] ?? '']));
  return Object.assign({ payload, topic }, { req: { params } });
}

/** The meter, where the delivery is about one. */
function meterOf({ meter, readings }: WebhookPayload): string | undefined {
  if (meter?.key !== undefined) return meter.key;
  const [first] = readings;
  return readings.every((reading) => reading.meter === first?.meter) ? first?.meter : undefined;
}
