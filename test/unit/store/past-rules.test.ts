/** When a response is kept and requested again (src/store/past-rules.ts). */
import { isDueAfter, isFinalAfter } from '../../../src/store/past-rules';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const end = Date.parse('2026-10-25T23:00:00Z');

describe('the response for a period that is over', () => {
  const day = { unit: 'day', end, isComplete: true } as const;
  const others = [
    { unit: 'day', end, isComplete: false },
    { unit: 'month', end, isComplete: true },
    { unit: 'year', end, isComplete: true },
  ] as const;

  it('of a whole day is kept after three hours, of another day, a month or a year after three days', () => {
    isFinalAfter(day, end + 3 * hourMs - 1).should.be.false();
    isFinalAfter(day, end + 3 * hourMs).should.be.true();
    for (const other of others) {
      isFinalAfter(other, end + 3 * dayMs - 1).should.be.false();
      isFinalAfter(other, end + 3 * dayMs).should.be.true();
    }
  });

  it('of a whole day is never requested again, any other one once after 7 and once after 30 days', () => {
    const due = (period: typeof day | (typeof others)[number], readAfter: number, nowAfter: number): boolean =>
      isDueAfter(period, end + readAfter * dayMs, end + nowAfter * dayMs);
    for (const after of [7, 30, 400]) due(day, 3, after).should.be.false();
    for (const other of others) {
      due(other, 3, 6.99).should.be.false();
      due(other, 3, 7).should.be.true();
      due(other, 3, 400).should.be.true();
      due(other, 7, 29.99).should.be.false();
      due(other, 7, 30).should.be.true();
      due(other, 30, 400).should.be.false();
    }
  });
});
