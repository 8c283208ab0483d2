/** Selection of the new points of a balance (src/balance/period/incremental.ts). */
import should from 'should';
import { unsentBalance } from '../../../src/balance/period/incremental';
import type { SentSamples } from '../../../src/model/incremental-series';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';

const testDay = period('2026-06-15');
const nothing: SentSamples = { last: null, sending: null };

function ofMonth(known: number): BalancePayload {
  const { start } = period('2026-06');
  const readings = Array.from({ length: known + 1 }, (_, day) => reading('import', start + day * 24 * hourMs, day * 5));
  return balance('2026-06', [meter('p1', 'grid', { readings })], { now: start + known * 24 * hourMs + hourMs });
}

const tsOf = (payloads: readonly BalancePayload[]): number[][] =>
  payloads.map(({ points = [] }) => points.map(({ ts }) => ts));

describe('the points of a balance that are new', () => {
  it('BA3: are the hours of a day when it is over', () => {
    const readings = [reading('import', testDay.start, 1), reading('import', testDay.end, 25)];
    const payload = balance(testDay.label, [meter('p1', 'grid', { readings })]);
    unsentBalance(payload, nothing, null, testDay.end - 1).should.deepEqual([]);
    // Only the counters are known, so the hours are estimates until no minute can arrive any more.
    unsentBalance(payload, nothing, null, testDay.end + hourMs).should.deepEqual([]);
    const [sent] = unsentBalance(payload, nothing, null, testDay.end + 3 * hourMs);
    (sent?.points ?? []).length.should.equal(24);
    (sent?.id ?? '').should.endWith(`/${testDay.start}-${testDay.end - hourMs}`);
  });

  it('are each day of a month, up to three hours after its end', () => {
    const payload = ofMonth(3);
    const [first = NaN, second = NaN, third = NaN] = payload.points?.map(({ ts }) => ts) ?? [];
    tsOf(unsentBalance(payload, nothing, null, third + 26 * hourMs)).should.deepEqual([[first, second]]);
    tsOf(unsentBalance(payload, nothing, null, third + 27 * hourMs)).should.deepEqual([[first, second, third]]);
    const sent = { last: { ts: second, end: third }, sending: null };
    tsOf(unsentBalance(payload, sent, null, third + 27 * hourMs)).should.deepEqual([[third]]);
  });

  it('repeat the message that was being sent when Node-RED stopped, with the same id', () => {
    const payload = ofMonth(3);
    const [first = NaN, second = NaN, third = NaN] = payload.points?.map(({ ts }) => ts) ?? [];
    const [interrupted] = unsentBalance(ofMonth(2), nothing, null, second + 27 * hourMs);
    const again = unsentBalance(payload, { last: null, sending: { first, last: second } }, null, third + 27 * hourMs);
    tsOf(again).should.deepEqual([[first, second], [third]]);
    (again[0]?.id ?? '').should.equal(interrupted?.id);
  });
});

describe('the new part of a balance', () => {
  /** Imports 1 kW; the minutes of the hours 8 and 20 are missing. */
  const watts = Array.from({ length: 1440 }, (_, minute) => ([8, 20].includes(Math.floor(minute / 60)) ? null : 1000));
  const day = balance(testDay.label, [
    meter('p1', 'grid', {
      readings: [reading('import', testDay.start - 1000, 100), reading('import', testDay.end - 1000, 124)],
      shapes: { import: minutesFrom(testDay.start, watts) },
    }),
  ]);

  const newSince = (hour: number): BalancePayload | undefined => {
    const last = { ts: testDay.start + (hour - 1) * hourMs, end: testDay.start + hour * hourMs };
    return unsentBalance(day, { last, sending: null }, null, testDay.end + 4 * hourMs)[0];
  };

  it('lists the estimated ones of its own points, also by field', () => {
    should(day.estimated).deepEqual([testDay.start + 8 * hourMs, testDay.start + 20 * hourMs]);
    const part = newSince(12);
    should(part?.points).have.length(12);
    should(part?.estimated).deepEqual([testDay.start + 20 * hourMs]);
    should(part?.estimatedFields).deepEqual({ energy_import_kwh: [testDay.start + 20 * hourMs] });
  });

  it('lists no field if none of its points is estimated', () => {
    const part = newSince(21);
    should(part?.estimated).deepEqual([]);
    should(part).not.have.property('estimatedFields');
  });
});
