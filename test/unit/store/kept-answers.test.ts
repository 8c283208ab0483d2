/** Responses as facts: nothing is lost or rounded, nothing else is taken for one, and how two become one (src/store/kept-answers.ts, join-answers.ts). */
import fc from 'fast-check';
import should from 'should';
import type { Measurement, Samples } from '../../../src/protocol/responses';
import { minuteMs, millis } from '../../../src/time/units';
import { type ChangedSlots, readVersions } from '../../../src/store/changed-slots';
import { fillVersion, joinSeries, joinTotals, settleSeries } from '../../../src/store/join-answers';
import {
  type KeptSeries,
  type KeptTotals,
  seriesFromJson,
  seriesToJson,
  slotsUntil,
  totalsFromJson,
  totalsToJson,
} from '../../../src/store/kept-answers';
import { packJson, unpackValue } from '../../../src/store/month-file';

const midnight = Date.parse('2026-10-24T22:00:00Z');
const times = { asOf: 5, since: 4, readAt: 6, round: 1 };

function samplesOf(values: readonly number[], step = minuteMs): Samples {
  return {
    times: Float64Array.from(values, (_, index) => midnight + index * step),
    values: Float64Array.from(values),
    withoutTime: 0,
    malformed: 0,
  };
}

function kept(channels: Iterable<readonly [string, Samples]>, more: Partial<KeptSeries> = {}): KeptSeries {
  const response = { ioId: 3, time: millis(midnight), channels: new Map(channels) };
  return { ...times, response, changed: new Map(), ...more };
}

const power = (values: readonly number[], more: Partial<KeptSeries> = {}): KeptSeries =>
  kept([['electric_power', samplesOf(values)]], more);

const shown = ({ response }: KeptSeries): number[] => [...(response.channels.get('electric_power')?.values ?? [])];

const value = fc.oneof(
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.constant(NaN),
);
const moment = fc.integer({ min: 1.3e12, max: 4e12 });
const channel = fc.array(fc.tuple(moment, value)).map((pairs): Samples => ({
  times: Float64Array.from(pairs, ([time]) => time),
  values: Float64Array.from(pairs, ([, number]) => number),
  withoutTime: 2,
  malformed: 1,
}));
const name = fc.oneof(fc.string(), fc.constantFrom('electric_power', 'gas', '__proto__', 'constructor'));

