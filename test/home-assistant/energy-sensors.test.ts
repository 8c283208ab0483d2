/** The sensors of the device as sources of the Energy dashboard of the real Home Assistant, and its page *Now*. */
import should from 'should';
import { chroots, testedChroots } from '../../scripts/home-assistant/chroots';
import { chooseHouse, listHouseMeters } from '../../src/simulator/houses';
import { energyPreferences, remarksOf } from '../support/real-home-assistant/energy-preferences';
import { MqttHouse } from '../support/real-home-assistant/mqtt-house';
import { importRow } from '../support/real-home-assistant/history';
import { energyPage, openPages, powersNow } from '../support/real-home-assistant/pages';
import { statesOf } from '../support/real-home-assistant/registries';
import { until } from '../support/until';

const sensor = (name: string): string => `sensor.cemm_basic_${name}`;

/** As docs/home-assistant.md names them. */
const sources = {
  grid: { from: sensor('p1_energy_import'), to: sensor('p1_energy_export'), power: sensor('p1_power') },
  solar: ['s01', 'mb5'].map((meter) => ({
    energy: sensor(`${meter}_energy_production`),
    power: sensor(`${meter}_power_production`),
  })),
  battery: {
    from: sensor('mb6_energy_battery_discharged'),
    to: sensor('mb6_energy_battery_charged'),
    power: sensor('mb6_power_battery'),
  },
  gas: sensor('p1_gas'),
  water: sensor('pulse_2_water'),
};
const counters = [
  ...[sources.grid.from, sources.grid.to, sources.battery.from, sources.battery.to, sources.gas, sources.water],
  ...sources.solar.map(({ energy }) => energy),
];

const powers = [sources.grid.power, sources.battery.power, ...sources.solar.map(({ power }) => power)];

const batteryMeters = listHouseMeters(chooseHouse('battery-measured')).filter(({ alias }) => alias === 'mb6');
const house = {
  ...chooseHouse('standard'),
  meters: [...listHouseMeters(chooseHouse('standard')), ...batteryMeters],
  battery: 'stores' as const,
};

/** In the morning the panels produce and the battery is charged. */
const start = Date.parse('2026-06-21T10:00:00+02:00');

for (const chroot of testedChroots) {
  describe(`the sensors in the Energy dashboard of Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(300_000);
    let mqtt: MqttHouse;

    before(async () => {
      mqtt = await MqttHouse.launch(chroot, house, start);
      await mqtt.deploy({ interval: 10, expireAfter: 600 });
      await until('values of all sensors', async () => {
        const states = await statesOf(mqtt.homeAssistant);
        return counters.every((id) => /^\d/.test(String(states.get(id)?.['state'])));
      });
    });
    after(() => mqtt.stop());

    it('are accepted without a remark, each with its power', async () => {
      const { homeAssistant } = mqtt;
      // Home Assistant knows a sensor as a statistic after five minutes; an imported row is one at once.
      for (const id of [...counters, ...powers]) await importRow(homeAssistant, id);
      await homeAssistant.command('energy/save_prefs', energyPreferences(chroot, sources));
      await until('the statistics', async () => {
        return !JSON.stringify(await remarksOf(homeAssistant)).includes('statistics_not_defined');
      });
      (await remarksOf(homeAssistant)).should.deepEqual([]);
      should(await homeAssistant.command('recorder/validate_statistics')).deepEqual({});
      homeAssistant.problems().should.deepEqual([]);
    });

    // In 2026.2 that page draws the powers without their numbers.
    if (chroot !== chroots[0]) return;
    it('show on the page Now what the monitor said last', async () => {
      const { homeAssistant } = mqtt;
      await mqtt.stopNodeRed();
      const last = (meter: string, field: string): number => Number(mqtt.payloadOf(`/${meter}/state`)?.[field]);
      const [grid, battery] = [last('p1', 'power_w'), last('mb6', 'power_battery_w')];
      const solar = last('s01', 'power_production_w') + last('mb5', 'power_production_w');
      for (const amount of [solar, -battery]) amount.should.be.above(100);
      const browser = await openPages(homeAssistant, { language: 'en', now: new Date().toISOString() });
      const powers = await energyPage(browser, homeAssistant, 'now', powersNow);
      powers.should.deepEqual({ Solar: solar, Grid: grid, Battery: battery, Consumption: solar + grid + battery });
      browser.errors.should.deepEqual([]);
      await browser.close();
    });
  });
}
