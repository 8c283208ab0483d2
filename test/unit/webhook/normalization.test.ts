/** Normalizing with cached names gives the result of the simple reference. */
import fc from 'fast-check';
import should from 'should';
import type { WebhookPayload, WebhookReading } from '../../../src/model/payload';
import { longestName, mostTemplates, ReadingTemplates } from '../../../src/model/delivery-readings';
import { type DeliveryArrival, type DeliveryContext, DeliveryNormalizer, isLong } from '../../../src/model/delivery';
import { readDelivery, type DeliveredRecord } from '../../../src/protocol/delivery';
import { type DeliveryCatalogue, fieldWithUnit, roleOfWords } from '../../../src/model/public-meters';
import { millis, secondsToMillis, type Millis } from '../../../src/time/units';
import { catalogueFrom } from '../../support/webhook/catalogue';
import { plainContext } from '../../support/webhook/context';
import { classOf, isCurrentTopic, reasonOfNull, windowOf, windowOfValue } from '../../../src/model/webhook-topics';

type Context = Pick<DeliveryContext, 'catalogue' | 'timezone'>;

/** A simple reference for the readings of a delivery: every record is looked up by itself, without a cache. */
function plainReadings(
  records: readonly DeliveredRecord[],
  context: Context,
  at: Millis,
): Pick<WebhookPayload, 'readings' | 'values'> {
  const readings = records.map((record) => plainReading(record, context, at));
  const values: WebhookPayload['values'] = {};
  for (const { meter, field, topic, value } of readings) {
    if (value === null || !isCurrentTopic(topic)) continue;
    const fields = Object.hasOwn(values, meter) ? values[meter] : undefined;
    values[meter] = { ...fields, [field]: value };
  }
  return { readings, values };
}

function plainReading(record: DeliveredRecord, { catalogue, timezone }: Context, at: Millis): WebhookReading {
  const { meter, channel, topic, value, reason } = record;
  const owner = catalogue.get(meter);
  const known = owner?.channels.get(channel);
  const role = roleOfWords(owner?.role, owner?.type);
  const { name, unit, unitSource } = fieldWithUnit(channel, role, 'reading', known?.unit ?? null);
  const whole = windowOf(topic, at, timezone);
  const window = whole === null ? null : windowOfValue(topic, whole, record.time, timezone);
  const channelClass = classOf(channel, known?.aggregation ?? null);
  const reasons = { absent: reasonOfNull(topic, channelClass), no_value: 'no_recent_value' } as const;
  const missing = reason === 'absent' || reason === 'no_value' ? reasons[reason] : reason;
  return {
    meter,
    channel,
    topic,
    field: name,
    value,
    unit,
    unitSource: unit === null ? null : unitSource,
    ts: record.time,
    ...(window !== null && { window: { start: window.start, end: window.end } }),
    ...(typeof owner?.label === 'string' && { meterLabel: owner.label }),
    ...(typeof known?.label === 'string' && { channelLabel: known.label }),
    ...(missing !== null && { missing }),
  };
}

const normalizer = new DeliveryNormalizer();
const now = 1_792_929_600;
const arrival: DeliveryArrival = {
  at: millis(now * 1000 + 900),
  latencyMs: 2,
  bytes: 900,
  id: 'wh:24000001:1792929600:9f2c41d07be3a816',
  verified: ['hmac'],
  keyUsed: 'current',
  replayCheck: 'window',
};

const meters = ['smartmeter-dsmr', 'zon', 'water', 'gas', 'constructor', 'toString', '__proto__'];
const channels = [
  'electric_power_import',
  'electric_energy_import',
  't1',
  'volume',
  'flow',
  'tariff_import_low',
  'ts',
  'x',
];
const topics = [
  'realtime',
  'reading',
  'this/day',
  'this/year',
  'last/minute',
  'last/15minutes',
  'last/month',
  'last/week',
];
const nameOf = (names: readonly string[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...names), weight: 12 },
    { arbitrary: fc.string({ maxLength: 70 }), weight: 1 },
  );

