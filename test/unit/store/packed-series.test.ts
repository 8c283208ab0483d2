/** Responses for series as facts: nothing is lost or rounded, and nothing else is taken for one (src/store/packed-series.ts). */
import fc from 'fast-check';
import should from 'should';
import { packSeries, unpackSeries } from '../../../src/store/packed-series';
import type { Samples, SeriesResponse } from '../../../src/protocol/responses';
import { millis } from '../../../src/protocol/time';

const minuteMs = 60_000;
const midnight = Date.parse('2026-10-24T22:00:00Z');

const throughFile = (response: SeriesResponse): unknown => JSON.parse(JSON.stringify(packSeries(response)));

function samplesOf(pairs: readonly (readonly [number, number])[], withoutTime = 0, malformed = 0): Samples {
  return {
    times: Float64Array.from(pairs, ([time]) => time),
    values: Float64Array.from(pairs, ([, value]) => value),
    ...{ withoutTime, malformed },
  };
}

function response(channels: Iterable<readonly [string, Samples]>): SeriesResponse {
  return { ioId: 3, time: millis(midnight), channels: new Map(channels) };
}

/** Values of one channel: of a kind, because a monitor has as many decimals as its meters. */
const values = fc.oneof(
  fc.array(fc.integer({ min: -20_000, max: 20_000 })),
  fc.array(fc.integer({ min: -1e9, max: 1e9 }).map((number) => number / 1000 + 0)),
  fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)),
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)),
  fc.array(fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 5 }))),
);
const moment = fc.oneof(
  fc.integer({ min: 0, max: 1500 }).map((minute) => midnight + minute * minuteMs),
  fc.integer({ min: 1.3e12, max: 4e12 }),
  fc.double({ min: 1.3e12, max: 4e12, noNaN: true }),
);
const channel = values.chain((list) =>
  fc
    .tuple(fc.array(moment, { minLength: list.length, maxLength: list.length }), fc.nat(5), fc.nat(5))
    .map(([times, withoutTime, malformed]) =>
      samplesOf(
        times.map((time, index) => [time, list[index] ?? NaN]),
        withoutTime,
        malformed,
      ),
    ),
);
const name = fc.oneof(fc.string(), fc.constantFrom('electric_power', 'gas', '__proto__', 'constructor'));

describe('a response for a series as a fact', () => {
  it('is the same response afterwards, in any order and with any gaps', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, channel), { selector: ([key]) => key, maxLength: 4 }),
        fc.option(fc.integer()),
        fc.option(fc.integer({ min: 1.3e12, max: 4e12 })),
        (channels, ioId, time) => {
          const sent = { ioId, time: time === null ? null : millis(time), channels: new Map(channels) };
          should(unpackSeries(throughFile(sent))).deepEqual(sent);
        },
      ),
    );
  });

  it('takes 2 kB for a day of whole watts', () => {
    let power = 400;
    const day = Array.from({ length: 1500 }, (_, minute): [number, number] => {
      power += ((minute * 7919) % 41) - 20;
      return [midnight + minute * minuteMs, power];
    });
    JSON.stringify(throughFile(response([['electric_power', samplesOf(day.reverse())]]))).length.should.be.below(2_500);
  });

  it('is nothing else', () => {
    const good = throughFile(response([['gas', samplesOf([[midnight, 1.25]], 2, 1)]])) as Record<string, unknown>;
    should(unpackSeries(good)).not.be.null();
    for (const bad of [null, undefined, 1, 'x', [], {}]) should(unpackSeries(bad)).be.null();
    for (const bad of [
      ...[{ ioId: 'x' }, { ioId: 1.5 }, { ioId: undefined }, { time: 5 }, { time: 'x' }, { time: undefined }],
      ...[{ names: 'gas' }, { names: [] }, { names: [1] }, { names: ['gas', 'flow'] }, { names: undefined }],
      ...[{ packed: '' }, { packed: '!!' }, { packed: 'AAAA' }, { packed: null }],
    ]) {
      should(unpackSeries({ ...good, ...bad })).be.null();
    }
  });

  it('that is damaged is none, or another one, and never an error', () => {
    const day = Array.from({ length: 300 }, (_, minute): [number, number] => [
      midnight + minute * minuteMs,
      minute % 7 === 0 ? NaN : minute / 3,
    ]);
    const good = throughFile(response([['electric_power', samplesOf(day)]])) as { packed: string };
    const packed = Buffer.from(good.packed, 'base64');
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.nat(255), (place, byte) => {
        const other = Buffer.from(packed);
        other[place] = byte;
        unpackSeries({ ...good, packed: other.toString('base64') });
      }),
    );
  });

  it('is not kept where it is too large', () => {
    const many = (count: number): Samples =>
      samplesOf(Array.from({ length: count }, (_, index) => [midnight + index, index]));
    const names = (count: number) => Array.from({ length: count }, (_, index) => [`c${index}`, samplesOf([])] as const);
    should(packSeries(response([['a', many(20_000)]]))).not.be.null();
    should(packSeries(response([['a', many(20_001)]]))).be.null();
    should(packSeries(response(names(100)))).not.be.null();
    should(packSeries(response(names(101)))).be.null();
    should(packSeries(response([['x'.repeat(60_000), samplesOf([])]]))).be.null();
    const noise = Array.from({ length: 8_000 }, (_, index): [number, number] => [midnight + index, Math.sin(index)]);
    should(packSeries(response([['a', samplesOf(noise)]]))).be.null();
  });
});
