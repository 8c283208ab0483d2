/** The seconds between the last whole minute and the reading of the running day. */
import should from 'should';
import { hourMs, minuteMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';

const testDay = '2026-06-15';
const { start } = period(testDay);
const now = start + 19.5 * hourMs;

/** The hours of import of a house that used 200 W until 19:00 and 6 kW since then, read some seconds after 19:30. */
function readHours(seconds: number): (number | null | undefined)[] {
  const minutes = Array.from({ length: 19.5 * 60 }, (_, minute) => (minute < 19 * 60 ? 200 : 6000));
  const used = 3.8 + 3 + (6 * seconds) / 3600;
  const house = meter('p1', 'grid', {
    shapes: { import: minutesFrom(start, minutes) },
    readings: [reading('import', start, 100), reading('import', now + seconds * 1000, 100 + used)],
  });
  const { points = [], values } = balance(testDay, [house], { now: now + seconds * 1000 });
  should(values['energy_import_kwh']).be.approximately(used, 1e-6);
  return points.map((point) => point['energy_import_kwh']);
}

describe('the seconds since the last whole minute', () => {
  it('are in the running hour alone: an hour that is over stays as it is', () => {
    for (const seconds of [0, 20, 50]) {
      const hours = readHours(seconds);
      hours.length.should.equal(20);
      for (const kwh of hours.slice(0, 19)) should(kwh).be.approximately(0.2, 1e-6, `after ${seconds} s`);
      should(hours[19]).be.approximately(3 + (6 * seconds) / 3600, 1e-6);
    }
  });

  it('are divided as before where the last minute is not known', () => {
    const house = meter('p1', 'grid', {
      shapes: {
        import: minutesFrom(
          start,
          Array.from({ length: 60 }, () => 1000),
        ),
      },
      readings: [reading('import', start, 100), reading('import', start + 2 * hourMs + minuteMs / 2, 102.1)],
    });
    const { points = [] } = balance(testDay, [house], { now: start + 2 * hourMs + minuteMs / 2 });
    points.map((point) => point['energy_import_kwh']).should.deepEqual([1, 1.1]);
  });
});
