import fc from 'fast-check';
import should from 'should';
import { readDelivery } from '../../../src/protocol/delivery';
import { ProtocolError } from '../../../src/protocol/json';

const time = 1768478400;

function basic(data: unknown, more: Record<string, unknown> = {}): unknown {
  return { format: 'basic-v1', cemm: 24000001, time, data, ...more };
}

describe('parsing a delivery', () => {
  it('reads basic-v1', () => {
    const delivery = readDelivery(
      basic({ zon: { volume: { reading: { time: time - 60, value: 12.5 }, 'last/day': null } } }),
    );
    delivery.should.deepEqual({
      shape: 'records',
      format: 'basic-v1',
      cemm: 24000001,
      time,
      timeIsAbsurd: false,
      flaws: [],
      raw: null,
      records: [
        { meter: 'zon', channel: 'volume', topic: 'reading', time: (time - 60) * 1000, value: 12.5, reason: null },
        { meter: 'zon', channel: 'volume', topic: 'last/day', time: null, value: null, reason: 'absent' },
      ],
    });
  });

  it('WB18: reads the result of a public API request', () => {
    const delivery = readDelivery({
      data: [
        [time, 3.5],
        [time + 86400, null],
        [time + 172800, 0],
      ],
    });
    delivery.should.deepEqual({
      shape: 'timeseries',
      format: 'timeseries',
      cemm: null,
      time: null,
      timeIsAbsurd: false,
      flaws: [],
      raw: null,
      samples: [
        { time: time * 1000, values: [3.5] },
        { time: (time + 86400) * 1000, values: [null] },
        { time: (time + 172800) * 1000, values: [0] },
      ],
    });
  });

  it('WB14: reads zero at time zero as no value, and zero at a real time as zero', () => {
    const delivery = readDelivery(basic({ m: { c: { a: { time: 0, value: 0 }, b: { time, value: 0 } } } }));
    should(delivery.shape === 'records' && delivery.records).containDeep([
      { topic: 'a', value: null, time: null, reason: 'no_timestamp' },
      { topic: 'b', value: 0, time: time * 1000, reason: null },
    ]);
    delivery.flaws.should.be.empty();
  });

  it('WB13: keeps valid records beside invalid ones and reports where the invalid ones are', () => {
    const good = { time, value: 1 };
    const body = basic({
      a: 5,
      b: { x: 'no', y: { realtime: good } },
      c: {
        x: {
          t1: 7,
          t2: [],
          t3: { time },
          t4: { time, value: '12' },
          t5: { time, value: true },
          t6: { value: 3 },
          t7: good,
        },
      },
    });
    const delivery = readDelivery(body);
    should(delivery.raw).equal(body);
    const kept = delivery.shape === 'records' ? delivery.records.map(({ topic, value }) => [topic, value]) : [];
    kept.should.deepEqual([
      ['realtime', 1],
      ['t4', null],
      ['t6', 3],
      ['t7', 1],
    ]);
    delivery.flaws
      .map(({ path, expected }) => `${path}: ${expected}`)
      .should.deepEqual([
        '$.data["a"]: an object of channels',
        '$.data["b"]["x"]: an object of topics',
        '$.data["c"]["x"]["t1"]: a value record or null',
        '$.data["c"]["x"]["t2"]: a value record or null',
        '$.data["c"]["x"]["t3"]["value"]: a number',
        '$.data["c"]["x"]["t4"]["value"]: a number',
        '$.data["c"]["x"]["t5"]["value"]: a number',
        '$.data["c"]["x"]["t6"]["time"]: Unix time in seconds',
      ]);
  });

  it('keeps a value without a moment, and a moment without a value', () => {
    const delivery = readDelivery(
      basic({ m: { c: { a: { value: 3 }, b: { time: 0, value: 5 }, d: { time, value: null } } } }),
    );
    should(delivery.shape === 'records' && delivery.records).containDeepOrdered([
      { topic: 'a', time: null, value: 3, reason: null },
      { topic: 'b', time: null, value: 5, reason: null },
      { topic: 'd', time: time * 1000, value: null, reason: 'no_value' },
    ]);
  });

  it('leaves out invalid entries of a series, and reports them', () => {
    const delivery = readDelivery({ data: [[time, 1], [null, 2], [time, 'x'], 'x', [time], [time, null], [time * 1000, 1]] }); // prettier-ignore
    should(delivery.shape === 'timeseries' && delivery.samples).deepEqual([{ time: time * 1000, values: [1] }]);
    const expected = 'a list of Unix time in seconds and numbers';
    delivery.flaws.should.deepEqual([
      { path: '$.data[1]', expected },
      { path: '$.data[2][1]', expected: 'a number' },
      ...[3, 4, 6].map((index) => ({ path: `$.data[${index}]`, expected })),
    ]);
    should(delivery.raw).not.be.null();
  });

  it('WB24: keeps every number of a series of several channels', () => {
    const delivery = readDelivery({ data: [[time, 1, 2], [time + 60, null, 4], [time + 120, 5]] }); // prettier-ignore
    should(delivery.shape === 'timeseries' && delivery.samples).deepEqual([
      { time: time * 1000, values: [1, 2] },
      { time: (time + 60) * 1000, values: [null, 4] },
      { time: (time + 120) * 1000, values: [5] },
    ]);
    should(delivery.raw).be.null();
  });

  it('uses the number of a moment that also has a null, and reports a second number', () => {
    const body = { data: [[time, null], [time, 5], [time, null], [time + 60, 1], [time + 60, 1], [time + 60, 2]] }; // prettier-ignore
    const delivery = readDelivery(body);
    should(delivery.shape === 'timeseries' && delivery.samples).deepEqual([
      { time: time * 1000, values: [5] },
      { time: (time + 60) * 1000, values: [1] },
    ]);
    delivery.flaws.should.deepEqual([{ path: '$.data[5][1]', expected: 'one value for each moment' }]);
    should(delivery.raw).equal(body);
  });

  it('WB24: keeps a complete body that contains more than is understood', () => {
    const good = { time, value: 1 };
    for (const body of [
      basic({ m: { c: { t: good } } }, { note: 'x' }),
      basic({ m: { c: { t: { ...good, unit: 'W' } } } }),
      basic({ m: { c: { t: good, u: [time, 2] } } }),
      basic({ m: { c: { t: good } } }, { cemm: { id: 7, name: 'hall' } }),
      { data: [[time, 1]], resolution: 'day' },
      { format: 5, data: { m: { c: { t: good } } } },
    ]) {
      const delivery = readDelivery(body);
      should(delivery.raw).equal(body);
      delivery.shape.should.not.equal('unknown');
    }
    should(readDelivery(basic({ m: { c: { t: good, u: null } } })).raw).be.null();
  });

  it('WB23: passes on an unknown body unchanged, and uses no time in it', () => {
    for (const body of [
      [],
      [[time, 1]],
      {},
      { a: 1 },
      { format: 5 },
      { meters: [{ key: 'zon', channels: [] }] },
      { id: 24000001, mac: '80:1F:12:47:06:B0', time: 5 },
      { data: { 'zon:electric_power_import': [[time, 5]] }, time: time - 86_400 },
      { data: [{ key: 'zon' }], time: time * 1000 },
      { data: 'x', time: -1 },
    ]) {
      const delivery = readDelivery(body);
      delivery.should.containDeep({ shape: 'unknown', format: 'unknown', cemm: null, time: null, timeIsAbsurd: false });
      should(delivery.raw).equal(body);
    }
    readDelivery({ cemm: { id: 7 }, weather: 'sun' }).cemm?.should.equal(7);
    readDelivery({ format: 'pulse-v9', time: time * 1000 }).should.containDeep({
      shape: 'unknown',
      timeIsAbsurd: true,
    });
  });

  it('WB9: removes keys that could reach a prototype, reports where they were, and keeps the others', () => {
    const record = `{"time":${time},"value":1}`;
    const read = (text: string) => readDelivery(JSON.parse(text));
    const delivery = read(
      `{"format":"basic-v1","data":{"__proto__":{"c":{"t":${record}}},"m":{"__proto__":{"t":${record}},"c":{"t":${record}}},"constructor":{"prototype":{"t":${record}}}}}`,
    );
    const kept = delivery.shape === 'records' ? delivery.records.map(({ meter, channel }) => [meter, channel]) : [];
    kept.should.deepEqual([['m', 'c']]);
    const expected = 'a name that JavaScript does not reserve';
    delivery.flaws.should.deepEqual([
      { path: '$.data["__proto__"]', expected },
      { path: '$.data["m"]["__proto__"]', expected },
      { path: '$.data["constructor"]', expected },
    ]);
    JSON.stringify(delivery.raw).should.equal(`{"format":"basic-v1","data":{"m":{"c":{"t":${record}}}}}`);
    read('{"__proto__":{"polluted":true},"data":[]}').flaws.should.deepEqual([{ path: '$.__proto__', expected }]);
    JSON.stringify(read('[{"a":[{"__proto__":1,"b":2}]}]').raw).should.equal('[{"a":[{"b":2}]}]');
    should(Reflect.get({}, 'polluted')).be.undefined();
  });

  it('shortens unknown names in flaws', () => {
    const { flaws } = readDelivery(basic({ ['m'.repeat(65)]: 1 }));
    flaws.should.deepEqual([{ path: `$.data["${'m'.repeat(64)}"]`, expected: 'an object of channels' }]);
  });

  it('WB11: reads a number that is not finite as a missing value', () => {
    const delivery = readDelivery(
      JSON.parse(`{"format":"basic-v1","data":{"m":{"c":{"t":{"time":${time},"value":1e999}}}}}`),
    );
    should(delivery.shape === 'records' && delivery.records[0]).containDeep({ value: null, reason: 'not_finite' });
    const series = readDelivery(JSON.parse(`{"data":[[${time},-1e999],[${time + 1},-0]]}`));
    should(series.shape === 'timeseries' && series.samples.map(({ values }) => values)).deepEqual([[null], [-0]]);
  });

  it('WB12: does not round an invalid monitor number or time', () => {
    for (const cemm of [2 ** 53, -1, 1.5, '24000001', null, [], Infinity]) {
      const delivery = readDelivery(basic({}, { cemm }));
      should(delivery.cemm).be.null();
      delivery.flaws.should.deepEqual([{ path: '$.cemm', expected: 'an integer' }]);
    }
    for (const [value, absurd] of [
      [time * 1000, true],
      [0, true],
      [-5, true],
      [Infinity, true],
      ['now', false],
      [String(time), false],
      [null, false],
    ]) {
      const delivery = readDelivery(basic({}, { time: value }));
      should(delivery.time).be.null();
      delivery.timeIsAbsurd.should.equal(absurd);
      delivery.flaws.should.deepEqual([{ path: '$.time', expected: 'Unix time in seconds' }]);
    }
    should(readDelivery(basic({}, { cemm: 0 })).cemm).equal(0);
    should(readDelivery(basic({}, { time: time + 0.9 })).time).equal(time);
  });

  it('WB18: distinguishes the kinds by their content', () => {
    readDelivery({ format: 'basic-v2', data: { a: { b: { c: null } } } }).should.containDeep({
      shape: 'records',
      format: 'basic-v2',
    });
    readDelivery({ data: { a: {} } }).should.containDeep({ shape: 'records', format: 'unknown' });
    readDelivery({ format: 'basic-v1', data: [[time, 1]] }).should.containDeep({
      shape: 'timeseries',
      format: 'basic-v1',
    });
    readDelivery({ cemm: { id: 7 }, data: [[time, 1]] }).should.containDeep({ shape: 'timeseries', cemm: 7 });
    const unknown = readDelivery({ format: 'pulse-v9', pulses: [1, 2] });
    unknown.should.containDeep({ shape: 'unknown', format: 'pulse-v9', raw: { pulses: [1, 2] } });
    readDelivery({ format: 5, data: 'x' }).should.containDeep({
      shape: 'unknown',
      format: 'unknown',
      flaws: [{ path: '$.data', expected: 'an object or an array' }],
    });
  });

  it('WB18: keeps the kind of a body of which nothing or only a part is understood', () => {
    const good = { time, value: 1 };
    readDelivery({ data: [] }).should.containDeep({
      shape: 'timeseries',
      format: 'timeseries',
      samples: [],
      raw: null,
    });
    readDelivery({ data: {} }).should.containDeep({ shape: 'records', format: 'unknown', records: [], raw: null });
    readDelivery({ data: { m: { c: { t: good, u: 5 } } } }).should.containDeep({ shape: 'records', format: 'unknown' });
    readDelivery({ format: 'basic-v3', data: { m: 5 } }).should.containDeep({ shape: 'records', format: 'basic-v3' });
    readDelivery({ data: { m: 5 } }).shape.should.equal('unknown');
    readDelivery({ format: 5, data: { m: { c: { t: good } } } }).flaws.should.deepEqual([
      { path: '$.format', expected: 'a text' },
    ]);
    should(readDelivery(basic({ m: { c: { t: good } } }, { cemm: { id: 7 } })).raw).be.null();
  });

  it('WB11: says of a record without a number whether it has a time', () => {
    const delivery = readDelivery(
      basic({ m: { c: { a: { value: null }, b: { time, value: null }, d: { time, value: '1' } } } }),
    );
    should(delivery.shape === 'records' && delivery.records.map(({ reason }) => reason)).deepEqual([
      'absent',
      'no_value',
      'not_finite',
    ]);
  });

  it('WB17: refuses a body that is not a delivery', () => {
    for (const body of [null, true, 5, 'text']) {
      (() => readDelivery(body)).should.throw(ProtocolError, { path: '$', expected: 'an object or a list' });
    }
    const nest: unknown = JSON.parse('['.repeat(17) + ']'.repeat(17));
    (() => readDelivery(nest)).should.throw(ProtocolError, { path: '$', expected: 'shallow_nesting' });
  });

  it('reads any JSON, reports at most 20 flaws, and quotes no value', () => {
    const secret = 'S3CRET';
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (data) => {
        const body = JSON.parse(JSON.stringify({ format: 'basic-v1', time: secret, cemm: secret, data })) as unknown;
        const { flaws } = readDelivery(body);
        flaws.length.should.be.within(1, 20);
        flaws.every(({ expected, path }) => !expected.includes(secret) && path.length < 400).should.be.true();
      }),
      { numRuns: 3000 },
    );
  });

  it('WB13: reads any mixture of valid and invalid records without losing a valid one', () => {
    const good = fc.record({
      time: fc.integer({ min: 1.3e9, max: 4e9 }),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }),
    });
    const bad = fc.oneof(
      fc.constantFrom<unknown>(1, 'x', true, [], {}, { time }, { value: 'x', time }, { time, value: [] }),
      fc.record({ time: fc.constant(time), value: fc.oneof(fc.string(), fc.boolean()) }),
    );
    const topics = fc.dictionary(
      fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
      fc.oneof(good, bad),
    );
    fc.assert(
      fc.property(topics, (records) => {
        const delivery = readDelivery(basic({ meter: { channel: records } }));
        const expected = Object.entries(records)
          .filter(
            ([, record]) =>
              typeof record === 'object' &&
              record !== null &&
              'time' in record &&
              'value' in record &&
              (typeof record.value === 'number' || typeof record.value === 'string'),
          )
          .map(([topic]) => topic);
        const got = delivery.shape === 'records' ? delivery.records.map(({ topic }) => topic) : [];
        got.should.deepEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
