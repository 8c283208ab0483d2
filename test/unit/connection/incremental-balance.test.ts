/** What is new in the balance of a day, and which of it is estimated. */
import should from 'should';
import { unsentBalance } from '../../../src/connection/incremental-balance';
import { balance, meter, minutesFrom, MINUTE, period, reading } from '../balance/support';

const HOUR = 60 * MINUTE;
const { start, end } = period('2026-06-15');

/** Imports 1 kW; the minutes of the hours 8 and 20 are missing. */
const day = balance('2026-06-15', [
  meter('p1', 'grid', {
    readings: [reading('import', start - 1000, 100), reading('import', end - 1000, 124)],
    shapes: {
      import: minutesFrom(
        start,
        Array.from({ length: 1440 }, (_, minute) => ([8, 20].includes(Math.floor(minute / 60)) ? null : 1000)),
      ),
    },
  }),
]);

function newSince(hour: number) {
  const sent = { last: { ts: start + (hour - 1) * HOUR, end: start + hour * HOUR }, sending: null };
  return unsentBalance(day, sent, null, end + 4 * HOUR)[0];
}

describe('the new part of a balance', () => {
  it('names what is estimated of its own points, by field as well', () => {
    should(day.estimated).deepEqual([start + 8 * HOUR, start + 20 * HOUR]);
    const part = newSince(12);
    should(part?.points).have.length(12);
    should(part?.estimated).deepEqual([start + 20 * HOUR]);
    should(part?.estimatedFields).deepEqual({ energy_import_kwh: [start + 20 * HOUR] });
  });

  it('names no field where none of its points is estimated', () => {
    const part = newSince(21);
    should(part?.estimated).deepEqual([]);
    should(part).not.have.property('estimatedFields');
  });
});
