/** The example home-assistant-mqtt in the real Home Assistant: the device, its entities, their values and availability. */
import should from 'should';
import { testedChroots } from '../../scripts/home-assistant/chroots';
import { isRecord, type UnknownRecord } from '../../src/checks/record';
import { MqttHouse, monitorId } from '../support/real-home-assistant/mqtt-house';
import { enableAll, entitiesOf, ourDevices, stateOf, statesOf } from '../support/real-home-assistant/registries';
import { until } from '../support/until';

/** Entities that are shown at first: entity id → name, unit, device class, state class and precision. */
const shown: Readonly<Record<string, readonly unknown[]>> = {
  'sensor.cemm_basic_p1_power': ['p1 power', 'W', 'power', 'measurement', 0],
  'sensor.cemm_basic_p1_power_import': ['p1 power import', 'W', 'power', 'measurement', 0],
  'sensor.cemm_basic_p1_power_export': ['p1 power export', 'W', 'power', 'measurement', 0],
  'sensor.cemm_basic_p1_energy_import': ['p1 energy import', 'kWh', 'energy', 'total_increasing', 3],
  'sensor.cemm_basic_p1_energy_export': ['p1 energy export', 'kWh', 'energy', 'total_increasing', 3],
  'sensor.cemm_basic_p1_gas': ['p1 gas', 'm³', 'gas', 'total_increasing', 3],
  'sensor.cemm_basic_s01_power_production': ['s01 power production', 'W', 'power', 'measurement', 0],
  'sensor.cemm_basic_s01_energy_production': ['s01 energy production', 'kWh', 'energy', 'total_increasing', 3],
  'sensor.cemm_basic_mb5_power_production': ['mb5 power production', 'W', 'power', 'measurement', 0],
  'sensor.cemm_basic_mb5_energy_production': ['mb5 energy production', 'kWh', 'energy', 'total_increasing', 3],
  'sensor.cemm_basic_pulse_2_water': ['pulse-2 water', 'm³', 'water', 'total_increasing', 3],
};
const power = 'sensor.cemm_basic_p1_power';
const imported = 'sensor.cemm_basic_p1_energy_import';
const contact = 'sensor.cemm_basic_last_contact';

