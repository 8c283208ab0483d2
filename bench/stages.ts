/** Time of each stage of a delivery, without a server. */
import { createHmac, hash } from 'node:crypto';
import type * as Payloads from '../src/model/delivery';
import type { DeliveryArrival } from '../src/model/delivery';
import type * as Deliveries from '../src/protocol/delivery';
import type * as Json from '../src/protocol/json';
import { millis } from '../src/time/units';
import { key } from '../test/support/webhook/flows';
import { plainContext } from '../test/support/webhook/context';
import { fullDelivery } from './support/full-delivery';
import { inTurns, median } from './support/interleaved';
import { shipped } from './support/shipped';
import { rounded, type Table } from './support/table';

const { DeliveryNormalizer } = shipped<typeof Payloads>('model/delivery');
const { readDelivery } = shipped<typeof Deliveries>('protocol/delivery');
const { parseUnchecked } = shipped<typeof Json>('protocol/json');

const rounds = 61;
/** Few per round, as in series.ts. */
const perRound = 200;
const arrival: DeliveryArrival = {
  at: millis(Date.now()),
  latencyMs: 1,
  bytes: 5000,
  id: 'wh:24000001:0:0123456789abcdef',
  verified: ['hmac'],
  keyUsed: 'current',
  replayCheck: 'window',
};

export async function stages(): Promise<Table> {
  const normalizer = new DeliveryNormalizer();
  const bodies = Array.from({ length: perRound }, (_, seed) => Buffer.from(JSON.stringify(fullDelivery(seed))));
  const deliveries = bodies.map((body) => readDelivery(parseUnchecked(body)));
  const each =
    <T>(inputs: readonly T[], stage: (input: T) => unknown) =>
    (): number => {
      const started = performance.now();
      for (const input of inputs) stage(input);
      return ((performance.now() - started) * 1000) / inputs.length;
    };
  const peers = {
    'HMAC-SHA512': each(bodies, (body) => createHmac('sha512', key).update(body).digest()),
    'JSON.parse': each(bodies, (body): unknown => JSON.parse(body.toString())),
    'the same, with the encoding checked': each(bodies, (body) => parseUnchecked(body)),
    'and with every key and value checked': each(bodies, (body) => readDelivery(parseUnchecked(body))),
    'SHA-256, for the id and repeats': each(bodies, (body) => hash('sha256', body)),
    'the message, with readings, names and units': each(deliveries, (delivery) =>
      normalizer.payload(delivery, plainContext, arrival),
    ),
  };
  await inTurns(rounds, peers);
  const times = await inTurns(rounds, peers);
  return {
    name: 'stages',
    rows: [...times].map(([stage, costs]) => ({ stage, µs: rounded(median(costs), 1) })),
    goals: [],
  };
}
