import fc from 'fast-check';
import should from 'should';
import { parseSeries } from '../../../src/protocol/open-api';
import { earliestMoment, latestMoment } from '../../../src/time/units';
import { ProtocolError } from '../../../src/protocol/json';

const moment = 1_700_000_000_000;

interface Plain {
  points: [number, number | null][];
  withoutTime: number;
  malformed: number;
}

/** A literal implementation of the specification, entry by entry. */
function naive(entries: readonly unknown[]): Plain {
  const plain: Plain = { points: [], withoutTime: 0, malformed: 0 };
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length < 2 || typeof entry[0] !== 'number') plain.malformed += 1;
    else if (!(entry[0] >= earliestMoment && entry[0] < latestMoment)) plain.withoutTime += 1;
    else plain.points.push([entry[0], typeof entry[1] === 'number' && Math.abs(entry[1]) <= 1e100 ? entry[1] : null]);
  }
  return plain;
}

function read(entries: readonly unknown[]): Plain {
  const samples = parseSeries({ data: { channel: entries } }).channels.get('channel');
  if (samples === undefined) throw new Error('the channel is lost');
  return {
    points: Array.from(samples.times, (time, index) => {
      const value = samples.values[index] ?? NaN;
      return [time, Number.isNaN(value) ? null : value];
    }),
    withoutTime: samples.withoutTime,
    malformed: samples.malformed,
  };
}

describe('protocol/series', () => {
  it('reads the columns of every channel, in the order received', () => {
    const answer = parseSeries({
      io_id: '4',
      time: 1_700_000_000,
      data: { electric_power: [[moment + 60_000, 5.5], [moment, -3]], gas: [] }, // prettier-ignore
    });
    should(answer.ioId).equal(4);
    should(answer.time).equal(moment);
    should([...answer.channels.keys()]).eql(['electric_power', 'gas']);
    should(Array.from(answer.channels.get('electric_power')?.times ?? [])).eql([moment + 60_000, moment]);
    should(Array.from(answer.channels.get('electric_power')?.values ?? [])).eql([5.5, -3]);
    should(answer.channels.get('gas')?.times.length).equal(0);
  });

  it('RA25: keeps the other entries when one is invalid', () => {
    const infinite: unknown = JSON.parse('1e999');
    should(
      read([[moment, 1], null, 'x', [moment], [0, 0], [moment + 1, null], [moment + 2, infinite], [moment + 3, '4']]),
    ).eql({
      points: [
        [moment, 1],
        [moment + 1, null],
        [moment + 2, null],
        [moment + 3, null],
      ],
      withoutTime: 1,
      malformed: 3,
    });
  });

  it('takes the first moment of 2010 and none of 2100', () => {
    should(
      read([
        [earliestMoment - 1, 1],
        [earliestMoment, 2],
        [latestMoment - 1, 3],
        [latestMoment, 4],
      ]),
    ).eql({
      // prettier-ignore
      points: [
        [earliestMoment, 2],
        [latestMoment - 1, 3],
      ],
      withoutTime: 2,
      malformed: 0,
    });
  });

  const entry = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.integer({ min: earliestMoment, max: latestMoment - 1 }), fc.double()) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.integer({ min: earliestMoment, max: latestMoment - 1 }), fc.constantFrom(null, '1', true)),
    },
    { weight: 1, arbitrary: fc.constantFrom([0, 0], [0, 5], [1_700_000_000, 5], [latestMoment, 1], [NaN, 1], [-1, 1]) },
    { weight: 1, arbitrary: fc.anything() },
  );

  it('agrees with a simple parser for any entries', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 200 }), (entries) => {
        should(read(entries)).eql(naive(entries));
      }),
      { numRuns: 500 },
    );
  });

  for (const length of [0, 23, 24, 25, 1380, 1439, 1440, 1441, 1500]) {
    it(`RA23: accepts ${length} entries`, () => {
      const entries = Array.from({ length }, (_, index) => [moment + index * 60_000, index]);
      should(read(entries).points.length).equal(length);
    });
  }

  it('has no samples for a channel of null', () => {
    const samples = parseSeries({ data: { gas: null } }).channels.get('gas');
    should([samples?.times.length, samples?.withoutTime, samples?.malformed]).eql([0, 0, 0]);
  });

  for (const [answer, path, expected] of [
    [null, '$', 'object'],
    [[1], '$', 'object'],
    [{}, '$.data', 'object'],
    [{ data: 3 }, '$.data', 'object'],
    [{ data: { gas: {} } }, '$.data.gas', 'list'],
    [{ data: { gas: 'x' } }, '$.data.gas', 'list'],
    [{ data: { 'odd\nname': 1 } }, '$.data[…]', 'list'],
  ] as const) {
    it(`refuses ${JSON.stringify(answer)} at ${path}`, () => {
      should(() => parseSeries(answer)).throw(ProtocolError, { path, expected });
    });
  }
});
