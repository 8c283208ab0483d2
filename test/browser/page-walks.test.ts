/** From an empty palette to the page of the house, with every action counted: demo, own monitor, and a CEMM 3.0 by webhook. */
import should from 'should';
import { Browser } from '../support/browser/browser';
import { House, sunnyAfternoon } from '../support/first-hour/house';
import { MousePerson } from '../support/first-hour/mouse';
import { deliveriesPage, demoPage, holdCount, ownHouse, walk } from '../support/first-hour/ways';
import { longestTurnMs } from '../support/network/only-network';

/** Nothing but the browser says the language. */
const languages = [
  { language: 'en-US', tag: 'en', views: /^Now\s+Day\s+Week\s+Month\s+Year\s+Bill$/, house: /"House: time zone/ },
  { language: 'nl-NL', tag: 'nl', views: /^Nu\s+Dag\s+Week\s+Maand\s+Jaar\s+Rekening$/, house: /"Huis: tijdzone/ },
] as const;

describe('the walks to the page @node-red-5-daily', function () {
  this.timeout(150_000 + longestTurnMs);
  let house: House;
  let browser: Browser;

  before(async () => {
    house = await House.open();
  });

  afterEach(async () => {
    await browser.close();
  });

  after(async () => {
    await house.close();
  });

  for (const { language, tag, views, house: ofEditor } of languages) {
    async function begin(): Promise<MousePerson> {
      browser = await Browser.open({ width: 1280, height: 800, language, clock: sunnyAfternoon });
      return new MousePerson(browser, { prefix: `walk-${tag}-` });
    }

    async function speaks(): Promise<void> {
      const page = browser.page.locator('.cemm-page');
      should(await page.getAttribute('lang')).equal(tag);
      should(await page.locator('nav').innerText()).match(views);
    }

    it(`PA2, PA3: leads to ${demoPage.name} in ${demoPage.most} actions, and to that of the own house in ${ownHouse.most} more, in ${tag}`, async () => {
      const person = await begin();
      await walk(demoPage, house, browser, person);
      holdCount(demoPage, person);
      await speaks();
      const later = new MousePerson(browser, { prefix: `walk-${tag}-` });
      await ownHouse.walk(later, house);
      holdCount(ownHouse, later);
      await speaks();
      should(await browser.page.locator('.cemm-page .failure').first().innerText()).equal('');
      browser.errors.should.be.empty();
      browser.outside.should.be.empty();
    });

    it(`leads to ${deliveriesPage.name} of a CEMM 3.0 in ${deliveriesPage.most} actions, in ${tag}`, async () => {
      const person = await begin();
      await walk(deliveriesPage, house, browser, person);
      holdCount(deliveriesPage, person);
      await speaks();
      const flows = await (await house.nodeRed.admin('/flows')).text();
      should(flows).match(ofEditor);
    });
  }
});
