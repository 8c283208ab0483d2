/** Deliveries of the documented form are read in one pass; the result is that of `readDelivery`. */
import fc from 'fast-check';
import should from 'should';
import { readDelivery, type DeliveredRecord, type DeliveryHead } from '../../../src/protocol/delivery';
import { readRegularDelivery } from '../../../src/protocol/regular-delivery';

const time = 1768478400;
const record = { time, value: 1 };

function regular(data: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { format: 'basic-v1', cemm: 24000001, time, data, ...more };
}

interface Pass {
  readonly head: DeliveryHead | null;
  readonly records: readonly DeliveredRecord[];
}

function read(body: unknown, most = 1000): Pass {
  const records: DeliveredRecord[] = [];
  const head = readRegularDelivery(body, most, () => (meter, channel, topic, at, value, reason) => {
    records.push({ meter, channel, topic, time: at, value, reason });
  });
  return { head, records };
}

const fromJson = (text: string): unknown => JSON.parse(text);

describe('a delivery of the documented form', () => {
  it('is read value by value, in its order', () => {
    const { head, records } = read(
      regular({
        p1: { gas: { reading: { time: time - 60, value: 12.5 }, 'last/day': null } },
        s01: {
          t1: { reading: { time, value: null }, realtime: { time: 0, value: 0 }, 'this/day': { time, value: 0 } },
        },
      }),
    );
    should(head).eql({ format: 'basic-v1', cemm: 24000001, time, timeIsAbsurd: false });
    should(records).eql([
      { meter: 'p1', channel: 'gas', topic: 'reading', time: (time - 60) * 1000, value: 12.5, reason: null },
      { meter: 'p1', channel: 'gas', topic: 'last/day', time: null, value: null, reason: 'absent' },
      { meter: 's01', channel: 't1', topic: 'reading', time: time * 1000, value: null, reason: 'no_value' },
      { meter: 's01', channel: 't1', topic: 'realtime', time: null, value: null, reason: 'no_timestamp' },
      { meter: 's01', channel: 't1', topic: 'this/day', time: time * 1000, value: 0, reason: null },
    ]);
  });

  it('has its time in whole seconds, and gives the head before the first value', () => {
    const heads: DeliveryHead[] = [];
    readRegularDelivery(regular({}, { time: time + 0.9 }), 10, (head) => {
      heads.push(head);
      return () => undefined;
    });
    should(heads).eql([{ format: 'basic-v1', cemm: 24000001, time, timeIsAbsurd: false }]);
  });

  it('may have as many values as the limit says, and no more', () => {
    const body = regular({ a: { b: { one: record, two: null } }, c: { d: { three: record } } });
    should(read(body, 3).records.map(({ topic }) => topic)).eql(['one', 'two', 'three']);
    should(read(body, 3).head).not.be.null();
    should(read(body, 2).head).be.null();
  });

  const others: Record<string, unknown> = {
    'a list': [],
    null: null,
    'a text': 'delivery',
    'a member more': regular({}, { note: 'x' }),
    'an object as monitor number': regular({}, { cemm: { id: 7 } }),
    'a monitor number in a text': regular({}, { cemm: '7' }),
    'no monitor number': { format: 'basic-v1', time, data: {} },
    'no time': { format: 'basic-v1', cemm: 1, data: {} },
    'a time in milliseconds': regular({}, { time: time * 1000 }),
    'a time in a text': regular({}, { time: String(time) }),
    'no format': { cemm: 1, time, data: {} },
    'no data': { format: 'basic-v1', cemm: 1, time },
    'a list of samples': regular([[time, 1]]),
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
    'a value that is not finite': fromJson(
      `{"format":"basic-v1","cemm":1,"time":${time},"data":{"a":{"b":{"c":{"time":${time},"value":1e999}}}}}`,
    ),
    'null at time zero': regular({ a: { b: { c: { time: 0, value: null } } } }),
    'a value at time zero': regular({ a: { b: { c: { time: 0, value: 5 } } } }),
    'zero without a time': regular({ a: { b: { c: { time: null, value: 0 } } } }),
    'a meter named constructor': regular({ constructor: { b: { c: record } } }),
    'a channel named constructor': regular({ a: { constructor: { c: record } } }),
    'a topic named constructor': regular({ a: { b: { constructor: record } } }),
    'a topic named __proto__': fromJson(
      `{"format":"basic-v1","cemm":1,"time":${time},"data":{"a":{"b":{"__proto__":{"time":${time},"value":1}}}}}`,
    ),
  };
  for (const [what, body] of Object.entries(others)) {
    it(`is none with ${what}`, () => {
      should(read(body).head).be.null();
    });
  }

  it('is read as readDelivery reads it, whatever is in it', () => {
    const moment = fc.oneof(fc.integer({ min: 1.3e9, max: 4e9 }), fc.constantFrom(0, null));
    const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, null));
    const name = fc.string({ maxLength: 6 }).filter((text) => text !== '__proto__');
    const entry = fc.oneof(fc.constant(null), fc.record({ time: moment, value }));
    const data = fc.dictionary(name, fc.dictionary(name, fc.dictionary(name, entry)));
    let regularOnes = 0;
    fc.assert(
      fc.property(data, (members) => {
        const body = regular(members);
        const pass = read(body);
        const whole = readDelivery(body);
        if (pass.head === null) return;
        regularOnes += 1;
        const { format, cemm, time: at, timeIsAbsurd } = whole;
        should(pass.head).eql({ format, cemm, time: at, timeIsAbsurd });
        should(whole.shape === 'records' && whole.records).eql(pass.records);
        should(whole.flaws).eql([]);
        should(whole.raw).be.null();
      }),
      { numRuns: 1000 },
    );
    regularOnes.should.be.above(0);
  });
});
