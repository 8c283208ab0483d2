/** The Home Assistant of the long tests answers as the real one did (test/home-assistant/recorded-traffic.test.ts). */
import should from 'should';
import { HomeAssistant } from '../../support/home-assistant/home-assistant';
import { recordedTraffic, trafficOf } from '../../support/home-assistant/recorded-traffic';

describe('the Home Assistant of the long tests', () => {
  it('gives the answers of the real one', async () => {
    const homeAssistant = await HomeAssistant.start();
    const { host, access_token: token } = homeAssistant.credentials;
    const traffic = await trafficOf(host, token, () => Promise.resolve());
    await homeAssistant.close();
    should(traffic).deepEqual(recordedTraffic());
  });
});
