/** The pages of the Energy dashboard of the real Home Assistant, with three weeks that the example home-assistant-history imported. */
import should from 'should';
import { chroots } from '../../scripts/home-assistant/chroots';
import { millis } from '../../src/protocol/time';
import { energyPreferences, remarksOf } from '../support/real-home-assistant/energy-preferences';
import { RealHistory } from '../support/real-home-assistant/history';
import { openPages, sourcesTable } from '../support/real-home-assistant/pages';
import { RealHomeAssistant } from '../support/real-home-assistant/real-home-assistant';

const [newest] = chroots;

describe(`the pages of the Energy dashboard in Home Assistant ${newest?.homeAssistant ?? ''}`, function () {
  this.timeout(600_000);
  let homeAssistant: RealHomeAssistant;
  let history: RealHistory;

  before(async () => {
    if (newest === undefined) throw new Error('no Home Assistant');
    homeAssistant = await RealHomeAssistant.start(newest);
    history = await RealHistory.start(homeAssistant, '2026-06-22T12:00:00+02:00', '2026-05-25T00:00:00Z');
    await history.deploy('2026-06-01', '2026-06-21');
    await history.importTo('2026-06-21');
  });
  after(async () => {
    await history.close();
    await homeAssistant.stop();
  });

  it('accepts the statistics as sources without a remark', async () => {
    if (newest === undefined) throw new Error('no Home Assistant');
    const [from, to] = [history.idOf('energy_import_kwh'), history.idOf('energy_export_kwh')];
    const preferences = energyPreferences(newest, {
      grid: { from, to, cost: history.idOf('cost') },
      solar: [],
      gas: history.idOf('gas_m3'),
    });
    await homeAssistant.command('energy/save_prefs', preferences);
    (await remarksOf(homeAssistant)).should.deepEqual([]);
  });

  for (const language of ['en', 'nl'] as const) {
    it(`shows a day with the numbers of the meter (${language})`, async () => {
      const browser = await openPages(homeAssistant, {
        language,
        now: '2026-06-22T12:00:00+02:00',
      });
      const { page } = browser;
      await page.goto(`${homeAssistant.url}/energy/electricity`);
      const table = await sourcesTable(browser);
      const day = history.simulator.truth(
        millis(Date.parse('2026-06-21T00:00:00+02:00')),
        millis(Date.parse('2026-06-22T00:00:00+02:00')),
      );
      const numbers = Object.values(table);
      for (const amount of [day.import, day.export]) {
        should(numbers.some((number) => Math.abs(number - amount) < 0.006)).be.true(
          `${amount} in ${JSON.stringify(table)}`,
        );
      }
      await browser.close();
    });
  }
});