describe('a response as a fact', () => {
  it('is the same response afterwards, in any order and with any gaps', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, channel), { selector: ([key]) => key, maxLength: 4 }),
        fc.option(fc.integer()),
        fc.option(moment),
        (channels, ioId, time) => {
          const response = { ioId, time: time === null ? null : millis(time), channels: new Map(channels) };
          const slots: ChangedSlots = {
            minutes: [1, 2],
            versions: [
              [3, NaN],
              [0.1, 4],
            ],
            settled: [5],
          };
          const changed = new Map(channels.slice(0, 1).map(([key]) => [key, slots]));
          const fact = { ...times, response, changed };
          should(seriesFromJson(unpackValue(packJson(JSON.stringify(seriesToJson(fact)))))).deepEqual(fact);
        },
      ),
    );
  });

  it('is the same reading afterwards', () => {
    const data = new Map<string, Measurement>([
      ['t1', { time: millis(midnight), value: 12.345678, flaw: null }],
      ['__proto__', { time: null, value: null, flaw: 'no_timestamp' }],
    ]);
    const fact: KeptTotals = { ...times, response: { ioId: null, time: millis(midnight), data } };
    should(totalsFromJson(unpackValue(packJson(JSON.stringify(totalsToJson(fact)))))).deepEqual(fact);
  });

  it('is nothing else', () => {
    const good = JSON.parse(JSON.stringify(seriesToJson(power([1, 2])))) as Record<string, unknown>;
    should(seriesFromJson(good)).not.be.null();
    for (const bad of [null, undefined, 1, 'x', [], {}]) {
      should(seriesFromJson(bad)).be.null();
      should(totalsFromJson(bad)).be.null();
    }
    const runs = [midnight, 1, minuteMs, 1];
    for (const bad of [
      ...[{ asOf: 'x' }, { since: null }, { readAt: undefined }, { round: [] }, { ioId: 'x' }, { time: 5 }],
      ...[{ channels: 1 }, { channels: [1] }, { channels: [['a']] }, { channels: [[1, [runs, [1, 2], 0, 0], []]] }],
      ...[{ channels: [['a', [runs, [1], 0, 0], []]] }, { channels: [['a', [runs, [1, 2, 3], 0, 0], []]] }],
      ...[{ channels: [['a', [runs, [1, 'x'], 0, 0], []]] }, { channels: [['a', [[], [1, 2], 0, 0], []]] }],
      ...[{ channels: [['a', [runs, [1, 2], 'x', 0], []]] }, { channels: [['a', [runs, [1, 2], 0, 0], 'x']] }],
      ...[[], [[1], [[1, 2]], []], [[1], [['x']], []], [[1], [1], []], [[1], [], 'x'], ['x', [], []]].map(
        (changed) => ({
          channels: [['a', [runs, [1, 2], 0, 0], changed]],
        }),
      ),
    ]) {
      should(seriesFromJson({ ...good, ...bad })).be.null();
    }
    should(totalsFromJson({ ...times, ioId: 1, time: null, measured: [['a', 'x', 1, null]] })).be.null();
    should(totalsFromJson({ ...times, ioId: 1, time: null, measured: [['a', null, 'x', null]] })).be.null();
  });

  it('is not kept where it is too large', () => {
    const many = (count: number) => kept([['a', samplesOf(new Array<number>(count).fill(1))]]);
    const names = (count: number) => kept(Array.from({ length: count }, (_, index) => [`c${index}`, samplesOf([])]));
    should(seriesToJson(many(20_000))).not.be.null();
    should(seriesToJson(many(20_001))).be.null();
    should(seriesToJson(names(100))).not.be.null();
    should(seriesToJson(names(101))).be.null();
  });

  it('has the slots that were over', () => {
    const { response } = power([1, 2, 3]);
    should(shown(kept(slotsUntil(response, midnight + 2 * minuteMs).channels))).deepEqual([1, 2]);
    should(slotsUntil(response, Infinity)).deepEqual(response);
  });
});

