/** Which minutes of 0 count as measured, by what other meters of the house show. */
import should from 'should';
import { amountOfAverage } from '../../../src/balance/meters/amounts';
import { type Shapes, toShape } from '../../../src/balance/meters/shape';
import { measuredShapes, unmeasuredIn } from '../../../src/balance/meters/unmeasured';
import type { SeriesRead } from '../../../src/model/read-options';
import { hourMs, minuteMs } from '../../../src/time/units';
import { HouseAnswers } from '../../support/page/house-answers';

const start = Date.parse('2026-04-12T00:00:00Z');
const day = { start, end: start + 24 * hourMs };
const count = 24 * 60;

type Spans = readonly (readonly [from: number, to: number])[];

/** A day of minutes, each with some energy but for the spans of 0. */
function imported(zeros: Spans): Shapes {
  const slots = Array.from({ length: count }, (_, minute) => ({
    start: start + minute * minuteMs,
    end: start + (minute + 1) * minuteMs,
    amount: zeros.some(([from, to]) => minute >= from && minute < to) ? 0 : amountOfAverage(100, 'import', minuteMs),
    known: minuteMs,
  }));
  return { import: toShape(slots) };
}

/** How many minutes of a response count as measured, beside that of a smart meter. */
function measured(zeros: Spans, read: SeriesRead | null, smartMeter: Spans, beside: SeriesRead | null): number {
  const own = { day, shapes: imported(zeros), read };
  const unmeasured = unmeasuredIn([{ day, shapes: imported(smartMeter), read: beside }], []);
  return measuredShapes(own, unmeasured).import?.starts.length ?? 0;
}

const evening: Spans = [[20 * 60, count]];
/** Read some hours after the end of the day. */
function readAfter(hours: number, forgotAfter?: number): SeriesRead {
  const forgotten = forgotAfter === undefined ? {} : { forgotAt: day.end + forgotAfter * hourMs };
  return { asOf: day.end + hours * hourMs, isSettled: hours >= 48, ...forgotten };
}

const settled = readAfter(50);

describe('minutes of 0', () => {
  it('are measured where the smart meter shows power', () => {
    measured(evening, settled, [], settled).should.equal(count);
    measured(evening, null, [], null).should.equal(count);
    measured(evening, readAfter(11), [], readAfter(11)).should.equal(count);
    measured(evening, readAfter(11), [], readAfter(5)).should.equal(count);
  });

  it('are not measured where no meter shows power for more than a quarter of an hour', () => {
    measured(evening, settled, evening, settled).should.equal(20 * 60);
    measured([[600, 616]], settled, [[600, 616]], settled).should.equal(count - 16);
    measured([[600, 615]], settled, [[600, 615]], settled).should.equal(count);
  });

  it('are not measured at midnight, however few they are', () => {
    measured([[count - 5, count]], settled, [[count - 5, count]], settled).should.equal(count - 5);
    measured([[0, 3]], settled, [[0, 3]], settled).should.equal(count - 3);
  });

  it('of a response that can still change are not measured by a smart meter that was read later', () => {
    measured(evening, readAfter(11), [], readAfter(17)).should.equal(20 * 60);
    measured(evening, readAfter(11), [], settled).should.equal(20 * 60);
    // One question reads all meters.
    measured(evening, readAfter(11), [], readAfter(11.01)).should.equal(count);
    measured(evening, settled, [], readAfter(170)).should.equal(count);
  });

  it('are not measured when the monitor had forgotten what the smart meter showed', () => {
    measured(evening, readAfter(900), [], readAfter(50, 900)).should.equal(20 * 60);
    measured(evening, readAfter(900), [], readAfter(950, 900)).should.equal(20 * 60);
    // It had not yet, or knew it again.
    measured(evening, readAfter(60), [], readAfter(50, 900)).should.equal(count);
    measured(evening, readAfter(960), [], readAfter(950, 900)).should.equal(count);
  });

  it('are measured for a bill of a house with a battery, whose meter it does not read', async () => {
    const house = new HouseAnswers('battery-measured', Date.parse('2026-11-26T13:40+01:00'), undefined, 'remote');
    const bill = await house.answer({ balance: 'bill', from: '2026-10-01', to: '2026-10-31', batteries_kwh: [5] });
    should(bill.share).equal(1);
    should(bill.missing).not.have.properties('moved', 'batteries');
    should(bill.moved).not.equal(null);
    should(bill.batteries?.[0]?.saved).be.above(0);
  });
});
