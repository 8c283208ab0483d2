/** The example dashboard as a newcomer sees it. */
import 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from '../support/browser';
import { projectDir } from '../support/installed-package';
import { NodeRed, type FlowNode } from '../support/node-red';
import { until } from '../support/until';

const flows = JSON.parse(readFileSync(join(projectDir, 'examples/live-dashboard.json'), 'utf8')) as FlowNode[];

/** When import, export and the sun all have something to show. */
const sunnyAfternoon = '2026-06-18T16:40:00+02:00';

describe('the live dashboard', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows,
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
    browser = await Browser.open({ width: 1280, height: 1180, clock: sunnyAfternoon });
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it('shows powers, a curve of today, readings per tariff, gas and solar, and they move', async () => {
    const { page } = browser;
    await page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
    const text = async () => (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    const shown = await until('all readings on the page', async () => {
      const now = await text();
      return (
        /tariff 1 \(low\) [\d,.]+ kWh/.test(now) &&
        /Gas meter [\d,.]+ m³/.test(now) &&
        /Water meter [\d,.]+ m³ Monitor [A-Z]/.test(now) &&
        now
      );
    });
    for (const label of [
      'From the grid',
      'To the grid',
      'From the sun',
      'Import, tariff 2',
      'Export, tariff 1',
      'Solar production',
    ]) {
      shown.should.containEql(label);
    }
    await until('a painted curve', () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        const context = canvas?.getContext('2d');
        if (!canvas || !context || canvas.width === 0) return false;
        // The legend stands in the upper quarter; a curve of the day crosses most columns below it.
        const top = Math.round(canvas.height / 4);
        const { data, width, height } = context.getImageData(0, top, canvas.width, canvas.height - top);
        let columns = 0;
        for (let x = 0; x < width; x += 1) {
          for (let y = 0; y < height; y += 1) {
            const at = (y * width + x) * 4;
            const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(at, at + 4);
            if (alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) {
              columns += 1;
              break;
            }
          }
        }
        return columns > width / 2;
      }),
    );
    await until('a value that moves', async () => (await text()) !== shown);
    await browser.picture('dashboard');
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });
});
