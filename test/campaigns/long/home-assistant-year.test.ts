/** A year in the Energy dashboard of Home Assistant, with both clock changes, and Node-RED killed three times. */
import should from 'should';
import { HistoryImport } from '../../support/home-assistant/history-import';
import { Random } from '../../support/random';

describe('a year of the example home-assistant-history', function () {
  this.timeout(1_800_000);
  const random = new Random(365);
  let house: HistoryImport;

  before(async () => {
    house = await HistoryImport.start('2026-01-02T12:00:00+01:00', '2024-12-25T00:00:00Z');
  });

  after(async () => {
    await house.close();
  });

  it('equals the meters on every day, with the same rows after it was killed at random', async () => {
    await house.deploy('2025-01-01', '2025-12-31');
    for (let kill = 1; kill <= 3; kill += 1) await house.importUntilKilled(random.int(50, 500));
    await house.press('import');
    await house.importedTo('2025-12-31', 900_000);
    const killed = house.allRows();
    await house.press('again');
    await house.importedTo('2025-12-31', 900_000);
    house.allRows().should.deepEqual(killed);
    const differences = await house.differences('2025-01-01', '2025-12-31');
    differences.should.have.length(2 * 365);
    Math.max(...differences).should.be.below(0.001);
    house.impossibleBars().should.deepEqual([]);
    house.homeAssistant.refused.should.deepEqual([]);
    const hours = 365 * 24;
    house.rows('energy_import_kwh').should.have.length(hours);
    // On a few days the export counter rose by less than a minute shows: such a day has a row only at its end.
    for (const field of ['energy_export_kwh', 'gas_m3', 'cost'] as const) {
      house.rows(field).length.should.be.within(hours - 5 * 23, hours, field);
    }
    // Sundays of 23 and of 25 hours.
    const hoursOf = (start: string, end: string): number =>
      house.rows('energy_import_kwh').filter((row) => row.start >= Date.parse(start) && row.start < Date.parse(end))
        .length;
    should(hoursOf('2025-03-30T00:00:00+01:00', '2025-03-31T00:00:00+02:00')).equal(23);
    should(hoursOf('2025-10-26T00:00:00+02:00', '2025-10-27T00:00:00+01:00')).equal(25);
  });
});
