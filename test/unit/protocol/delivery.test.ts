/** Deliveries of the documented form, and each way to differ from it. */
import fc from 'fast-check';
import should from 'should';
import { type DeliveredRecord, readDelivery } from '../../../src/protocol/delivery';
import { ProtocolError } from '../../../src/protocol/json';

const time = 1768478400;
const record = { time, value: 1 };

function regular(data: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { format: 'basic-v1', cemm: 24000001, time, data, ...more };
}

const namesOf = ({ meter, channel, topic }: DeliveredRecord): string[] => [meter, channel, topic];

interface Entry {
  readonly time: number | null;
  readonly value: number | null;
}

/** A record has a moment, or is null or two zeros. */
function isRegularEntry(entry: Entry | null): boolean {
  return entry === null || Boolean(entry.time) || (entry.time === 0 && entry.value === 0);
}

const fromJson = (text: string): unknown => JSON.parse(text);

describe('a delivery of the documented form', () => {
  it('is read value by value, in its order', () => {
    const { shape, ...delivery } = readDelivery(
      regular({
        p1: { gas: { reading: { time: time - 60, value: 12.5 }, 'last/day': null } },
        s01: {
          t1: { reading: { time, value: null }, realtime: { time: 0, value: 0 }, 'this/day': { time, value: 0 } },
        },
      }),
    );
    shape.should.equal('records');
    delivery.should.eql({
      format: 'basic-v1',
      cemm: 24000001,
      time,
      timeIsAbsurd: false,
      flaws: [],
      raw: null,
      records: [
        { meter: 'p1', channel: 'gas', topic: 'reading', time: (time - 60) * 1000, value: 12.5, reason: null },
        { meter: 'p1', channel: 'gas', topic: 'last/day', time: null, value: null, reason: 'absent' },
        { meter: 's01', channel: 't1', topic: 'reading', time: time * 1000, value: null, reason: 'no_value' },
        { meter: 's01', channel: 't1', topic: 'realtime', time: null, value: null, reason: 'no_timestamp' },
        { meter: 's01', channel: 't1', topic: 'this/day', time: time * 1000, value: 0, reason: null },
      ],
    });
  });

  it('has its time in whole seconds', () => {
    readDelivery(regular({}, { time: time + 0.9 })).should.containDeep({ time, timeIsAbsurd: false, raw: null });
  });

  const refused: Record<string, unknown> = {
    null: null,
    'a text': 'delivery',
  };
  for (const [what, body] of Object.entries(refused)) {
    it(`is none with ${what}`, () => {
      (() => readDelivery(body)).should.throw(ProtocolError);
    });
  }

  const incomplete: Record<string, unknown> = {
    'a list': [],
    'a member more': regular({}, { note: 'x' }),
    'a monitor number in a text': regular({}, { cemm: '7' }),
    'a time in milliseconds': regular({}, { time: time * 1000 }),
    'a time in a text': regular({}, { time: String(time) }),
    'no data': { format: 'basic-v1', cemm: 1, time },
    'a meter that is no object': regular({ a: 5 }),
    'a meter that is a list': regular({ a: [] }),
    'a channel that is null': regular({ a: { b: null } }),
    'a channel that is a list': regular({ a: { b: [] } }),
    'a record that is a number': regular({ a: { b: { c: 5 } } }),
    'a record that is a list': regular({ a: { b: { c: [] } } }),
    'a record with a unit': regular({ a: { b: { c: { ...record, unit: 'W' } } } }),
    'a record without a time': regular({ a: { b: { c: { value: 1 } } } }),
    'a record without a value': regular({ a: { b: { c: { time } } } }),
    'a value in a text': regular({ a: { b: { c: { time, value: '1' } } } }),
    'null at time zero': regular({ a: { b: { c: { time: 0, value: null } } } }),
    'a value at time zero': regular({ a: { b: { c: { time: 0, value: 5 } } } }),
    'zero without a time': regular({ a: { b: { c: { time: null, value: 0 } } } }),
    'a topic named __proto__': fromJson(
      `{"format":"basic-v1","cemm":1,"time":${time},"data":{"a":{"b":{"__proto__":{"time":${time},"value":1}}}}}`,
    ),
  };
  for (const [what, body] of Object.entries(incomplete)) {
    it(`is kept whole with ${what}`, () => {
      should(readDelivery(body).raw).equal(body);
    });
  }

  const others: Record<string, unknown> = {
    'an object as monitor number': regular({}, { cemm: { id: 7 } }),
    'no monitor number': { format: 'basic-v1', time, data: {} },
    'no time': { format: 'basic-v1', cemm: 1, data: {} },
    'no format': { cemm: 1, time, data: {} },
    'a list of samples': regular([[time, 1]]),
    'a value that is not finite': fromJson(
      `{"format":"basic-v1","cemm":1,"time":${time},"data":{"a":{"b":{"c":{"time":${time},"value":1e999}}}}}`,
    ),
    'a meter named constructor': regular({ constructor: { b: { c: record } } }),
    'a channel named constructor': regular({ a: { constructor: { c: record } } }),
    'a topic named constructor': regular({ a: { b: { constructor: record } } }),
  };
  for (const [what, body] of Object.entries(others)) {
    it(`is understood with ${what}`, () => {
      readDelivery(body).should.containDeep({ flaws: [], raw: null });
    });
  }

  it('keeps every record, whatever is in it', () => {
    const moment = fc.oneof(fc.integer({ min: 1.3e9, max: 4e9 }), fc.constantFrom(0, null));
    const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, null));
    const name = fc.string({ maxLength: 6 }).filter((text) => text !== '__proto__');
    const entry = fc.oneof(fc.constant(null), fc.record({ time: moment, value }));
    const data = fc.dictionary(name, fc.dictionary(name, fc.dictionary(name, entry)));
    let regularOnes = 0;
    fc.assert(
      fc.property(data, (members) => {
        const delivery = readDelivery(regular(members));
        should(delivery.shape === 'records' && delivery.records.map(namesOf)).eql(
          Object.entries(members).flatMap(([meter, channels]) =>
            Object.entries(channels).flatMap(([channel, topics]) =>
              Object.keys(topics).map((topic) => [meter, channel, topic]),
            ),
          ),
        );
        const entries = Object.values(members).flatMap((channels) =>
          Object.values(channels).flatMap((topics) => Object.values(topics)),
        );
        const isRegular = entries.every(isRegularEntry);
        should(delivery.flaws.length === 0).equal(isRegular);
        should(delivery.raw === null).equal(isRegular);
        if (isRegular) regularOnes += 1;
      }),
      { numRuns: 1000 },
    );
    regularOnes.should.be.above(0);
  });
});
