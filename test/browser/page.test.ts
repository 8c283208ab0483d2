/** The page of the house in Dashboard 2: what each browser keeps, and what happens around it. */
import should from 'should';
import type { View } from '../../nodes/cemm-page/page/views';
import type { Page } from 'playwright-core';
import { Browser } from '../support/browser/browser';
import { type FlowNode, NodeRed, type Settings } from '../support/node-red/node-red';
import { changed, pageFlow, pageNode, shownIn, withTaps } from '../support/page/page-flow';
import { until } from '../support/until';

const noon = '2026-06-18T13:00:00+02:00';

/** Dashboard asks for its icon without `httpNodeRoot`. The console names no address, but every other 404 is also listed with its path. */
const ofIcon = [
  '404 /dashboard/favicon.svg',
  'Failed to load resource: the server responded with a status of 404 (Not Found)',
];

describe('the page of the house @node-red-5', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  const browsers: Browser[] = [];

  async function start(settings: Omit<Settings, 'modules'> = {}): Promise<void> {
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: noon },
      ...settings,
    });
  }

  afterEach(async () => {
    for (const browser of browsers.splice(0)) await browser.close();
  });

  async function open(options: Parameters<typeof Browser.open>[0] = {}, root = ''): Promise<Browser> {
    const browser = await Browser.open({ clock: noon, ...options });
    browsers.push(browser);
    await browser.page.goto(`${nodeRed.url}${root}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
    await until('the page', async () => (await browser.page.locator('.cemm-page nav button').count()) > 0);
    return browser;
  }

  async function choose(page: Page, view: View): Promise<void> {
    await page.locator(`.cemm-page [data-view="${view}"]`).click();
  }

  async function shownView(page: Page): Promise<string> {
    return page.locator('.cemm-page nav button[aria-current="page"]').innerText();
  }

  async function shownDate(page: Page): Promise<string> {
    const chosen = await page.locator('.cemm-page .picker [data-date][aria-pressed="true"]').getAttribute('data-date');
    return chosen ?? '';
  }

  /** A number with the unit is on the page. */
  async function shows(page: Page, unit: RegExp): Promise<true> {
    return until(`a number in ${unit.source}`, async () => {
      const text = await page.locator('.cemm-page .cards').innerText();
      return new RegExp(`\\d\\s${unit.source}`).test(text) || null;
    }).then(() => true);
  }

  describe('with two browsers', () => {
    before(() => start({ flows: withTaps(pageFlow()) }));

    after(() => nodeRed.stop());

    it('PA2: shows each its own view, day and language', async () => {
      const [english, dutch] = [await open(), await open({ language: 'nl-NL', width: 390, height: 844 })];
      await shows(english.page, /k?W/);
      await english.picture('page-now');
      for (const { page } of [english, dutch]) await choose(page, 'day');
      await english.page.locator('.previous').click();
      for (const { page } of [english, dutch]) await shows(page, /kWh/);
      should(await shownDate(english.page)).equal('2026-06-17');
      should(await shownDate(dutch.page)).equal('2026-06-18');
      should(await shownView(english.page)).equal('Day');
      should(await shownView(dutch.page)).equal('Dag');
      should(await dutch.page.locator('.cemm-page').getAttribute('lang')).match(/^nl/);
      should(await dutch.page.locator('html').getAttribute('lang')).not.match(/^nl/);
      for (const { errors, outside } of [english, dutch]) should([...errors, ...outside]).eql([]);
    });

    it('draws the power of a day by the minute', async () => {
      const { page, errors } = await open();
      await choose(page, 'day');
      await page.locator('.previous').click();
      await page.getByRole('button', { name: 'Power' }).click();
      const steps = await until('a step for each minute', async () => {
        const [line = ''] = await page
          .locator('.cemm-page path.line')
          .evaluateAll((all) => all.map((one) => one.getAttribute('d') ?? ''));
        const count = line.split('H').length - 1;
        return count > 96 && count;
      });
      should(steps).equal(1440);
      should(await page.locator('.cemm-page .chart').first().locator('.column').count()).equal(96);
      should(errors).eql([]);
    });

    it('keeps view and day over a reload and a full deploy, and shows numbers again', async () => {
      const { page, errors } = await open();
      await choose(page, 'day');
      await page.locator('.previous').click();
      await shows(page, /kWh/);
      await page.reload();
      await shows(page, /kWh/);
      should(await shownDate(page)).equal('2026-06-17');
      const before = (await nodeRed.messages('asked')).length;
      await nodeRed.deploy(withTaps(changed(pageFlow(), { [pageNode]: { name: 'again' } })));
      await until('a question after the deploy', async () => (await nodeRed.messages('asked')).length > before);
      await shows(page, /kWh/);
      should(await shownView(page)).equal('Day');
      should(await shownDate(page)).equal('2026-06-17');
      should(errors.filter((error) => !/websocket|ERR_/i.test(error))).eql([]);
    });

    it('goes on when a browser vanishes', async () => {
      const [stays, vanishes] = [await open(), await open()];
      await choose(vanishes.page, 'year');
      await until('both views', async () => {
        const [last] = shownIn(await nodeRed.messages('shown')).slice(-1);
        return Object.keys(last?.answers ?? {}).some((key) => key.startsWith('year')) || null;
      });
      await vanishes.page.context().setOffline(true);
      await choose(stays.page, 'month');
      await shows(stays.page, /kWh/);
      should(await shownView(stays.page)).equal('Month');
    });
  });

  const placed: readonly { name: string; root: string; settings: string; adminRoot?: string; isStored?: true }[] = [
    {
      name: 'with moved roots',
      root: '/house',
      settings: "httpAdminRoot: '/admin', httpNodeRoot: '/house',",
      adminRoot: '/admin',
    },
    { name: 'with disableEditor', root: '', settings: 'disableEditor: true,', isStored: true },
    { name: 'without an admin side', root: '', settings: 'httpAdminRoot: false,', isStored: true },
  ];

  for (const { name, root, settings, adminRoot, isStored } of placed) {
    describe(name, () => {
      const flows: FlowNode[] = pageFlow();

      before(() =>
        start({
          settings,
          ...(adminRoot !== undefined && { adminRoot }),
          ...(isStored === true ? { stored: { flows, credentials: {} } } : { flows }),
        }),
      );

      after(() => nodeRed.stop());

      it('shows now and today', async () => {
        const { page, errors, outside } = await open({}, root);
        await shows(page, /k?W/);
        await choose(page, 'day');
        await shows(page, /kWh/);
        should([...errors.filter((error) => !ofIcon.includes(error)), ...outside]).eql([]);
      });
    });
  }
});
