/** Responses as kept facts: nothing is lost, nothing else is taken for one, and what is incomplete is requested again. */
import fc from 'fast-check';
import should from 'should';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { shapeOf, slotsOf } from '../../../src/balance/meters/shape';
import { fromKept, isDue, isFinalAnswer, type KeptAnswer, toKept } from '../../../src/balance/requests/kept-answers';
import { packShapes, unpackShapes } from '../../../src/balance/requests/packed-shapes';
import { periodContaining, periodFromLabel } from '../../../src/calendar/periods';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import { millis } from '../../../src/protocol/time';
import { PastDays } from '../../../src/store/past-days';
import { timeOf } from '../../support/houses/by-chance';
import { FakeMonitor } from '../../support/houses/fake-monitor';
import { randomHouse } from '../../support/houses/random-house';
import { StillClock } from '../../support/houses/still-clock';

const dayMs = 86_400_000;
const minuteMs = 60_000;

describe('a response as a fact', () => {
  const slots = fc.array(
    fc.record({
      gap: fc.integer({ min: 0, max: 10 * minuteMs }),
      length: fc.integer({ min: 1, max: 31 * dayMs }),
      amount: fc.integer({ min: -1e12, max: 1e12 }),
      known: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 60 },
  );

  it('has the same amounts', () => {
    fc.assert(
      fc.property(slots, fc.integer({ min: 0, max: 4e12 }), (list, first) => {
        let start = first;
        const all = list.map(({ gap, length, amount, known }) => {
          start += gap;
          const slot = { start, end: start + length, amount, known: Math.round(length * known) };
          start += length;
          return slot;
        });
        const unpacked = unpackShapes(packShapes({ import: shapeOf(all), water: shapeOf([]) }));
        should(slotsOf(unpacked?.import ?? shapeOf([]))).deepEqual(all);
        should(slotsOf(unpacked?.water ?? shapeOf(all))).deepEqual([]);
        should(unpacked?.gas).be.undefined();
      }),
    );
  });

  it('is nothing else', () => {
    const good = toKept(answer({}));
    should(fromKept(JSON.parse(JSON.stringify(good)))).not.be.null();
    for (const bad of [
      ...[null, undefined, 1, 'x', [], {}],
      ...[{ readings: [['volt', 1, 2]] }, { readings: [['gas', '1', 2]] }, { readings: 1 }, { readings: [['gas', 1]] }],
      ...[{ net: [[1, 2, 3]] }, { net: [[1, 2, 3, null]] }, { net: null }],
      ...[{ offersExport: 'yes' }, { offersExport: undefined }],
      ...[{ shapes: 'x' }, { shapes: '' }, { shapes: null }, { shapes: 'AAAA' }, { shapes: '!!' }],
    ]) {
      const value = typeof bad === 'object' && bad !== null && !Array.isArray(bad) && Object.keys(bad).length > 0;
      should(fromKept(value ? { ...good, ...bad } : bad)).be.null();
    }
  });

  it('that is damaged is none, or another one, and never an error', () => {
    const packed = Buffer.from(packShapes({ import: minutes(1440) }), 'base64');
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.nat(255), (place, byte) => {
        const other = Buffer.from(packed);
        other[place] = byte;
        unpackShapes(other.toString('base64'));
      }),
    );
  });

  const zone = 'Europe/Amsterdam';
  const day = periodFromLabel('2026-10-25', zone);
  const meter = { name: 'p1', role: 'grid' } as const;
  const request = { kind: 'series', meter: 'p1', period: day } as const;

  function minutes(count: number) {
    return shapeOf(
      Array.from({ length: count }, (_, index) => {
        const start = day.start + index * minuteMs;
        return { start, end: start + minuteMs, amount: 400_000 + index * 1000, known: minuteMs };
      }),
    );
  }

  function answer(more: Partial<KeptAnswer>): KeptAnswer {
    const readings = [{ counter: 'import', ts: day.end - 1000, amount: 5 }] as const;
    return { readings, offersExport: null, shapes: {}, net: [{ start: 1, end: 2, amount: 3, known: 1 }], ...more };
  }

  it('of a whole day is final after three hours, of another day after three days', () => {
    const whole = answer({ shapes: { import: minutes(1500) } });
    const broken = answer({ shapes: { import: minutes(1499) } });
    const after = (hours: number): number => day.end + hours * 3_600_000;
    isFinalAnswer(whole, meter, request, after(2.9)).should.be.false();
    isFinalAnswer(whole, meter, request, after(3)).should.be.true();
    for (const other of [broken, answer({}), answer({ shapes: { import: minutes(1500), export: minutes(3) } })]) {
      isFinalAnswer(other, meter, request, after(71)).should.be.false();
      isFinalAnswer(other, meter, request, after(72)).should.be.true();
    }
    const reading = { ...request, kind: 'totals' } as const;
    isFinalAnswer(answer({}), meter, reading, after(3)).should.be.true();
    isFinalAnswer(answer({ readings: [] }), meter, reading, after(3)).should.be.false();
    const year = { ...request, period: periodFromLabel('2026', zone) } as const;
    isFinalAnswer(answer({}), meter, year, year.period.end + 71 * 3_600_000).should.be.false();
    isFinalAnswer(answer({}), meter, year, year.period.end + 72 * 3_600_000).should.be.true();
  });

  it('of an incomplete day is requested again after 7 and after 30 days, of a whole one never', () => {
    const [whole, broken] = [answer({ shapes: { import: minutes(1500) } }), answer({})];
    const due = (one: KeptAnswer, readAfter: number, nowAfter: number): boolean =>
      isDue(one, meter, request, { readAt: day.end + readAfter * dayMs, now: day.end + nowAfter * dayMs });
    due(broken, 3, 6.9).should.be.false();
    due(broken, 3, 7).should.be.true();
    due(broken, 7, 29.9).should.be.false();
    due(broken, 8, 30).should.be.true();
    due(broken, 30, 400).should.be.false();
    due(whole, 3, 400).should.be.false();
  });

  it('gives a balance that is equal to the first one, without a request for a day that is over', async function () {
    this.timeout(60_000);
    for (let seed = 1; seed <= 12; seed += 1) {
      const house = randomHouse(seed, timeOf(seed, 40));
      const folder = await mkdtemp(join(tmpdir(), 'cemm-kept-'));
      const now = house.end + 60 * dayMs;
      const clock = new StillClock(now);
      const read = async () => {
        const monitor = new FakeMonitor(house, () => now);
        const past = new PastDays({ folder, clock, onProblem: (problem) => should(problem).be.undefined() });
        const connection = createOpenApiConnection({
          ...{ client: monitor, timezone: house.timezone, transport: house.kind, deadlineMs: 25_000, clock },
          random: () => 0.5,
        });
        const balances = new Balances({ reader: connection, clock, past });
        const results = [];
        for (const [unit, after, step] of [
          ['day', 3, 'PT15M'],
          ['day', 20, 'PT1H'],
          ['month', 2, 'P1D'],
        ] as const) {
          const period = periodContaining(unit, house.timezone, millis(house.start + after * dayMs));
          const target = { monitor: null, meters: everyMeter, period, step, prices: null, wantsPeak: true } as const;
          const options = { signal: new AbortController().signal };
          results.push(await balances.read({ ...target, counters: null }, options));
        }
        await past.flush();
        balances.close();
        return { results };
      };
      const [first, second] = [await read(), await read()];
      const plain = ({ results }: typeof first) =>
        results.map(({ source, id, ...rest }) => ({ ...rest, source: source.transport, id }));
      should(plain(second)).deepEqual(plain(first), `house ${seed}`);
      for (const { source } of first.results) should(source.kept).not.be.true();
      for (const { source } of second.results) {
        should(source.kept).be.true();
        source.requests.should.equal(0);
      }
      await rm(folder, { recursive: true, force: true });
    }
  });
});