describe('two responses for one period', () => {
  const later = { asOf: 9, since: 9, readAt: 10, round: 2 };

  it('have the numbers of both, whichever came first: 0 and nothing replace no number', () => {
    const [one, other] = [power([1, 0, NaN, 4, NaN, 0]), power([NaN, 2, 3, 0, 0, NaN], later)];
    for (const joined of [joinSeries(one, other), joinSeries(other, one)]) {
      should(shown(joined)).deepEqual([1, 2, 3, 4, 0, 0]);
      joined.changed.size.should.equal(0);
    }
  });

  it('prove nothing by what the later one lacks', () => {
    should(joinSeries(power([1, 2, NaN]), power([1, 2, 3], later))).have.properties({ asOf: 9, since: 4, readAt: 10 });
    for (const forgotten of [power([0, 2, 3], later), power([NaN, 2, 3], later), kept([], later)]) {
      should(joinSeries(power([1, 2, NaN]), forgotten)).have.properties({ asOf: 5, since: 4, readAt: 10, round: 2 });
    }
    // Some minutes can get lost; a response without any shows that the time is forgotten.
    const day = Array.from({ length: 20 }, (_, minute) => minute + 1);
    const forgotten = (count: number): KeptSeries =>
      joinSeries(
        power(day),
        power(
          day.map((value) => (value > count ? value : 0)),
          later,
        ),
      );
    should(forgotten(15)).not.have.property('forgotAt');
    should(joinSeries(power(day), power([], later))).have.property('forgotAt', 9);
    should(joinSeries(power(day), kept([], later))).have.property('forgotAt', 9);
    for (const again of [joinSeries(power(day), forgotten(16)), seriesFromJson(seriesToJson(forgotten(16)))]) {
      should(again).have.property('forgotAt', 9);
    }
  });

  const versionsIn = (fact: KeptSeries): number[][] =>
    readVersions(fact.changed).map((version) => shown({ ...fact, response: fillVersion(fact.response, version) }));

  it('leave a minute open of which they have different numbers, and joining them again changes nothing', () => {
    const joined = joinSeries(power([1, 2, 3]), power([1, 5, 3.0004], later));
    should(shown(joined)).deepEqual([1, NaN, 3]);
    should(versionsIn(joined)).deepEqual([
      [1, 2, 3],
      [1, 5, 3],
    ]);
    for (const again of [joinSeries(power([1, 2, 3]), joined), joinSeries(joined, power([1, 2, 3]))]) {
      should(shown(again)).deepEqual([1, NaN, 3]);
      should(versionsIn(again)).deepEqual(versionsIn(joined));
    }
  });

  it('stay versions, each of one response, of every minute in which any of them differs', () => {
    const two = joinSeries(power([1, 2, 3, 4]), power([1, 5, 0, 4], later));
    const three = joinSeries(two, power([1, 5, 7, NaN], later));
    should(shown(three)).deepEqual([1, NaN, NaN, 4]);
    should(versionsIn(three)).deepEqual([
      [1, 2, 3, 4],
      [1, 5, 3, 4],
      [1, 5, 7, 4],
    ]);
    // A response that has nothing of these minutes is none of them.
    should(versionsIn(joinSeries(three, power([1, NaN, 0, 4], later)))).deepEqual(versionsIn(three));
    const many = Array.from({ length: 20 }, (_, index) => power([1, 10 + index, 3, 4], later));
    const joined = many.reduce(joinSeries, two);
    readVersions(joined.changed).length.should.equal(8);
    should(versionsIn(joined)[0]).deepEqual([1, 2, 3, 4]);
  });

  it('differ no more once counters agree with a version: no other response changes it', () => {
    const open = joinSeries(power([1, 2, 3]), power([1, 5, 3], later));
    const [first] = readVersions(open.changed);
    should(first).be.ok();
    if (first === undefined) return;
    const settled = settleSeries(open, first);
    should(shown(settled)).deepEqual([1, 2, 3]);
    for (const other of [open, power([1, 5, 3], later), power([1, 9, 3], later), power([1, 0, NaN], later), settled]) {
      for (const joined of [joinSeries(settled, other), joinSeries(other, settled)]) {
        should(shown(joined)).deepEqual([1, 2, 3]);
        should(readVersions(joined.changed)).be.empty();
      }
    }
    // Two programs that disagree about it.
    const [, second] = readVersions(open.changed);
    should(second).be.ok();
    if (second === undefined) return;
    const disputed = joinSeries(settled, settleSeries(open, second));
    should(shown(disputed)).deepEqual([1, NaN, 3]);
    should(versionsIn(disputed)).deepEqual([
      [1, 2, 3],
      [1, 5, 3],
    ]);
  });

  it('keep the finer steps', () => {
    const coarse = kept([['electric_power', samplesOf([9, 8], 5 * minuteMs)]], later);
    should(shown(joinSeries(power([1, 2, 3, 4, 5, 6]), coarse))).deepEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are joined in any order with the same result', () => {
    const list = fc.array(fc.constantFrom(NaN, 0, 1, 2), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        const [one, two, three] = [power(a), power(b), power(c)];
        const left = joinSeries(joinSeries(one, two), three);
        const right = joinSeries(one, joinSeries(two, three));
        should(shown(left)).deepEqual(shown(right));
        should(shown(joinSeries(left, left))).deepEqual(shown(left));
      }),
    );
  });

  it('have the later of two readings, and never nothing or 0 in place of one', () => {
    const totals = (pairs: [string, number | null, number | null][], more = times): KeptTotals => ({
      ...more,
      response: {
        ioId: 1,
        time: null,
        data: new Map(
          pairs.map(([key, time, number]) => [
            key,
            { time: time === null ? null : millis(time), value: number, flaw: null },
          ]),
        ),
      },
    });
    const [one, other] = [
      totals([
        ['t1', midnight, 10],
        ['t2', midnight, 0],
        ['t3', midnight, 5],
      ]),
      totals(
        [
          ['t1', midnight + 1, 11],
          ['t2', midnight, 7],
          ['t3', null, null],
        ],
        later,
      ),
    ];
    for (const joined of [joinTotals(one, other), joinTotals(other, one)]) {
      should([...joined.response.data].map(([key, { value: read }]) => [key, read])).deepEqual([
        ['t1', 11],
        ['t2', 7],
        ['t3', 5],
      ]);
    }
    should(joinTotals(one, other).asOf).equal(5);
  });
});
