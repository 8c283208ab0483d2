/** The messages of a webhook-in node. */
import type { NodeAPI, NodeMessage } from 'node-red';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';
import { messageFor } from '../lib/run/message';

/**
 * Puts the parameters of the path into `msg.req.params`, like a core `http in` node.
 * @param parameters their names
 */
export function webhookMessage(
  RED: NodeAPI,
  payload: WebhookPayload | ProblemPayload,
  parameters: readonly string[],
): NodeMessage {
  const message = messageFor(RED, null, payload);
  const { installation } = payload;
  if (installation === undefined) return message;
  const values = installation.split('/');
  const params = Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? '']));
  return Object.assign(message, { req: { params } });
}
