/**
 * The example home-assistant-history from the packed package, in a whole Node-RED with the real node-red-contrib-home-assistant-websocket,
 * beside errors, pauses and lost rows of Home Assistant. What it imports, and after kills, is tested with the real one
 * (test/home-assistant/past.test.ts).
 */
import should from 'should';
import { type HistoryField, historyFields, HistoryFlow, historyParts } from '../../support/home-assistant/history-flow';
import { HomeAssistant } from '../../support/home-assistant/home-assistant';
import type { StatisticsRow } from '../../support/home-assistant/home-assistant-statistics';

/** From 30 October to 5 November. */
const hoursOfSevenDays = 7 * 24;

describe('the example home-assistant-history', function () {
  this.timeout(300_000);
  let homeAssistant: HomeAssistant;
  let house: HistoryFlow;

  before(async () => {
    homeAssistant = await HomeAssistant.start();
    const parts = await historyParts('2025-11-06T12:00:00+01:00', '2025-09-25T00:00:00Z');
    house = new HistoryFlow(parts, () => homeAssistant.credentials);
  });

  after(async () => {
    await house.close();
    await homeAssistant.close();
  });

  const rows = (field: HistoryField): readonly StatisticsRow[] => homeAssistant.statistics.rows(house.idOf(field));

  /** Negative bars, and those of more than 20 kWh or m³ in an hour. */
  function impossibleBars(): string[] {
    const { statistics } = homeAssistant;
    return statistics.ids.flatMap((id) => {
      const bars = id.endsWith('_cost') ? [] : statistics.bars(id);
      const wrong = bars.filter(({ change }) => !(change >= 0 && change <= 20));
      return wrong.map(({ start, change }) => `${id} ${new Date(start).toISOString()}: ${change}`);
    });
  }

  async function expectEqualToMeters(first: string, last: string): Promise<void> {
    for (const { field, start, end, amount } of await house.counted(first, last)) {
      const drawn = homeAssistant.statistics.between(house.idOf(field), start, end);
      drawn.should.be.approximately(amount, 0.001, `${field} from ${new Date(start).toISOString()}`);
    }
    impossibleBars().should.deepEqual([]);
  }

  it('stops, and goes on in the night where it stopped, up to yesterday', async () => {
    await house.deploy('2025-10-30', '');
    let count = 0;
    // Nothing after the second statistic of 2 November is confirmed before the button is pressed.
    const confirmed = 3 * historyFields.length + 1;
    homeAssistant.isHeld = ({ type }) => type === 'recorder/import_statistics' && (count += 1) > confirmed;
    await house.pressButton('import');
    await house.importedTo('2025-11-01');
    await house.pressButton('stop');
    const last = (await house.nodeRed.messages('imported')).at(-1)?.payload;
    homeAssistant.release();
    const { length } = homeAssistant.taken;
    await house.pressButton('night');
    await house.importedTo('2025-11-05');
    const { taken } = homeAssistant;
    const asked = taken.slice(length).find(({ type }) => type === 'recorder/statistics_during_period');
    // It continues after the last confirmed day, or after one that was confirmed in the meantime.
    Date.parse(String(asked?.['end_time'])).should.be.aboveOrEqual(Date.parse(`${String(last)}T23:00:00Z`));
    await expectEqualToMeters('2025-10-30', '2025-11-05');
    rows('energy_import_kwh').should.have.length(hoursOfSevenDays);
  });

  it('removes what is there and imports everything again from an earlier day, oldest first', async () => {
    const later = rows('energy_import_kwh');
    await house.deploy('2025-10-25', '2025-10-26');
    await house.pressButton('import');
    await house.importedTo('2025-11-05');
    const clears = homeAssistant.taken.filter(({ type }) => type === 'recorder/clear_statistics');
    should(clears.at(-1)?.['statistic_ids']).containDeep(historyFields.map((field) => house.idOf(field)));
    await expectEqualToMeters('2025-10-25', '2025-11-05');
    const all = rows('energy_import_kwh');
    should(all[0]?.start).equal(Date.parse('2025-10-25T00:00:00+02:00'));
    // The readings are the same; the sums are counted from an earlier one.
    const readings = all.slice(-later.length).map(({ start, state }) => ({ start, state }));
    readings.should.deepEqual(later.map(({ start, state }) => ({ start, state })));
  });

  it('BA22: stops at an error of Home Assistant, and leaves no hole', async () => {
    const { nodeRed } = house;
    let count = 0;
    // The second statistic of the second day.
    homeAssistant.isFailing = ({ type }) => type === 'recorder/import_statistics' && (count += 1) === 7;
    await house.deploy('2025-10-30', '');
    await house.pressButton('again');
    await nodeRed.waitFor('caught', (caught) => caught.some(({ error }) => /Unknown error/.test(messageOf(error))));
    await nodeRed.waitFor('imported', (imported) => imported.at(-1)?.payload === '2025-10-30');
    await house.pressButton('import');
    await house.importedTo('2025-11-05');
    await expectEqualToMeters('2025-10-30', '2025-11-05');
    rows('energy_export_kwh').should.have.length(hoursOfSevenDays);
  });

  it('BA22: imports nothing after Home Assistant has lost rows, and says what to do', async () => {
    await house.restartNodeRed('SIGTERM', '2025-11-07T12:00:00+01:00');
    const statistic_ids = historyFields.map((field) => house.idOf(field));
    homeAssistant.statistics.runCommand({ type: 'recorder/clear_statistics', statistic_ids });
    const { length } = homeAssistant.taken;
    const errors = (await house.nodeRed.messages('caught')).length;
    await house.pressButton('import');
    const caught = await house.nodeRed.waitForMessages('caught', errors + 1);
    messageOf(caught.at(-1)?.['error']).should.match(/Press "everything again"/);
    homeAssistant.taken
      .slice(length)
      .map(({ type }) => type)
      .should.deepEqual(['recorder/statistics_during_period']);
  });

  it('adds up minutes on the demo monitor, which does not tell its readings of past days', async () => {
    await house.deploy('2025-11-04', '', 'demo');
    await house.pressButton('again');
    await house.importedTo('2025-11-06');
    const { statistics } = homeAssistant;
    // The demo monitor has an address of its own.
    const found = statistics.ids.filter((id) => id.endsWith('_energy_import_kwh')).map((id) => statistics.rows(id));
    const states = found.map((rows) => rows.map(({ state }) => state));
    states.should.deepEqual([Array.from({ length: 3 * 24 }, () => null)]);
    impossibleBars().should.deepEqual([]);
  });
});

function messageOf(error: unknown): string {
  return String((error as { message?: unknown } | undefined)?.message);
}
