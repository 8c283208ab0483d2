/**
 * The example home-assistant-history from the packed package: a whole Node-RED with the real
 * node-red-contrib-home-assistant-websocket, connected to a websocket with the rules of Home Assistant.
 */
import should from 'should';
import { historyFields } from '../../support/home-assistant/history-flow';
import { HistoryImport } from '../../support/home-assistant/history-import';
import { Random } from '../../support/random';

/** Twelve days from 20 October, one of them of 25 hours. */
const hoursOfTwelveDays = 12 * 24 + 1;

describe('the example home-assistant-history', function () {
  this.timeout(300_000);
  const random = new Random(20);
  let house: HistoryImport;

  before(async () => {
    house = await HistoryImport.start('2025-11-06T12:00:00+01:00', '2025-09-25T00:00:00Z');
  });

  after(async () => {
    await house.close();
  });

  async function expectEqualToMeters(first: string, last: string): Promise<void> {
    Math.max(...(await house.differences(first, last))).should.be.below(0.001);
    house.impossibleBars().should.deepEqual([]);
    house.homeAssistant.refused.should.deepEqual([]);
    house.homeAssistant.statistics.warnings.should.deepEqual([]);
  }

  it('BA20, BA22: equals the meters on every day, with the same rows after it was killed three times', async () => {
    await house.deploy('2025-10-20', '2025-10-31');
    for (let kill = 1; kill <= 3; kill += 1) await house.importUntilKilled(random.int(3, 14));
    await house.press('import');
    await house.importedTo('2025-10-31');
    const killed = house.allRows();
    await house.press('again');
    await house.importedTo('2025-10-31');
    house.allRows().should.deepEqual(killed);
    await expectEqualToMeters('2025-10-20', '2025-10-31');
    for (const field of ['energy_import_kwh', 'energy_export_kwh', 'gas_m3', 'cost'] as const) {
      house.rows(field).should.have.length(hoursOfTwelveDays, field);
    }
    const [taken, given, , gas, cost] = historyFields.map((field) => house.rows(field).at(-1)?.sum ?? NaN);
    should(cost).be.approximately(0.25 * (taken ?? 0) - 0.05 * (given ?? 0) + 1.2 * (gas ?? 0) + 12, 0.001);
  });

  it('stops, and goes on in the night where it stopped, up to yesterday', async () => {
    await house.deploy('2025-10-20', '');
    let count = 0;
    // Nothing after the second statistic of 2 November is confirmed before the button is pressed.
    house.homeAssistant.isHeld = ({ type }) => type === 'recorder/import_statistics' && (count += 1) > 7;
    await house.press('import');
    await house.importedTo('2025-11-01');
    await house.press('stop');
    const last = (await house.nodeRed.messages('imported')).at(-1)?.payload;
    house.homeAssistant.release();
    const { length } = house.homeAssistant.taken;
    await house.press('night');
    await house.importedTo('2025-11-05');
    const { taken } = house.homeAssistant;
    const asked = taken.slice(length).find(({ type }) => type === 'recorder/statistics_during_period');
    // It continues after the last confirmed day, or after one that was confirmed in the meantime.
    Date.parse(String(asked?.['end_time'])).should.be.aboveOrEqual(Date.parse(`${String(last)}T23:00:00Z`));
    await expectEqualToMeters('2025-10-20', '2025-11-05');
    house.rows('energy_import_kwh').should.have.length(hoursOfTwelveDays + 5 * 24);
  });

  it('removes what is there and imports everything again from an earlier day, oldest first', async () => {
    const later = house.rows('energy_import_kwh');
    await house.deploy('2025-10-15', '2025-10-16');
    await house.press('import');
    await house.importedTo('2025-11-05');
    const clears = house.homeAssistant.taken.filter(({ type }) => type === 'recorder/clear_statistics');
    should(clears.at(-1)?.['statistic_ids']).containDeep(historyFields.map((field) => house.idOf(field)));
    await expectEqualToMeters('2025-10-15', '2025-11-05');
    const all = house.rows('energy_import_kwh');
    should(all[0]?.start).equal(Date.parse('2025-10-15T00:00:00+02:00'));
    // The readings are the same; the sums are counted from an earlier one.
    const readings = all.slice(5 * 24).map(({ start, state }) => ({ start, state }));
    readings.should.deepEqual(later.map(({ start, state }) => ({ start, state })));
  });

  it('BA22: stops at an error of Home Assistant, and leaves no hole', async () => {
    const { homeAssistant, nodeRed } = house;
    let count = 0;
    // The second statistic of the second day.
    homeAssistant.isFailing = ({ type }) => type === 'recorder/import_statistics' && (count += 1) === 7;
    await house.deploy('2025-10-20', '');
    await house.press('again');
    await nodeRed.waitFor('caught', (caught) => caught.some(({ error }) => /Unknown error/.test(messageOf(error))));
    homeAssistant.refused.splice(0).should.have.length(1);
    await nodeRed.waitFor('imported', (imported) => imported.at(-1)?.payload === '2025-10-20');
    await house.press('import');
    await house.importedTo('2025-11-05');
    await expectEqualToMeters('2025-10-20', '2025-11-05');
    house.rows('energy_export_kwh').should.have.length(hoursOfTwelveDays + 5 * 24);
  });

  it('BA22: imports nothing after Home Assistant has lost rows, and says what to do', async () => {
    const { homeAssistant } = house;
    await house.restart('SIGTERM', '2025-11-07T12:00:00+01:00');
    const statistic_ids = historyFields.map((field) => house.idOf(field));
    homeAssistant.statistics.take({ id: 1, type: 'recorder/clear_statistics', statistic_ids });
    const { length } = homeAssistant.taken;
    const errors = (await house.nodeRed.messages('caught')).length;
    await house.press('import');
    const caught = await house.nodeRed.waitForMessages('caught', errors + 1);
    messageOf(caught.at(-1)?.['error']).should.match(/Press "everything again"/);
    homeAssistant.taken
      .slice(length)
      .map(({ type }) => type)
      .should.deepEqual(['recorder/statistics_during_period']);
  });

  it('adds up minutes on the demo monitor, which does not tell its readings of past days', async () => {
    await house.deploy('2025-11-04', '', 'demo');
    await house.press('again');
    await house.importedTo('2025-11-06');
    const found = house.rows('energy_import_kwh');
    found.map(({ state }) => state).should.deepEqual(Array.from({ length: 3 * 24 }, () => null));
    house.impossibleBars().should.deepEqual([]);
    house.homeAssistant.refused.should.deepEqual([]);
  });
});

function messageOf(error: unknown): string {
  return String((error as { message?: unknown } | undefined)?.message);
}
