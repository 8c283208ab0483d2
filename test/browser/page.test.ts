/** The page of the house in Dashboard 2: what each browser keeps, and what happens around it. */
import should from 'should';
import { Browser } from '../support/browser/browser';
import { NodeRed } from '../support/node-red/node-red';
import { pageFlow, withTaps } from '../support/page/page-flow';
import { until } from '../support/until';

describe('the page of the house @node-red-5', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  const browsers: Browser[] = [];

  before(async () => {
    nodeRed = await NodeRed.start({ flows: withTaps(pageFlow()), modules: ['@flowfuse/node-red-dashboard'] });
  });

  afterEach(async () => {
    for (const browser of browsers.splice(0)) await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
  });

  async function open(options: Parameters<typeof Browser.open>[0] = {}): Promise<Browser> {
    const browser = await Browser.open(options);
    browsers.push(browser);
    await browser.page.goto(`${nodeRed.url}/dashboard/page`, { waitUntil: 'domcontentloaded' });
    return browser;
  }

  it('shows the power of the house', async () => {
    const { page, errors } = await open();
    const power = page.locator('[data-key="now"] .value').first();
    await until('the numbers of now', async () => /\d/.test((await power.textContent()) ?? ''));
    await browsers.at(-1)?.picture('page-now');
    should(errors).eql([]);
  });
});
