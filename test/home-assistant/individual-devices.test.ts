/** The devices of a house as *Individual devices* of the Energy dashboard of the real Home Assistant, one of them behind another. */
import should from 'should';
import { testedChroots } from '../../scripts/home-assistant/chroots';
import { hourMs, millis } from '../../src/time/units';
import { chooseHouse } from '../../src/simulator/houses';
import { energyPreferences, remarksOf } from '../support/real-home-assistant/energy-preferences';
import { importRow, importRows } from '../support/real-home-assistant/history';
import { MqttHouse } from '../support/real-home-assistant/mqtt-house';
import { deviceEnergies, energyPage, openPages } from '../support/real-home-assistant/pages';
import { statesOf } from '../support/real-home-assistant/registries';
import { until } from '../support/until';

const sensor = (name: string): string => `sensor.cemm_basic_${name}`;
const used = (meter: string): string => sensor(`${meter}_energy_import`);

/** As docs/where-the-power-goes.md names them: the boiler is behind the heat pump. */
const devices = [
  { name: 'Heat pump', energy: used('mb2'), power: sensor('mb2_power') },
  { name: 'Car', energy: used('mb3'), power: sensor('mb3_power') },
  { name: 'Boiler', energy: used('mb4'), power: sensor('mb4_power'), within: used('mb2') },
];
const sources = {
  grid: { from: used('p1'), to: sensor('p1_energy_export') },
  solar: [{ energy: sensor('s01_energy_production') }],
  devices,
};

/** The day before, the heat pump ran, the boiler behind it, and the car was charged. */
const now = '2026-03-27T10:00:00+01:00';
const [yesterday, today] = [
  millis(Date.parse('2026-03-26T00:00:00+01:00')),
  millis(Date.parse('2026-03-27T00:00:00+01:00')),
];

/** What an inverter takes at night makes its production fall, and the counter of Home Assistant only rises. */
const house = { ...chooseHouse('devices'), ownUseW: 0 };

type Truth = ReturnType<MqttHouse['monitor']['truth']>;

/** Sensors of energy, and what each counts. */
const amounts: readonly (readonly [string, (flows: Truth) => number])[] = [
  [sources.grid.from, (flows) => flows.import],
  [sources.grid.to, (flows) => flows.export],
  [sensor('s01_energy_production'), ({ production }) => production],
  [used('mb2'), ({ heatPump }) => heatPump],
  [used('mb3'), ({ car }) => car],
  [used('mb4'), ({ boiler }) => boiler],
];

for (const chroot of testedChroots) {
  describe(`the devices of a house in the Energy dashboard of Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(300_000);
    let mqtt: MqttHouse;

    before(async () => {
      mqtt = await MqttHouse.launch(chroot, house, Date.parse(now));
      await mqtt.deploy({ interval: 10, expireAfter: 600 });
      await until('values of all devices', async () => {
        const states = await statesOf(mqtt.homeAssistant);
        return devices.every(({ energy }) => /^\d/.test(String(states.get(energy)?.['state'])));
      });
    });
    after(() => mqtt.stop());

    it('have the names of the connection', async () => {
      const states = await statesOf(mqtt.homeAssistant);
      const names = devices.map(({ energy }) => states.get(energy)?.['attributes']);
      should(names).containDeepOrdered(
        devices.map(({ name }) => ({ friendly_name: `CEMM Basic ${name} energy import` })),
      );
    });

    it('are accepted without a remark, one with another as its upstream device', async () => {
      const { homeAssistant } = mqtt;
      for (const [id, amount] of amounts) await importRows(homeAssistant, id, readingsOfDay(amount));
      for (const { power } of devices) await importRow(homeAssistant, power);
      await homeAssistant.command('energy/save_prefs', energyPreferences(chroot, sources));
      await until('the statistics', async () => {
        return !JSON.stringify(await remarksOf(homeAssistant)).includes('statistics_not_defined');
      });
      (await remarksOf(homeAssistant)).should.deepEqual([]);
      should(await homeAssistant.command('energy/get_prefs')).containDeep({
        device_consumption: [{ stat_consumption: used('mb4'), included_in_stat: used('mb2') }],
      });
      homeAssistant.problems().should.deepEqual([]);
    });

    it('are counted once in the chart of the devices, and the rest of the house beside them', async () => {
      const browser = await openPages(mqtt.homeAssistant, { language: 'en', now });
      const shown = await energyPage(browser, mqtt.homeAssistant, 'electricity', deviceEnergies);
      const { house, heatPump, car, boiler } = mqtt.monitor.truth(yesterday, today);
      const rest = house - heatPump - car;
      for (const amount of [heatPump - boiler, boiler, car, rest]) amount.should.be.above(1);
      // Home Assistant calls what a device with others behind it uses itself untracked.
      const wanted = {
        'Heat pump (untracked)': heatPump - boiler,
        Car: car,
        Boiler: boiler,
        'Untracked consumption': rest,
      };
      for (const [name, kwh] of Object.entries(wanted)) {
        should(shown[name]).be.approximately(kwh, 0.006, `${name} in ${JSON.stringify(shown)}`);
      }
      browser.errors.should.deepEqual([]);
      await browser.close();
    });

    /** Counters at the end of each hour, and at the end of the one before. */
    function readingsOfDay(amount: (flows: Truth) => number): { start: number; value: number }[] {
      return Array.from({ length: 25 }, (_, hour) => {
        const end = yesterday + hour * hourMs;
        return { start: end - hourMs, value: amount(mqtt.monitor.truth(yesterday, millis(end))) };
      });
    }
  });
}
