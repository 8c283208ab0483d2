/** The messages that leave a webhook-in node. */
import type { NodeMessage } from 'node-red';
import { topicOf } from '../../src/model/identity';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';

/** @param parameters names of those in the path: their values are in `msg.req.params`, as behind a core `http in` */
export function webhookMessage(payload: WebhookPayload | ProblemPayload, parameters: readonly string[]): NodeMessage {
  const { installation } = payload;
  const topic = topicOf(payload);
  if (installation === undefined) return { payload, topic };
  const values = installation.split('/');
  const params = Object.fromEntries(parameters.map((name, place) => [name, values[place] ?? '']));
  return Object.assign({ payload, topic }, { req: { params } });
}
