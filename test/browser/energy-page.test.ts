/** The example energy-page as the documentation shows it. */
import 'should';
import { Browser } from '../support/browser/browser';
import { NodeRed } from '../support/node-red/node-red';
import { changed, pageFlow } from '../support/page/page-flow';
import { showsHouse } from '../support/page/shown';
import { until } from '../support/until';

const sunnyAfternoon = '2026-06-18T16:40:00+02:00';
/** A Dutch editor names the page of the example so when it is imported; the language of the connection names the devices of the demo. */
const languages = [
  { language: 'en-US', suffix: '', name: 'Energy', connected: 'en-US', device: 'Heat pump' },
  { language: 'nl-NL', suffix: '-nl', name: 'Energie', connected: 'nl', device: 'Warmtepomp' },
] as const;
const screens = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

describe('the example energy-page', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
  });

  after(() => nodeRed.stop());

  const cases = languages.flatMap((one) => Object.entries(screens).map(([screen, size]) => ({ ...one, screen, size })));
  for (const { language, suffix, name, connected, device, screen, size } of cases) {
    it(`shows the power of the house and the amounts of today on a ${screen}, in ${language}`, async () => {
      await nodeRed.deploy(
        changed(pageFlow(), { 'cemm-page-page': { name }, 'cemm-demo-monitor': { language: connected } }),
      );
      const browser = await Browser.open({ ...size, language, clock: sunnyAfternoon });
      try {
        await browser.page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
        await until('the power of the house', () => showsHouse(browser.page));
        await until('the power of the devices', async () => {
          const text = await browser.page.locator('.cemm-page .flow').first().textContent();
          return text?.includes('–') === false && text.includes(device);
        });
        await until('the amounts of today', async () => /\d\s?kWh/.test(await browser.page.innerText('.cemm-page')));
        await browser.picture(`energy-page-${screen}${suffix}`);
        browser.errors.should.be.empty();
        browser.outside.should.be.empty();
      } finally {
        await browser.close();
      }
    });
  }
});