for (const chroot of testedChroots) {
  describe(`the device in Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(300_000);
    let house: MqttHouse;

    before(async () => {
      house = await MqttHouse.launch(chroot);
      // One reading, so that what Home Assistant shows can be compared with it; more come with the button.
      await house.deploy({ interval: 3600, expireAfter: 3600 });
      await until('all entities that are shown', async () => {
        const states = await statesOf(house.homeAssistant);
        return Object.keys(shown).every((id) => isNumber(states.get(id)));
      });
    });
    after(() => house.stop());

    const press = (): Promise<unknown> =>
      house.homeAssistant.request('/api/services/button/press', { entity_id: 'button.cemm_basic_fetch' });
    const state = (id: string): Promise<string | null> => stateOf(house.homeAssistant, id);
    const hasNumber = async (id: string): Promise<boolean> => isNumber((await statesOf(house.homeAssistant)).get(id));

    it('is one, with product, version, address and MAC', async () => {
      const devices = await ourDevices(house.homeAssistant, 'CEMM');
      devices.should.have.length(1);
      should(devices[0]).containDeep({
        name: 'CEMM Basic',
        model: 'CEMM Basic',
        identifiers: [['mqtt', `cemm_${monitorId}`]],
        connections: [['mac', '02:e2:1e:37:00:00']],
        configuration_url: String(house.monitor.local)
          .replace(/\/?$/, '/')
          .replace(/\/v\d.*$/, '/'),
      });
    });

    it('shows the entities that most people look for, with name, unit, classes and precision', async () => {
      const entities = await entitiesOf(house.homeAssistant, 'mqtt');
      const states = await statesOf(house.homeAssistant);
      const visible = [...entities.values()].filter((one) => one['disabled_by'] === null);
      const sensors = visible.filter(
        (one) => String(one['entity_id']).startsWith('sensor.') && one['entity_category'] === null,
      );
      const found = sensors.map((one): [string, unknown] => {
        const id = String(one['entity_id']);
        const attributes = states.get(id)?.['attributes'];
        const { device_class, state_class, unit_of_measurement } = isRecord(attributes) ? attributes : {};
        return [id, [one['original_name'], unit_of_measurement, device_class, state_class, precisionOf(one)]];
      });
      Object.fromEntries(found).should.deepEqual(shown);
      should(states.get(contact)?.['attributes']).containEql({ device_class: 'timestamp' });
      should(entities.get(`cemm_${monitorId}_last_contact`)).containEql({ entity_category: 'diagnostic' });
    });

    it('has a value for each entity once all are enabled, equal to the message', async () => {
      const { homeAssistant } = house;
      await enableAll(homeAssistant, 'mqtt');
      const announced = componentsOf(house.payloadOf('/config'));
      announced.size.should.be.above(35);
      const entities = await entitiesOf(homeAssistant, 'mqtt');
      [...entities.keys()].sort().should.deepEqual([...announced.keys()].sort());
      for (const [id, { state_topic: topic, value_template: template }] of announced) {
        const [, field] = /value_json\['([\w-]+)'\]/.exec(String(template)) ?? [];
        if (field === undefined || field === 'last_contact') continue;
        const sent = house.payloadOf(String(topic))?.[field];
        const entity = String(entities.get(id)?.['entity_id']);
        await until(`${entity} of ${String(sent)}`, async () => Number(await state(entity)) === sent);
      }
    });

    it('is read again when the button in Home Assistant is pressed', async () => {
      const { length } = house.listener.heard;
      await press();
      const said = (topic: string): boolean =>
        house.listener.heard.slice(length).some((heard) => heard.topic === `cemm/${monitorId}/${topic}`);
      await until('the press, and a reading of each meter', () =>
        ['fetch', 'p1/state', 's01/state', 'mb5/state', 'pulse-2/state'].every(said),
      );
      await until(
        'the new value',
        async () => Number(await state(power)) === house.payloadOf('/p1/state')?.['power_w'],
      );
    });

    it('is unavailable, but for its last contact, while the monitor is away', async () => {
      const { length } = house.listener.heard;
      await house.deploy({ interval: 10, expireAfter: 3600 });
      const isReading = ({ topic }: { topic: string }): boolean => topic === `cemm/${monitorId}/p1/state`;
      await until('a reading before the outage', () => house.listener.heard.slice(length).some(isReading));
      await house.outage();
      await until('unavailable', async () => {
        const states = [power, imported, contact].map(state);
        const [of, all, last] = await Promise.all(states);
        return of === 'unavailable' && all === 'unavailable' && last !== 'unavailable';
      });
      await house.recover();
      await until('a value', () => hasNumber(power));
    });

    it('keeps an entity id and a name that a user chose in Home Assistant', async () => {
      const own = { new_entity_id: 'sensor.grid', name: 'The grid' };
      await house.homeAssistant.command('config/entity_registry/update', { entity_id: power, ...own });
      await house.stopNodeRed();
      await house.deploy({ interval: 10, expireAfter: 3600 }, 'nl');
      await until('Dutch names', async () => {
        const states = await statesOf(house.homeAssistant);
        return nameOf(states.get(imported)) === 'CEMM Basic p1 energie afname';
      });
      nameOf((await statesOf(house.homeAssistant)).get('sensor.grid')).should.endWith('The grid');
      const entities = await entitiesOf(house.homeAssistant, 'mqtt');
      should(entities.get(`cemm_${monitorId}_p1_power_w`)).containEql({ entity_id: 'sensor.grid', name: 'The grid' });
      should(entities.get(`cemm_${monitorId}_p1_energy_import_kwh`)).containEql({ entity_id: imported });
    });

    it('has its values again after Home Assistant has restarted, also where the broker has lost them', async () => {
      await until('a value', () => hasNumber(imported));
      const before = await state(imported);
      const { homeAssistant, listener } = house;
      await homeAssistant.end('SIGTERM');
      const kept = new Set(
        listener.heard.map(({ topic }) => topic).filter((topic) => /\/(state|availability|config)$/.test(topic)),
      );
      for (const topic of kept) await listener.publish(topic, '');
      await homeAssistant.begin();
      await until('values', async () => (await hasNumber('sensor.grid')) && (await hasNumber(imported)));
      Number(await state(imported)).should.be.aboveOrEqual(Number(before));
    });

    it('becomes unavailable when Node-RED has stopped, after the time of *Expires after*', async () => {
      await house.deploy({ interval: 10, expireAfter: 5 });
      await until('the shorter time', () => {
        const components = componentsOf(house.payloadOf('/config'));
        return components.get(`cemm_${monitorId}_p1_power_w`)?.['expire_after'] === 5;
      });
      await until('a value', () => hasNumber('sensor.grid'));
      await house.stopNodeRed();
      await until('unavailable', async () => (await state('sensor.grid')) === 'unavailable');
      await house.deploy({ interval: 10, expireAfter: 3600 });
      await until('a value', () => hasNumber('sensor.grid'));
    });

    it('shows the meter at the grid as unavailable, and no old value, while its cable is pulled', async () => {
      house.monitor.faults.add('p1-pulled');
      await until('unavailable', async () => (await state('sensor.grid')) === 'unavailable');
      (await hasNumber('sensor.cemm_basic_s01_power_production')).should.be.true();
      house.monitor.faults.delete('p1-pulled');
      await until('a value', () => hasNumber('sensor.grid'));
    });

    it('has statistics without an issue, and no error or warning in the log', async () => {
      should(await house.homeAssistant.command('recorder/validate_statistics')).deepEqual({});
      // A state that Home Assistant writes while it renames an entity keeps the history of the old name.
      const isOfRename = (entry: string): boolean => entry.includes('Cannot migrate history for entity_id');
      house.homeAssistant
        .problems()
        .filter((entry) => !isOfRename(entry))
        .should.deepEqual([]);
    });

    it('LC19: leaves no device and no entity once it is removed', async () => {
      // A reading that comes later would announce the device again.
      await house.outage();
      await until('unavailable', async () => (await state('sensor.grid')) === 'unavailable');
      await house.inject('cemm-ha-remove');
      await until('no device', async () => (await ourDevices(house.homeAssistant, 'CEMM')).length === 0);
      await until('no entity', async () => (await entitiesOf(house.homeAssistant, 'mqtt')).size === 0);
      const states = async (): Promise<string[]> => [...(await statesOf(house.homeAssistant)).keys()];
      await until('no state', async () => !(await states()).some((id) => id.includes('cemm')));
    });
  });
}

function isNumber(state: UnknownRecord | undefined): boolean {
  return state !== undefined && /^-?[\d.]+$/.test(String(state['state']));
}

function nameOf(state: UnknownRecord | undefined): string {
  const attributes = state?.['attributes'];
  return isRecord(attributes) ? String(attributes['friendly_name']) : '';
}

function precisionOf({ options }: UnknownRecord): unknown {
  const sensor = isRecord(options) ? options['sensor'] : null;
  return isRecord(sensor) ? sensor['suggested_display_precision'] : null;
}

/** Unique id → component of a discovery message. */
function componentsOf(discovery: UnknownRecord | null): Map<string, UnknownRecord> {
  const components = discovery?.['components'];
  const all = isRecord(components) ? Object.values(components).filter(isRecord) : [];
  return new Map(all.map((one) => [String(one['unique_id']), one]));
}
