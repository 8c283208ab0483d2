/**
 * The traffic with the real Home Assistant that test/recorded/home-assistant-websocket.json has: the Home Assistant of the long tests
 * answers in the same way (test/unit/formats/home-assistant-recorded.test.ts). CEMM_UPDATE_RECORDED=1 records it again.
 */
import should from 'should';
import { writeFileSync } from 'node:fs';
import { chroots, testedChroots } from '../../scripts/home-assistant/chroots';
import { asText, recordedFile, recordedTraffic, trafficOf } from '../support/home-assistant/recorded-traffic';
import { fetchStatisticsRows, storedIn } from '../support/real-home-assistant/history';
import { RealHomeAssistant } from '../support/real-home-assistant/real-home-assistant';
import { recordsOf } from '../support/real-home-assistant/registries';
import { until } from '../support/until';

const [newest] = chroots;

describe(`the recorded traffic with Home Assistant ${newest?.homeAssistant ?? ''}`, function () {
  this.timeout(300_000);

  it('is what Home Assistant answers', async () => {
    if (newest === undefined) throw new Error('no Home Assistant');
    const homeAssistant = await RealHomeAssistant.start(newest);
    let marker = 0;
    const { url, token } = homeAssistant;
    const traffic = await trafficOf(url, token, () => storedIn(homeAssistant, ++marker));
    await homeAssistant.stop();
    if (process.env['CEMM_UPDATE_RECORDED'] === '1') {
      writeFileSync(recordedFile, asText(traffic));
    }
    should(traffic).deepEqual(recordedTraffic());
  });
});

for (const chroot of testedChroots) {
  describe(`statistics without mean_type or unit_class in Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(300_000);

    it('are taken as before, with a warning in the log for each', async () => {
      const homeAssistant = await RealHomeAssistant.start(chroot);
      const complete = {
        mean_type: 0,
        has_sum: true,
        name: 'Import',
        source: 'cemm',
        unit_class: 'energy',
        unit_of_measurement: 'kWh',
      };
      const stats = [{ start: '2025-01-01T00:00:00+00:00', state: 1, sum: 1 }];
      for (const missing of ['mean_type', 'unit_class'] as const) {
        const statistic_id = `cemm:no_${missing}`;
        const metadata = { ...complete, [missing]: undefined, statistic_id };
        await homeAssistant.command('recorder/import_statistics', { metadata, stats });
      }
      await storedIn(homeAssistant, 1);
      const statistic_ids = ['cemm:no_mean_type', 'cemm:no_unit_class'];
      for (const id of statistic_ids) (await fetchStatisticsRows(homeAssistant, id, 'hour')).should.have.length(1);
      const found = recordsOf(await homeAssistant.command('recorder/get_statistics_metadata', { statistic_ids }));
      const kinds = found.map(({ mean_type: mean, unit_class: unit }) => ({ mean, unit }));
      kinds.should.deepEqual([
        { mean: 0, unit: 'energy' },
        { mean: 0, unit: 'energy' },
      ]);
      // Its log is written by another thread.
      await until('both warnings', () => homeAssistant.problems().length >= 2);
      const warnings = homeAssistant.problems();
      await homeAssistant.stop();
      warnings.should.have.length(2);
      for (const name of ['mean_type', 'unit_class']) {
        const said = `without specifying ${name} in metadata, this is deprecated and will stop working in HA Core 2026.11`;
        should(warnings.filter((warning) => warning.includes(said))).have.length(1);
      }
    });
  });
}
