/**
 * The Home Assistant of the long tests answers as the real one did (test/home-assistant/recorded-traffic.test.ts). It has sentences of
 * its own for a command of the wrong form.
 */
import should from 'should';
import { isRecord } from '../../../src/checks/record';
import { HomeAssistant } from '../../support/home-assistant/home-assistant';
import { recordedTraffic, trafficOf } from '../../support/home-assistant/recorded-traffic';

function withoutSentences(traffic: unknown): unknown {
  return JSON.parse(JSON.stringify(traffic), (_, value: unknown) =>
    isRecord(value) && value['code'] === 'invalid_format' ? { code: 'invalid_format' } : value,
  );
}

describe('the Home Assistant of the long tests', () => {
  it('gives the answers of the real one', async () => {
    const homeAssistant = await HomeAssistant.start();
    const { host, access_token: token } = homeAssistant.credentials;
    const traffic = await trafficOf(host, token, () => Promise.resolve());
    await homeAssistant.close();
    should(withoutSentences(traffic)).deepEqual(withoutSentences(recordedTraffic()));
    homeAssistant.statistics.warnings.should.deepEqual(['mean_type', 'unit_class', 'mean_type', 'unit_class']);
  });
});
