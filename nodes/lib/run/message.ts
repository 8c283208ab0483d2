/** Builds the outgoing messages: the incoming one (or a new one) with payload and topic set. */
import type { NodeAPI, NodeMessage } from 'node-red';
import { topicOf } from '../../../src/model/identity';
import type { Payload } from '../../../src/model/payload';

/** `parts` of a sequence: several messages in response to one. */
export interface Sequence {
  readonly id: string;
  readonly index: number;
  readonly count: number;
}

export function messageFor(
  RED: Pick<NodeAPI, 'util'>,
  incoming: NodeMessage | null,
  payload: Payload,
  sequence?: Sequence,
): NodeMessage {
  const message: NodeMessage = incoming === null ? {} : RED.util.cloneMessage(incoming);
  message.payload = payload;
  message.topic = topicOf(payload);
  if (sequence !== undefined) message['parts'] = { ...sequence, type: 'array', len: 1 };
  return message;
}
