/** An update of the package: the messages that version 0.1.0 sent, recorded from it, and then those of this version. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testedChroots } from '../../scripts/home-assistant/chroots';
import { isRecord } from '../../src/checks/record';
import { importRow, fetchStatisticsRows } from '../support/real-home-assistant/history';
import { MqttHouse } from '../support/real-home-assistant/mqtt-house';
import { entitiesOf, ourDevices, stateOf } from '../support/real-home-assistant/registries';
import { until } from '../support/until';

/** Topic → payload. */
const recorded: unknown = JSON.parse(
  readFileSync(path.resolve(__dirname, '../recorded/home-assistant-0.1.0.json'), 'utf8'),
);
const counter = 'sensor.cemm_basic_p1_energy_import';

for (const chroot of testedChroots) {
  describe(`an update from 0.1.0 in Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(300_000);
    let house: MqttHouse;

    before(async () => {
      house = await MqttHouse.launch(chroot);
    });
    after(() => house.stop());

    it('keeps the device, the entity ids, what is enabled, and the statistics', async () => {
      const { homeAssistant, listener } = house;
      for (const [topic, payload] of Object.entries(isRecord(recorded) ? recorded : {})) {
        // Its readings are those of another moment.
        if (topic.endsWith('/state')) continue;
        await listener.publish(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), true);
      }
      await until('the device of 0.1.0', async () => (await entitiesOf(homeAssistant, 'mqtt')).size === 41);
      const before = await entitiesOf(homeAssistant, 'mqtt');
      await importRow(homeAssistant, counter);
      await until('a statistic', async () => (await fetchStatisticsRows(homeAssistant, counter, 'hour')).length === 1);
      await house.deploy({ interval: 10, expireAfter: 60 });
      const sent = (): unknown => house.payloadOf('/p1/state')?.['energy_import_kwh'];
      await until('a value of this version', async () => Number(await stateOf(homeAssistant, counter)) === sent());
      const after = await entitiesOf(homeAssistant, 'mqtt');
      for (const [id, { entity_id: entity, disabled_by: disabled }] of before) {
        should(after.get(id)).containEql({ entity_id: entity, disabled_by: disabled });
      }
      (await ourDevices(homeAssistant, 'CEMM')).should.have.length(1);
      (await fetchStatisticsRows(homeAssistant, counter, 'hour')).length.should.be.aboveOrEqual(1);
      should(await homeAssistant.command('recorder/validate_statistics')).deepEqual({});
      homeAssistant.problems().should.deepEqual([]);
    });
  });
}
