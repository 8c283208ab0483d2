/**
 * The first hour with the package, with mouse and keyboard from an empty canvas: number of actions of each way. The README
 * promises the first way in five minutes.
 */
import type { Page } from 'playwright-core';
import { Browser } from '../support/browser/browser';
import { openEditor } from '../support/browser/dialogs';
import { editor, flowNode, flowTab } from '../support/first-hour/editor';
import { House, sunnyAfternoon } from '../support/first-hour/house';
import { MousePerson } from '../support/first-hour/mouse';
import { demoPage, holdCount, walk, ways } from '../support/first-hour/ways';
import { longestTurnMs } from '../support/network/only-network';
import { MovingPicture, updatesPictures } from '../support/browser/moving-picture';
import { until } from '../support/until';

describe('the first hour', function () {
  this.timeout(updatesPictures ? 600_000 : 150_000 + longestTurnMs);
  let house: House;
  let browser: Browser;

  before(async () => {
    house = await House.open();
  });

  beforeEach(async () => {
    browser = await Browser.open({ width: 1280, height: 800, clock: sunnyAfternoon });
  });

  afterEach(async () => {
    await browser.close();
  });

  after(async () => {
    await house.close();
  });

  it(`leads to ${demoPage.name} in ${demoPage.most} actions, with a flow that shows in words what it reads`, async () => {
    const { page } = browser;
    const film = new MovingPicture(page, 'first-chart');
    const person = new MousePerson(browser, { film });
    await film.begin();
    await walk(demoPage, house, browser, person);
    holdCount(demoPage, person);
    await person.frame(1_500, { pointer: false });
    if (updatesPictures) await followReadings(page, film);
    await film.save();
    await openEditor({ page }, house.nodeRed.url);
    await page.click(flowTab('CEMM energy page'));
    await page.locator(flowNode('house now')).waitFor();
    await page.locator(editor.statusText, { hasText: /kW/ }).first().waitFor();
    await browser.picture('first-chart-flow');
    if (!updatesPictures) return;
    await person.openExamples();
    await person.look(page.locator(editor.examples).getByText('webhook-receiver'));
    await browser.picture('examples', editor.importDialog);
  });

  for (const way of ways.filter((other) => other !== demoPage)) {
    it(`leads to ${way.name} in ${way.most} actions`, async () => {
      const person = new MousePerson(browser);
      await walk(way, house, browser, person);
      holdCount(way, person);
    });
  }
});

/** A frame for each change of the power. The simulated household changes it every minute. */
async function followReadings(page: Page, film: MovingPicture): Promise<void> {
  const power = async (): Promise<string> => (await page.locator('.cemm-page svg text').allTextContents()).join();
  for (let left = 6; left > 0; left -= 1) {
    const shown = await power();
    // A frame without a number of the house would be of no use in the picture.
    await until(
      'the next reading',
      async () => ![shown, ''].includes(await power()) && !(await power()).includes('–'),
      90_000,
    );
    // The dots move in between.
    for (let frames = 4; frames > 0; frames -= 1) {
      await page.waitForTimeout(150);
      await film.frame(left === 1 && frames === 1 ? 3_000 : 200, { pointer: false });
    }
  }
}
