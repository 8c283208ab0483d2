/** The payload in the help of cemm-webhook-in, compared with the payload of a delivery that holds its readings. */
import path from 'node:path';
import should from 'should';
import { helpPage } from '../../../scripts/build/include';
import { DeliveryNormalizer } from '../../../src/model/delivery';
import type { WebhookPayload } from '../../../src/model/payload';
import { readBody } from '../../support/webhook/context';

const root = path.resolve(__dirname, '../../..');

describe('the payload in the help of cemm-webhook-in', () => {
  it('is what the node sends for such a delivery', () => {
    const [, text = ''] = /<pre>([^]*?)<\/pre>/.exec(helpPage(root, 'cemm-webhook-in', 'en-US')) ?? [];
    const shown = JSON.parse(text) as WebhookPayload;
    const [reading] = shown.readings;
    if (reading === undefined) throw new Error('the help shows no reading');
    const { meter, channel, topic, value } = reading;
    const record = { time: Number(reading.ts) / 1000, value };
    const data = { [meter]: { [channel]: { [topic]: record } } };
    const body = { format: 'basic-v1', cemm: shown.monitor.cemm, time: shown.ts / 1000, data };
    const sent = readBody(new DeliveryNormalizer(), body, shown.ts);
    const { monitor, readings, values, ts, time } = shown;
    should(sent).containDeep({ monitor, readings, values, ts, time });
    should(sent.source.requests).equal(shown.source.requests);
  });
});
