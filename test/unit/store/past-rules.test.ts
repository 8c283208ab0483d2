/** When a period is over, whole, and due for another request (src/store/past-rules.ts). */
import should from 'should';
import { isReadDue, isOver, isSettled, pastUntil } from '../../../src/store/past-rules';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const end = Date.parse('2026-03-11T23:00:00Z');
const at = (days: number): number => end + days * dayMs;

describe('a period of the past', () => {
  it('is over three hours after a day, and two days after a month or year, whose sums can still grow', () => {
    isOver({ unit: 'day', end }, end + 3 * hourMs - 1).should.be.false();
    isOver({ unit: 'day', end }, end + 3 * hourMs).should.be.true();
    for (const unit of ['month', 'year'] as const) {
      isOver({ unit, end }, at(2) - 1).should.be.false();
      isOver({ unit, end }, at(2)).should.be.true();
    }
    isSettled(end, at(2) - 1).should.be.false();
    isSettled(end, at(2)).should.be.true();
  });

  it('has slots that are over before it is', () => {
    should(pastUntil({ unit: 'day', end }, end + 3 * hourMs)).equal(Infinity);
    should(pastUntil({ unit: 'day', end }, end)).equal(end - 4 * hourMs);
    should(pastUntil({ unit: 'month', end }, end)).equal(at(-3) - hourMs);
    should(pastUntil({ unit: 'year', end }, end)).equal(at(-33) - hourMs);
  });

  it('is read a second time once after 48 hours, also when nothing is missing', () => {
    const read = (asOf: number, readAt = asOf) => ({ asOf, since: at(0.5), readAt, round: 0 });
    isReadDue(end, read(at(0.5)), true, at(1.9)).should.be.false();
    isReadDue(end, read(at(0.5)), true, at(2)).should.be.true();
    isReadDue(end, read(at(2)), true, at(900)).should.be.false();
    // The second response proved nothing: the monitor had forgotten the day.
    isReadDue(end, read(at(0.5), at(3)), true, at(6)).should.be.false();
    isReadDue(end, read(at(0.5), at(3)), true, at(7)).should.be.true();
  });

  it('that lacks something is due after 7 and 30 days, then every 90, counted from the first response of an old one', () => {
    const due = (last: number, now: number, since = 0.5): boolean =>
      isReadDue(end, { asOf: at(last), since: at(since), readAt: at(last), round: 0 }, false, at(now));
    for (const [last, now] of [
      [2, 7],
      [7, 30],
      [30, 120],
      [120, 210],
      [210, 300],
    ] as const) {
      due(last, now - 0.01).should.be.false();
      due(last, now).should.be.true();
      due(last, now + 1000).should.be.true();
    }
    due(200, 206.9, 200).should.be.false();
    due(200, 207, 200).should.be.true();
    due(207, 229, 200).should.be.false();
    due(207, 230, 200).should.be.true();
    due(230, 319, 200).should.be.false();
    due(230, 320, 200).should.be.true();
  });

  it('that was read by a clock to come is due by what the monitor said', () => {
    isReadDue(end, { asOf: at(0.5), since: at(0.5), readAt: at(400), round: 0 }, true, at(3)).should.be.true();
  });
});
