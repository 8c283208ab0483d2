/** A day whose delivery of midnight is lost: its first minutes are known by the amounts around them. */
import should from 'should';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import { minuteMs } from '../../../src/time/units';

const midnight = Date.parse('2026-11-25T00:00:00+01:00');
const at = (minute: number): number => midnight + minute * minuteMs;

/** kWh: 1 in the first ten minutes of the day, 0.5 in twenty minutes from 0:30 on, otherwise 0.001 in a minute. */
function shows(moment: number): number {
  const minutes = (moment - midnight) / minuteMs;
  const within = (from: number, length: number): number => Math.max(0, Math.min(length, minutes - from));
  return 100 + 0.1 * within(0, 10) + 0.025 * within(30, 20) + 0.001 * minutes;
}

const meters: readonly FakeMeter[] = [
  { key: 'smartmeter-dsmr', channels: [{ kind: 'counter', key: 'electric_energy_import', shows }] },
];

/** The import of the day until 1:00, from the deliveries of these minutes after midnight. */
async function importOfDay(topics: readonly string[], minutes: readonly number[]) {
  const added = new AddedDeliveries();
  for (const minute of minutes) {
    await added.add(
      specifiedBody(meters, () => topics, at(minute)),
      at(minute),
    );
  }
  const { values, coverage } = await added.balance('2026-11-25', at(60) + 1000);
  return { value: values['energy_import_kwh'] ?? NaN, coverage: coverage['energy_import_kwh'] };
}

const wanted = shows(at(60)) - shows(at(0));

describe('a day without a reading of its midnight', () => {
  it('begins with what an hour has more than the counter in it', async () => {
    const { value, coverage } = await importOfDay(['reading', 'last/hour'], [-30, -15, 15, 30, 45, 60]);
    should(value).be.approximately(wanted, 1e-6);
    should(coverage).equal(1);
  });

  it('begins with what an hour has more than its quarters and the counter in it', async () => {
    const topics = ['reading', 'last/15minutes', 'last/hour'];
    const { value, coverage } = await importOfDay(topics, [-30, -15, 30, 60]);
    should(value).be.approximately(wanted, 1e-6);
    should(coverage).equal(1);
  });

  it('begins with what a quarter has more than the share in it of a counter that goes beyond it', async () => {
    const { value, coverage } = await importOfDay(['reading', 'last/15minutes'], [-15, 10, 25, 60]);
    should(value).be.approximately(wanted, 1e-6);
    should(coverage).equal(1);
  });
});
