/** "Five minutes to the first chart" of the README: what it asks of somebody who has just installed the package, counted. */
import should from 'should';
import type { Page } from 'playwright-core';
import { Browser } from '../support/browser';
import { MovingPicture, updatesPictures } from '../support/moving-picture';
import { NodeRed, tab } from '../support/node-red';
import { until } from '../support/until';

const mostActions = 6;
/** When the demo house has import, export and sun to show. */
const sunnyAfternoon = '2026-06-18T16:40:00+02:00';
const flowTab = '.red-ui-tab:has-text("CEMM live dashboard") a';
const statusLabel = '.red-ui-flow-node-status-label';
const dialog = '#red-ui-clipboard-dialog-import-tab-examples';

describe('the way to the first chart', function () {
  this.timeout(updatesPictures ? 600_000 : 150_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows: [tab('Flow 1')],
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
    browser = await Browser.open({ width: 1280, height: 800, clock: sunnyAfternoon });
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it(`takes ${mostActions} actions at most, without an error in the console`, async () => {
    const { page } = browser;
    const movie = new MovingPicture(page, 'first-chart');
    await movie.begin();
    await openEditor(browser, nodeRed);
    const actions: string[] = [];
    const act = async (what: string, how: () => Promise<unknown>) => {
      actions.push(what);
      await how();
    };

    const starts = () => nodeRed.log.split('Started flows').length;

    await movie.frame(1_000);
    await act('Ctrl-I', () => page.keyboard.press('Control+i'));
    await atRest(page);
    await movie.frame(1_000);
    await act('choose Examples', () => page.click('#red-ui-tab-red-ui-clipboard-dialog-import-tab-examples a'));
    await page.waitForSelector(`${dialog} >> text="node-red-contrib-cemm"`);
    await movie.frame(800);
    await act('open node-red-contrib-cemm', () => page.click(`${dialog} >> text="node-red-contrib-cemm"`));
    const example = page.locator(`${dialog} >> text="live-dashboard"`);
    await example.waitFor();
    await atRest(page);
    await movie.frame(800);
    await example.hover();
    await movie.frame(1_000);
    await browser.picture('first-chart-import', '.ui-dialog:has(#red-ui-clipboard-dialog)');
    await act('double-click live-dashboard', () => example.dblclick());
    await page.locator('.red-ui-notification', { hasText: /Imported/ }).waitFor();
    if (updatesPictures) await showFlow(page, movie);
    await page.hover('#red-ui-header-button-deploy');
    await movie.frame(800);
    const before = starts();
    await act('Deploy', () => page.click('#red-ui-header-button-deploy'));
    await until('the started flows', () => starts() > before);
    await page.locator('#red-ui-header-button-deploy.disabled').waitFor();
    if (updatesPictures) await page.locator(statusLabel, { hasText: /kW/ }).first().waitFor();
    await movie.frame(2_000);
    await act('open the dashboard', () => page.goto(`${nodeRed.url}/dashboard/energy`));
    await page.locator('canvas').first().waitFor();

    await until('a drawn curve of today', () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        const context = canvas?.getContext('2d');
        if (!canvas || !context || canvas.width === 0) return false;
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        let coloured = 0;
        for (let at = 0; at < data.length; at += 4) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(at, at + 4);
          if (alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured += 1;
        }
        return coloured > canvas.width;
      }),
    );
    should(await page.locator('body').innerText()).match(/Gas meter/);
    await movie.frame(1_500, { pointer: false });
    if (updatesPictures) await followReadings(page, movie);
    await movie.save();
    actions.length.should.be.belowOrEqual(mostActions, actions.join(', '));
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });

  it('leaves a flow that explains itself and shows in words what it reads', async () => {
    const { page } = browser;
    await openEditor(browser, nodeRed);
    await page.click(flowTab);
    await page.locator('.red-ui-flow-node-group:has-text("p1 realtime")').first().waitFor();
    await page.locator(statusLabel, { hasText: /kW/ }).first().waitFor();
    await browser.picture('first-chart-flow');
    browser.errors.should.be.empty();
  });
});

/** Nothing of the dialog moves any more. */
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(
    (part) => document.querySelector(part)?.getAnimations({ subtree: true }).length === 0,
    '.ui-dialog:has(#red-ui-clipboard-dialog)',
  );
}

/** A person may look at the flow before deploying it, but need not. */
async function showFlow(page: Page, movie: MovingPicture): Promise<void> {
  await page.click(flowTab);
  await page.locator('.red-ui-flow-node-group:has-text("p1 realtime")').first().waitFor();
  await movie.frame(1_500);
}

/** A frame for each change of the power. The simulated household changes it every minute. */
async function followReadings(page: Page, movie: MovingPicture): Promise<void> {
  const power = async (): Promise<string> => (await page.locator('.nrdb-ui-gauge').allInnerTexts()).join();
  for (let left = 6; left > 0; left -= 1) {
    const shown = await power();
    await until('the next reading', async () => (await power()) !== shown, 90_000);
    // The needle moves to its new place.
    await page.waitForTimeout(1_000);
    await movie.frame(left === 1 ? 3_000 : 800, { pointer: false });
  }
}

async function openEditor({ page }: Browser, nodeRed: NodeRed): Promise<void> {
  await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
}
