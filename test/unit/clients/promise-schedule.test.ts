/** The times at which a promise is polled. */
import fc from 'fast-check';
import should from 'should';
import {
  LatencyEstimate,
  latestRepeatMs,
  mostCalls,
  nextRepeat,
  promiseLifeMs,
  repeatTimeout,
  repeatTimes,
} from '../../../src/clients/promise-schedule';

const middle = (): number => 0.5;
const round = (times: readonly number[]): number[] => times.map((time) => Math.round(time));

describe('promise schedule', () => {
  it('RA1: repeats a request after 1, 2, 3.5, 5, 7 and about 9 s', () => {
    should(round(repeatTimes('quick', null, middle))).eql([1000, 2000, 3500, 5000, 7000, 8800]);
  });

  it('starts a second later for series', () => {
    should(round(repeatTimes('series', null, middle))).eql([2000, 3500, 5000, 7000, 8800]);
  });

  for (const [averageMs, first] of [
    [2000, 1800],
    [100, 500],
    [60_000, 4000],
  ] as const) {
    it(`starts at ${first} ms where the data took ${averageMs} ms lately, and moves the last repeat never`, () => {
      for (const pace of ['quick', 'series'] as const) {
        const times = round(repeatTimes(pace, averageMs, middle));
        should(times[0]).equal(first);
        should(times.at(-1)).equal(8800);
      }
    });
  }

  it('continues after a learned start with the planned repeats that are far enough apart', () => {
    should(round(repeatTimes('quick', 2000, middle))).eql([1800, 3500, 5000, 7000, 8800]);
    should(round(repeatTimes('quick', 100, middle))).eql([500, 2000, 3500, 5000, 7000, 8800]);
    // 1250 ms and 750 ms more are the 2 s of the plan.
    should(round(repeatTimes('quick', 1250 / 0.9, middle))).eql([1250, 2000, 3500, 5000, 7000, 8800]);
    should(round(repeatTimes('quick', 1251 / 0.9, middle))).eql([1251, 3500, 5000, 7000, 8800]);
    should(round(repeatTimes('series', 1000, middle))).eql([900, 3500, 5000, 7000, 8800]);
    should(round(repeatTimes('series', 60_000, middle))).eql([4000, 5000, 7000, 8800]);
  });

  it('ascends with minimum gaps, ends between 8.6 and 9.0 s, and allows two promises within 14 requests', () => {
    const average = fc.option(fc.double({ min: 0, max: 20_000, noNaN: true }));
    const dice = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
      minLength: 9,
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.constantFrom('quick' as const, 'series' as const), average, dice, (pace, averageMs, random) => {
        let thrown = 0;
        const times = repeatTimes(pace, averageMs, () => random[thrown++] ?? 0);
        for (const [index, time] of times.entries()) should(time - (times[index - 1] ?? 0)).be.aboveOrEqual(400);
        should(times[0]).be.within(500, 4000);
        should(times.at(-1)).be.within(8600, 9000);
        should(2 * (times.length + 1)).be.belowOrEqual(mostCalls);
        should(times.at(-1)).be.below(latestRepeatMs).and.below(promiseLifeMs);
      }),
    );
  });

  it('varies each gap by a tenth', () => {
    should(round(repeatTimes('quick', null, () => 0))).eql([900, 1800, 3150, 4500, 6300, 8600]);
    should(round(repeatTimes('quick', null, () => 1))).eql([1100, 2200, 3850, 5500, 7700, 9000]);
  });

  const times = [1000, 2000, 3500, 5000, 7000, 8800];

  it('goes from repeat to repeat', () => {
    should(nextRepeat(times, 0, 150)).equal(1000);
    should(nextRepeat(times, 1000, 1000)).equal(2000);
    should(nextRepeat(times, 1000, 1150)).equal(2000);
    should(nextRepeat(times, 1000, 2000)).equal(2000);
    should(nextRepeat(times, 1000, 2001)).equal(3500);
    should(nextRepeat(times, 7000, 7150)).equal(8800);
    should(nextRepeat(times, 8800, 8950)).be.null();
  });

  it('skips repeats that became due during a slow one', () => {
    should(nextRepeat(times, 1000, 4200)).equal(5000);
    should(nextRepeat(times, 0, 2500)).equal(3500);
  });

  it('sends the last repeat late when it can still arrive in time', () => {
    should(nextRepeat(times, 7000, 9200)).equal(9200);
    should(nextRepeat(times, 7000, latestRepeatMs)).equal(latestRepeatMs);
    should(nextRepeat(times, 7000, latestRepeatMs + 1)).be.null();
    should(nextRepeat(times, 8800, 9000)).be.null();
  });

  it('always ends', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 20, maxLength: 20 }), (durations) => {
        let asked = 0;
        let now = 100;
        const sent: number[] = [];
        for (const duration of durations) {
          const due = nextRepeat(times, asked, now);
          if (due === null) break;
          should(due).be.aboveOrEqual(now);
          should(due).be.belowOrEqual(latestRepeatMs);
          sent.push(due);
          asked = due;
          now = due + duration;
        }
        should(nextRepeat(times, asked, now)).be.null();
        should(sent.length).be.within(1, times.length);
      }),
    );
  });

  it('waits at most 5 s for a repeat, and at most 1 s after the promise expires', () => {
    should(repeatTimeout(1000)).equal(5000);
    should(repeatTimeout(8800)).equal(2200);
  });
});

describe('the latency of promised data', () => {
  it('is not known before the first answer, then that of the first', () => {
    const estimate = new LatencyEstimate();
    should(estimate.averageMs('p1')).be.null();
    estimate.learn('p1', 2000);
    should(estimate.averageMs('p1')).equal(2000);
    should(estimate.averageMs('s01')).be.null();
  });

  it('follows later answers, each with three tenths of the difference', () => {
    const estimate = new LatencyEstimate();
    for (const readyMs of [2000, 4000, 1000]) estimate.learn('p1', readyMs);
    should(estimate.averageMs('p1')).be.approximately(2120, 1e-9);
  });

  it('is kept for 500 keys: the one that was not updated for the longest time goes', () => {
    const estimate = new LatencyEstimate();
    for (let key = 0; key < 500; key += 1) estimate.learn(String(key), 1000);
    should(estimate.averageMs('0')).equal(1000);
    estimate.learn('0', 1000);
    estimate.learn('one more', 1000);
    should(['0', '1', '2', 'one more'].map((key) => estimate.averageMs(key))).eql([1000, null, 1000, 1000]);
  });
});