const moment = fc.oneof(fc.integer({ min: now - 900, max: now }), fc.constantFrom(0, -1, now + 0.5));
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constantFrom(0, -0));
const regularRecord = fc.oneof(
  { arbitrary: fc.record({ time: fc.integer({ min: now - 900, max: now }), value: number }), weight: 8 },
  fc.constant(null),
  fc.constant({ time: 0, value: 0 }),
  fc.constant({ time: now, value: null }),
);
const oddRecord = fc.oneof(
  fc.record({ time: moment, value: fc.oneof(number, fc.string(), fc.constantFrom(null, true, '12', [])) }),
  fc.record({ time: moment, value: number, unit: fc.string() }),
  fc.constantFrom<unknown>({}, { value: 3 }, [now, 5], 7, 'x', { time: now, value: { deep: [] } }),
  fc.constant(JSON.parse('{"time":1792929600,"value":1,"__proto__":{"polluted":true}}') as unknown),
);

/** As text, because an object literal cannot hold a key `__proto__`. */
function members(names: fc.Arbitrary<string>, member: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.tuple(names, member), { maxLength, selector: ([name]) => name })
    .map((entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}

function data(record: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const leaf = record.map((value) => JSON.stringify(value));
  return members(nameOf(meters), members(nameOf(channels), members(nameOf(topics), leaf, 5), 5), 4);
}

const head = fc.constantFrom(
  '"format":"basic-v1","cemm":24000001,"time":1792929600',
  '"cemm":7,"time":1792929541.5,"format":"basic-v2"',
  '"format":"basic-v1","cemm":24000001',
  '"format":"basic-v1","cemm":{"id":5},"time":1792929600',
  '"format":5,"cemm":-1,"time":"now","note":"x"',
);
const regular = fc.tuple(fc.constant('"format":"basic-v1","cemm":24000001,"time":1792929600'), data(regularRecord));
const odd = fc.tuple(head, data(fc.oneof({ arbitrary: regularRecord, weight: 6 }, oddRecord)));
const text = fc.oneof(regular, odd).map(([first, body]) => `{${first},"data":${body}}`);

const word = (...words: string[]) => fc.constantFrom(null, ...words);
const catalogue = fc
  .uniqueArray(
    fc.record({
      key: fc.constantFrom('smartmeter-dsmr', 'zon', 'water'),
      label: word('Meter'),
      type: word('electricity', 'water'),
      role: word('grid-connection', 'solar'),
      channels: fc.uniqueArray(
        fc.record({
          key: fc.constantFrom(...channels),
          label: word('Channel'),
          unit: word('W', 'kW', 'L', 'EUR/kWh'),
          aggregation_method: word('AVG', 'COUNTER', 'TARIFF'),
        }),
        { maxLength: 4, selector: ({ key }) => key },
      ),
    }),
    { maxLength: 3, selector: ({ key }) => key },
  )
  .map((known) => catalogueFrom({ meters: known }));

function plainPayload(body: string, context: DeliveryContext): WebhookPayload {
  const delivery = readDelivery(JSON.parse(body));
  if (delivery.shape !== 'records') return normalizer.payload(delivery, context, arrival);
  const at = delivery.time === null ? arrival.at : secondsToMillis(delivery.time);
  const empty = normalizer.payload({ ...delivery, records: [] }, context, arrival);
  return { ...empty, ...plainReadings(delivery.records, context, at) };
}

function payloadOf(body: string, context: DeliveryContext): WebhookPayload {
  return normalizer.payload(readDelivery(JSON.parse(body)), context, arrival);
}

function inParts(body: string, context: DeliveryContext): WebhookPayload {
  const parts = normalizer.payloadInParts(readDelivery(JSON.parse(body)), context, arrival);
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

describe('normalizing a delivery', function () {
  this.timeout(60_000);

  it('equals a simple implementation, for any sequence of layouts, monitors and catalogues', () => {
    const zone = fc.constantFrom('Europe/Amsterdam', 'America/New_York', 'Asia/Kathmandu');
    const deliveries = fc.array(fc.tuple(text, fc.nat(2)), { minLength: 1, maxLength: 8 });
    let regularOnes = 0;
    fc.assert(
      fc.property(
        deliveries,
        fc.tuple(catalogue, catalogue, fc.constant(new Map())),
        zone,
        (bodies, known, timezone) => {
          for (const [body, place] of [...bodies, ...bodies]) {
            const context = { ...plainContext, timezone, catalogue: known[place] ?? plainContext.catalogue };
            const expected = plainPayload(body, context);
            should(payloadOf(body, context)).deepEqual(expected);
            should(inParts(body, context)).deepEqual(expected);
            if (readDelivery(JSON.parse(body)).raw === null) regularOnes += 1;
          }
        },
      ),
      { numRuns: 300 },
    );
    // Enough of them have the documented form.
    regularOnes.should.be.above(150);
    should(Reflect.get({}, 'polluted')).be.undefined();
  });

  it('gives every message its own objects', () => {
    const body = `{"format":"basic-v1","cemm":1,"time":${now},"data":{"zon":{"t1":{"this/day":{"time":${now},"value":1}}}}}`;
    const [first, second] = [payloadOf(body, plainContext), payloadOf(body, plainContext)];
    const [reading] = first.readings;
    if (reading?.window === undefined) throw new Error('no window');
    reading.window.start = 0;
    reading.meter = 'changed';
    should(second).deepEqual(payloadOf(body, plainContext));
    should(second.readings[0]?.window?.start).not.equal(0);
  });

  it('normalizes more than 500 readings in parts', () => {
    const records = Array.from({ length: 501 }, (_, index) => `"t${index}":null`).join(',');
    const body = `{"format":"basic-v1","cemm":1,"time":${now},"data":{"zon":{"t1":{${records}}}}}`;
    isLong(readDelivery(JSON.parse(body))).should.be.true();
    should(inParts(body, plainContext)).deepEqual(plainPayload(body, plainContext));
  });
});

describe('what is remembered of names', () => {
  const empty: DeliveryCatalogue = new Map();

  it('is limited in size, and correct beyond the limit', () => {
    const templates = new ReadingTemplates(empty);
    for (let index = 0; index < 2 * mostTemplates + 5; index += 1) {
      const template = templates.templateOf('zon', 'voltage', `topic ${index}`);
      template.should.containDeep({ meter: 'zon', field: 'voltage_v', topic: `topic ${index}` });
      templates.size.should.be.belowOrEqual(mostTemplates);
    }
    templates.templateOf('zon', 'voltage', 'topic 0').topic.should.equal('topic 0');
  });

  it('does not keep names that are too long', () => {
    const templates = new ReadingTemplates(empty);
    const long = 'x'.repeat(longestName + 1);
    templates.templateOf('zon', 'voltage', 'realtime');
    for (const [meter, channel, topic] of [
      [long, 'voltage', 'realtime'],
      ['zon', long, 'realtime'],
      ['zon', 'voltage', long],
    ] as const) {
      templates.templateOf(meter, channel, topic).should.containDeep({ meter, channel, topic });
    }
    templates.size.should.equal(1);
  });

  it('follows the catalogue of each delivery, and belongs to one normalizer', () => {
    const other = catalogueFrom({
      meters: [{ key: 'w', type: 'water', channels: [{ key: 'volume', unit: 'm3' }] }],
    });
    const body = `{"format":"basic-v1","cemm":1,"time":${now},"data":{"w":{"volume":{"reading":null}}}}`;
    const fieldIn = (catalogue: DeliveryCatalogue): string | undefined =>
      payloadOf(body, { ...plainContext, catalogue }).readings[0]?.field;
    should(fieldIn(empty)).equal('volume_m3');
    should(fieldIn(other)).equal('water_m3');
    should(fieldIn(empty)).equal('volume_m3');
    const another = new DeliveryNormalizer();
    const payload = another.payload(readDelivery(JSON.parse(body)), { ...plainContext, catalogue: other }, arrival);
    should(payload.readings[0]?.field).equal('water_m3');
    should(fieldIn(empty)).equal('volume_m3');
  });
});
