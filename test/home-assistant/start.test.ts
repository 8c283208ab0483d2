/** Home Assistant itself, before anything of ours is in it. */
import should from 'should';
import { testedChroots } from '../../scripts/home-assistant/chroots';
import { isRecord } from '../../src/checks/record';
import { RealHomeAssistant } from '../support/real-home-assistant/real-home-assistant';

for (const chroot of testedChroots) {
  describe(`Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(180_000);

    it('starts with an empty configuration, is onboarded, restarts, and logs no problem', async () => {
      const homeAssistant = await RealHomeAssistant.start(chroot);
      try {
        await homeAssistant.restart();
        const config = await homeAssistant.command('get_config');
        if (!isRecord(config)) throw new Error('get_config answered no object');
        should(config['version']).equal(chroot.homeAssistant);
        should(config['components']).containEql('energy');
        should(config['recovery_mode']).be.false();
        homeAssistant.problems().should.deepEqual([]);
      } finally {
        await homeAssistant.stop();
      }
    });
  });
}
