/**
 * The pages of the Energy dashboard of the real Home Assistant, with a week that the example home-assistant-history imported from a house
 * with panels, gas, water and a battery. Their pictures are in test-results, two of them also in the documentation.
 */
import should from 'should';
import { chroots } from '../../scripts/home-assistant/chroots';
import { millis } from '../../src/time/units';
import type { HistoryField } from '../support/home-assistant/history-flow';
import { energyPreferences, remarksOf } from '../support/real-home-assistant/energy-preferences';
import { RealHistory } from '../support/real-home-assistant/history';
import { type EnergyPage, energyPage, openPages, sourcesTable } from '../support/real-home-assistant/pages';
import { RealHomeAssistant } from '../support/real-home-assistant/real-home-assistant';
import { recordsOf } from '../support/real-home-assistant/registries';

const [newest] = chroots;
const now = '2026-06-22T12:00:00+02:00';
const [first, last] = ['2026-06-15', '2026-06-21'];

type Language = 'en' | 'nl';
type Truth = ReturnType<RealHistory['simulator']['truth']>;
type Amounts = readonly (readonly [HistoryField, number])[];

/** The rows of the tables, as the meters count them. Home Assistant shows what leaves the house below 0. */
const battery = (day: Truth): Amounts => [
  ['energy_battery_discharged_kwh', day.discharged],
  ['energy_battery_charged_kwh', -day.charged],
];
const electricity = (day: Truth): Amounts => [
  ['energy_import_kwh', day.import],
  ['energy_export_kwh', -day.export],
  ['energy_production_kwh', day.production],
  ...battery(day),
];
const gas = (day: Truth): Amounts => [['gas_m3', day.gas]];
const water = (day: Truth): Amounts => [['water_m3', day.water]];

describe(`the pages of the Energy dashboard in Home Assistant ${newest?.homeAssistant ?? ''}`, function () {
  this.timeout(600_000);
  let homeAssistant: RealHomeAssistant;

  before(async () => {
    if (newest === undefined) throw new Error('no Home Assistant');
    homeAssistant = await RealHomeAssistant.start(newest);
  });
  after(() => homeAssistant.stop());

  /** Imports the week, and chooses the statistics as sources. */
  async function imported(connection: 'remote' | 'local', language: Language): Promise<RealHistory> {
    if (newest === undefined) throw new Error('no Home Assistant');
    const options = { house: 'battery-measured', language: language === 'nl' ? 'nl' : 'en-US' } as const;
    const history = await RealHistory.createFor(homeAssistant, now, '2026-05-25T00:00:00Z', options);
    await history.deploy(first, last, connection, 'mb6');
    await history.importTo(last);
    const id = (field: HistoryField): string => history.idOf(field);
    const preferences = energyPreferences(newest, {
      grid: { from: id('energy_import_kwh'), to: id('energy_export_kwh'), cost: id('cost') },
      solar: [{ energy: id('energy_production_kwh') }],
      battery: { from: id('energy_battery_discharged_kwh'), to: id('energy_battery_charged_kwh') },
      gas: id('gas_m3'),
      ...(connection === 'local' && { water: id('water_m3') }),
    });
    await homeAssistant.command('energy/save_prefs', preferences);
    (await remarksOf(homeAssistant)).should.deepEqual([]);
    return history;
  }

  /** Name of a statistic, which is in the language of Node-RED. */
  async function nameOf(id: string): Promise<string> {
    const [found] = recordsOf(await homeAssistant.command('recorder/get_statistics_metadata', { statistic_ids: [id] }));
    return String(found?.['name']);
  }

  /** The table of a page has these rows, each with what the meter counted. */
  async function expectTable(
    history: RealHistory,
    language: Language,
    name: EnergyPage,
    amounts: (day: Truth) => Amounts,
  ): Promise<void> {
    const browser = await openPages(homeAssistant, { language, now });
    const table = await energyPage(browser, homeAssistant, name, sourcesTable);
    const midnight = (day: string): ReturnType<typeof millis> => millis(Date.parse(`${day}T00:00:00+02:00`));
    const day = history.simulator.truth(midnight(last), midnight('2026-06-22'));
    for (const [field, amount] of amounts(day)) {
      const row = await nameOf(history.idOf(field));
      should(table[row]).be.approximately(amount, 0.006, `${row} in ${JSON.stringify(table)}`);
    }
    browser.errors.should.deepEqual([]);
    await browser.close();
  }

  it('Electricity equals the meters, with a week from the service', async () => {
    const history = await imported('remote', 'en');
    for (const language of ['en', 'nl'] as const) await expectTable(history, language, 'electricity', electricity);
    await expectTable(history, 'en', 'gas', gas);
    await history.close();
  });

  for (const language of ['en', 'nl'] as const) {
    it(`Gas, Water and the battery equal the meters, with a week from a local connection (${language})`, async () => {
      const history = await imported('local', language);
      await expectTable(history, language, 'gas', gas);
      await expectTable(history, language, 'water', water);
      await expectTable(history, language, 'electricity', battery);
      await expectTable(history, language, 'overview', () => []);
      await history.close();
    });
  }

  it('has no issue in its statistics, and no error or warning in the log', async () => {
    should(await homeAssistant.command('recorder/validate_statistics')).deepEqual({});
    homeAssistant.problems().should.deepEqual([]);
  });
});
