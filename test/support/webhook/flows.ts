/** Flows with a webhook node: both outputs go to collectors (`deliveries`, `problems`). */
import type { WebhookPayload } from '../../../src/model/payload';
import { collector, tab, type CollectedMessage, type FlowNode } from '../node-red/node-red';

export const key = 'the key that monitor and test share';

export function webhookNode(more: Readonly<Record<string, unknown>> = {}): FlowNode {
  return {
    id: 'hook',
    type: 'cemm-webhook-in',
    z: 'flow',
    name: '',
    path: '/cemm',
    hmac: true,
    header: false,
    query: false,
    hmacKeyFrom: '',
    hmacKeyFromType: 'credential',
    headerName: 'X-API-Key',
    queryName: 'api_key',
    open: false,
    maxAge: 300,
    monitors: '',
    expected: '',
    meter: '',
    channel: '',
    connection: '',
    wires: [['deliveries'], ['problems']],
    ...more,
  };
}

export function webhookFlow(
  more: Readonly<Record<string, unknown>> = {},
  others: readonly FlowNode[] = [],
): FlowNode[] {
  return [tab(), webhookNode(more), ...collector('deliveries'), ...collector('problems'), ...others];
}

export const credentials = { hook: { hmacKey: key } };

/** The received readings in order: each delivery of the tests has one with a unique number. */
export function listReadingValues(messages: readonly CollectedMessage[]): number[] {
  return messages.flatMap(({ payload }) => (payload as WebhookPayload).readings.map(({ value }) => value ?? NaN));
}
