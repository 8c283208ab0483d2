/** The page of the demo on a phone, with every tap counted: to the energy of a device, to an hour of a year, to the week. */
import should from 'should';
import { Browser } from '../support/browser/browser';
import { devices } from '../support/browser/page-checks';
import { NodeRed } from '../support/node-red/node-red';
import { pageFlow } from '../support/page/page-flow';
import { until } from '../support/until';

const noon = '2026-06-18T13:00:00+02:00';

/** Of the demo. */
const device = 'Heat pump';

describe('the page on a phone', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let taps = 0;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows: pageFlow(),
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: noon },
    });
  });

  after(() => nodeRed.stop());

  beforeEach(async () => {
    browser = await Browser.open({ ...devices.phone, clock: noon, hasTouch: true });
    await browser.page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
    await until('the view Now', async () => (await shownView()) === 'Now');
    taps = 0;
  });

  afterEach(async () => {
    should(browser.errors).eql([]);
    await browser.close();
  });

  async function shownView(): Promise<string> {
    const chosen = browser.page.locator('.cemm-page nav button[aria-current="page"]');
    return (await chosen.allInnerTexts()).join();
  }

  async function tap(part: string): Promise<void> {
    await browser.page.locator(`.cemm-page ${part}`).first().tap();
    taps += 1;
  }

  /** The bars have come, and one of them is tapped. */
  async function tapBar(view: string, index: number): Promise<void> {
    await until(`the bars of the view ${view}`, async () => {
      return (await shownView()) === view && (await browser.page.locator('.cemm-page .chart .bar').count()) > 0;
    });
    await tap(`.chart .column[data-at="${index}"]`);
  }

  function title(): Promise<string> {
    return browser.page.locator('.cemm-page .picker summary').innerText();
  }

  it('shows the energy of a device in the last month in 3 taps', async () => {
    await tap('[data-view="month"]');
    await tap('.previous');
    const energy = await until('the energy of the device', async () => {
      const rows = browser.page.locator('.cemm-page [data-key="devices"] li').filter({ hasText: device });
      const [text = ''] = (await title()) === 'May 2026' ? await rows.locator('b').allInnerTexts() : [];
      return /^[\d.,]+\s+kWh$/.exec(text)?.[0] ?? null;
    });
    should(Number.parseFloat(energy)).be.above(0);
    should(taps).be.belowOrEqual(3);
  });

  it('opens a month of the year, a day of the month and an hour of the day in 3 taps', async () => {
    await tap('[data-view="year"]');
    taps = 0;
    await tapBar('Year', 4);
    await tapBar('Month', 9);
    await tapBar('Day', 12);
    const hour = browser.page.locator('.cemm-page .when b').first();
    await until('the hour', async () => (await hour.innerText()) === '12:00–13:00');
    should(await title()).equal('Sun, May 10');
    should(taps).be.belowOrEqual(3);
  });

  it('shows the week in 1 tap', async () => {
    await tap('[data-view="week"]');
    await until('the energy of the week', async () => {
      const [number = ''] = await browser.page.locator('.cemm-page .hero .big').allInnerTexts();
      return (await shownView()) === 'Week' && /\d\s+kWh/.test(number);
    });
    should(taps).equal(1);
  });
});
