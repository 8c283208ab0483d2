/** A visitor of the dashboard without a login, and the browsers of those who look at the page after it. */
import should from 'should';
import type { Page } from 'playwright-core';
import { pageVersion } from '../../nodes/cemm-page/page/messages';
import { Browser } from '../support/browser/browser';
import { type FlowNode, NodeRed } from '../support/node-red/node-red';
import { pageFlow } from '../support/page/page-flow';
import { showsHouse } from '../support/page/shown';
import {
  answersIn,
  askQuestions,
  dashboardModules,
  openSocket,
  payloadIn,
  script,
  sendAll,
  template,
  unprotected,
} from '../support/visitors/visitor';
import { until } from '../support/until';

const noon = '2026-06-18T13:00:00+02:00';
const sentence = 'Your contract was cancelled. Call 0900-1234.';
const token = '{"access_token":"of the editor"}';

describe('a visitor of the dashboard', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  const browsers: Browser[] = [];

  async function start(flows: readonly FlowNode[]): Promise<void> {
    nodeRed = await NodeRed.start({ flows, modules: dashboardModules, env: { CEMM_TEST_CLOCK: noon } });
  }

  afterEach(async () => {
    for (const browser of browsers.splice(0)) await browser.close();
    await nodeRed.stop();
  });

  /** A person who is logged in to the editor opens the page. */
  async function open(): Promise<Browser> {
    const browser = await Browser.open({ clock: noon });
    browsers.push(browser);
    await browser.page.addInitScript((text) => {
      localStorage.setItem('auth-tokens', text);
      const links = new Set<string>();
      Reflect.set(window, 'links', links);
      new MutationObserver(() => {
        for (const link of document.querySelectorAll<HTMLAnchorElement>('.cemm-page a[href]')) links.add(link.href);
      }).observe(document, { subtree: true, childList: true, attributes: true });
    }, token);
    await browser.page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
    return browser;
  }

  const stolenIn = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'stolen') as unknown);

  /** Where links of the page led since it was opened. */
  const linksSince = (page: Page): Promise<string[]> =>
    page.evaluate(() => [...(Reflect.get(window, 'links') as Set<string>)]);

  /** Waits until every message of the visitor has been handled: its own question is answered after them. */
  async function attack(...messages: readonly object[]): Promise<void> {
    const socket = await openSocket(nodeRed);
    for (const msg of messages) await sendAll(socket, msg);
    await askQuestions(socket, 'last', [{ balance: 'now' }]);
    await until('an answer', () => socket.events.some((event) => 'now ' in answersIn(event)));
    socket.close();
  }

  /** What the node sends to a viewer that lacks the texts and asks for the house. */
  async function ownMessage(): Promise<object> {
    const socket = await openSocket(nodeRed);
    const asked = { viewer: 'own', wants: [{ balance: 'now' }], language: 'en' };
    await socket.emit('widget-send', template, { payload: asked });
    const sent = await until('texts and the house', () => {
      const texts = socket.events.map(payloadIn).find((payload) => payload['texts'] !== undefined);
      const house = socket.events.find((event) => answersIn(event)['now ']?.state === 'answered');
      return texts === undefined || house === undefined ? null : { ...texts, answers: answersIn(house) };
    });
    socket.close();
    return sent;
  }

  it('DV1: cannot change the page of later viewers', async () => {
    await start(pageFlow());
    const first = await open();
    await until('the page', () => showsHouse(first.page));
    await attack({ ui_update: { format: script } }, { payload: 'x', ui_update: { format: script }, class: 'forged' });
    const later = await open();
    for (const { page } of [first, later]) {
      await until('the page', () => showsHouse(page));
      should(await stolenIn(page)).equal(undefined);
      should(await page.locator('.forged').count()).equal(0);
    }
    should(nodeRed.log).not.match(/Visitors of this dashboard/);
  });

  it('DV1: can change it on a dashboard without the setting, and the node says so', async () => {
    await start(unprotected());
    await attack({ ui_update: { format: script } });
    const { page } = await open();
    await until('the forged page', async () => (await page.locator('.forged').count()) > 0);
    should(await stolenIn(page)).equal(token);
    should(nodeRed.log.match(/Visitors of this dashboard can replace the page/g)?.length).equal(1);
  });

  it('DV3: cannot show others a number, a sentence or a time zone', async () => {
    await start(pageFlow());
    const { page, errors } = await open();
    await until('the page', () => showsHouse(page));
    const socket = await openSocket(nodeRed);
    await askQuestions(socket, 'copy', [{ balance: 'now' }]);
    const event = await until('the balance', () => socket.events.find((one) => 'now ' in answersIn(one)));
    socket.close();
    const answer = answersIn(event)['now '] as { balance: { values: Record<string, number>; ts: number } };
    const { balance } = answer;
    const values = Object.fromEntries(Object.keys(balance.values).map((field) => [field, 666_666]));
    const forged = { ...balance, values };
    const answers = { 'now ': { ...answer, balance: forged } };
    await attack(
      { payload: forged },
      { payload: { ...forged, timezone: 'Mars/Olympus' } },
      { payload: { page: pageVersion, settings: {}, timezone: 'Mars/Olympus', house: null, answers } },
      { payload: { balance: 'now' }, error: { message: sentence, code: 'INPUT' } },
      { error: { message: sentence } },
    );
    const later = await open();
    for (const shown of [page, later.page]) {
      await until('the page', () => showsHouse(shown));
      for (const view of ['day', 'bill', 'now']) {
        await shown.locator(`.cemm-page [data-view="${view}"]`).click();
        await until(`the view ${view}`, async () => {
          const chosen = shown.locator(`.cemm-page [data-view="${view}"][aria-current="page"]`);
          return (await chosen.count()) === 1;
        });
      }
      const text = await shown.innerText('.cemm-page');
      should(text).not.match(/666|667/);
      should(text).not.containEql(sentence);
    }
    should([...errors, ...later.errors]).eql([]);
  });

  it('DV3, DV6: can neither stop the page nor make it lead to another site where the dashboard keeps a forged message', async () => {
    const links = [
      'javascript:stolen=1',
      'https://example.org/',
      '//example.org/',
      '/\\example.org/',
      '/\t/example.org/',
      7,
    ];
    await start(unprotected());
    const own = await ownMessage();
    for (const dialog of links) {
      const answers = {
        'now ': { state: 'answered', at: 0, balance: { kind: 'balance', values: 7, meters: null } },
        'day 2026-06-181h': {
          state: 'answered',
          at: 0,
          balance: { kind: 'balance', points: 'x', period: { step: 1 } },
        },
        other: 5,
      };
      const payload = {
        page: pageVersion,
        settings: { views: 7 },
        timezone: 'Mars/Olympus',
        house: 1,
        dialog,
        answers,
      };
      const socket = await openSocket(nodeRed);
      // The page can draw the second one before the node sends its own: it has texts, and the link of the demo.
      for (const forged of [payload, { ...own, dialog }]) await sendAll(socket, { payload: forged });
      socket.close();
      const { page, errors } = await open();
      await until('the buttons', async () => (await page.locator('.cemm-page nav button').count()) > 0);
      await until('a link', async () => (await linksSince(page)).length > 0);
      await attack({ payload });
      await page.locator('.cemm-page [data-view="month"]').click();
      await until('the month', async () => /\d\s?kWh/.test(await page.innerText('.cemm-page .cards')));
      for (const link of await linksSince(page)) should(link).startWith(nodeRed.url);
      should(errors).eql([]);
      for (const browser of browsers.splice(0)) await browser.close();
    }
  });
});
