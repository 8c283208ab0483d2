/**
 * How fast the page of the demo is in a browser six times slower than this one, how long a year takes on this machine, and how the
 * browser's memory grows in a day of looking around. Prints the figures, and holds them to the limits.
 */
import should from 'should';
import type { CDPSession, Page } from 'playwright-core';
import { Browser } from '../../support/browser/browser';
import { NodeRed } from '../../support/node-red/node-red';
import { pageFlow } from '../../support/page/page-flow';
import { showsHouse } from '../../support/page/shown';
import { until } from '../../support/until';

const slower = 6;
const visits = 9;
/** In milliseconds of the slow browser. */
const limits = { 'a choice': 100, 'the carpet': 300 } as const;
/** The first house, in times of a page of Dashboard that has one number and no house. */
const mostTimes = 2;
const yearSeconds = 10;
const mostMegabytes = 20;
const phone = { width: 390, height: 844, language: 'nl-NL' };

/** A page of Dashboard with a number that needs no message. */
const onePage = [
  {
    id: 'number-page',
    type: 'ui-page',
    name: 'Number',
    ui: 'cemm-live-base',
    path: '/number',
    theme: 'cemm-live-theme',
  },
  { id: 'number-group', type: 'ui-group', name: 'Number', page: 'number-page', width: 12, height: 1, visible: true },
  {
    id: 'number',
    type: 'ui-template',
    z: 'cemm-page-flow',
    group: 'number-group',
    templateScope: 'local',
    format: '<template><div class="cemm-page"><div class="cards">1 W</div></div></template>',
  },
].map((node) => ({ ...node, layout: 'grid', order: 2 }));

describe('the page of the demo', function () {
  this.timeout(900_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let session: CDPSession;

  afterEach(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  /** Without a moment, the clocks of this machine. */
  async function open(clock = ''): Promise<void> {
    nodeRed = await NodeRed.start({
      flows: [...pageFlow(), ...onePage],
      modules: ['@flowfuse/node-red-dashboard'],
      env: { TZ: 'Europe/Amsterdam', ...(clock !== '' && { CEMM_TEST_CLOCK: clock }) },
    });
    browser = await Browser.open({ ...phone, clock });
    session = await browser.page.context().newCDPSession(browser.page);
  }

  const visit = (address: string): Promise<unknown> =>
    browser.page.goto(`${nodeRed.url}/dashboard/${address}`, { waitUntil: 'domcontentloaded' });

  /** Goes to a view and waits until it has what it asks for. */
  async function look(view: string): Promise<void> {
    await browser.page.locator(`.cemm-page [data-view="${view}"]`).click();
    await until(`the view ${view}`, () => isAnswered(browser.page, view), 120_000);
  }

  it(`has the twelve months of electricity of a year within ${yearSeconds} s`, async () => {
    await open('2026-12-31T13:00:00+01:00');
    const { page } = browser;
    await visit('energy');
    await until('the house', () => showsHouse(page));
    const start = performance.now();
    await page.locator('.cemm-page [data-view="year"]').click();
    await page.locator('.cemm-page .menu summary').click();
    await page.locator('.cemm-page [data-table]').click();
    const rows = page.locator('.cemm-page tbody tr');
    const months = async (): Promise<number> =>
      (await rows.allInnerTexts()).filter((row) => /\d/.test(row) && !row.includes('–')).length;
    // With the row of their sum.
    await until('twelve months', async () => (await months()) === 13, 120_000);
    const seconds = (performance.now() - start) / 1000;
    console.log(`      a year on this machine: ${seconds.toFixed(1)} s`);
    should(seconds).be.below(yearSeconds);
  });

  it('shows the house and answers a choice on a slow phone', async () => {
    await open();
    await visit('energy?view=year');
    await until('the house', () => isAnswered(browser.page, 'year'), 120_000);
    await browser.page.keyboard.press('End');
    await browser.page.locator('.cemm-page .carpet:visible').waitFor();
    for (const view of ['day', 'week', 'month', 'now']) await look(view);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const figures = {
      'a choice': await choiceMs(['day', 'month', 'week', 'now']),
      'the carpet': await choiceMs(['year', 'now']),
    };
    await browser.page.addInitScript(watchFirstHouse);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    const houses: number[] = [];
    const numbers: number[] = [];
    for (let count = 0; count < visits; count += 1) {
      houses.push(await openMs('energy?view=now'));
      numbers.push(await openMs('number'));
    }
    console.log(`      ${slower} × slower: ${JSON.stringify(figures)} ms of a processor`);
    console.log(
      `      the first house: ${middle(houses)} ms; a page of Dashboard with one number: ${middle(numbers)} ms`,
    );
    for (const what of Object.keys(limits) as (keyof typeof limits)[]) {
      should(figures[what]).be.belowOrEqual(limits[what], what);
    }
    should(middle(houses) / middle(numbers)).be.belowOrEqual(mostTimes);
  });

  it(`takes at most ${mostMegabytes} MB more after a day of looking around`, async () => {
    await open();
    await visit('energy');
    await until('the house', () => showsHouse(browser.page));
    await lookAround(1);
    const before = await heapMegabytes();
    await lookAround(40);
    const grown = (await heapMegabytes()) - before;
    console.log(`      memory: ${before.toFixed(1)} MB, ${grown.toFixed(1)} MB more after 240 views and 400 periods`);
    should(grown).be.belowOrEqual(mostMegabytes);
  });

  async function lookAround(rounds: number): Promise<void> {
    for (let count = 0; count < rounds; count += 1) {
      for (const view of ['day', 'week', 'month', 'year', 'bill', 'now']) {
        await look(view);
        const previous = browser.page.locator('.cemm-page .previous');
        for (let back = 0; back < 2 && (await previous.count()) > 0; back += 1) {
          await previous.click();
          await until('its answer', () => isAnswered(browser.page, view), 120_000);
        }
      }
    }
  }

  async function heapMegabytes(): Promise<number> {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  }

  /** Processor time of a choice in the slow browser: script, style and layout. What is known is not asked for again. */
  async function choiceMs(chosen: readonly string[]): Promise<number> {
    const before = await drawSeconds();
    for (let count = 0; count < visits; count += 1) for (const view of chosen) await draw(browser.page, view);
    const seconds = (await drawSeconds()) - before;
    return Math.round((1000 * slower * seconds) / visits / chosen.length);
  }

  async function drawSeconds(): Promise<number> {
    const { metrics } = await session.send('Performance.getMetrics');
    const parts = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
    return metrics.reduce((sum, { name, value }) => (parts.includes(name) ? sum + value : sum), 0);
  }

  /** From the request of the page, with Dashboard in the browser's cache, to the first number. */
  async function openMs(address: string): Promise<number> {
    await browser.page.goto('about:blank');
    await visit(address);
    return until('the first house', () =>
      browser.page.evaluate(() => (Reflect.get(window, 'shownMs') as number | undefined) ?? null),
    );
  }
});

/** In the browser: notes when the frame with the first house is drawn. */
function watchFirstHouse(): void {
  new MutationObserver((_, observer) => {
    const text = document.querySelector('.cemm-page .cards')?.textContent ?? '';
    if (!/\d\s?k?W(?!h)/.test(text)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => Reflect.set(window, 'shownMs', performance.now())));
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Chooses a view, until the frame that shows it. */
function draw(page: Page, view: string): Promise<void> {
  return page.evaluate(async (name) => {
    document.querySelector<HTMLElement>(`.cemm-page [data-view="${name}"]`)?.click();
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
    });
  }, view);
}

/** True if the view is chosen and waits for nothing. */
async function isAnswered(page: Page, view: string): Promise<boolean> {
  const chosen = page.locator(`.cemm-page [data-view="${view}"][aria-current="page"]`);
  if ((await chosen.count()) === 0) return false;
  const cards = await page.locator('.cemm-page section').count();
  const waiting = await page.locator('.cemm-page section .state:not(.failure)').allInnerTexts();
  return cards > 0 && waiting.every((text) => text.trim() === '');
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? NaN);
}
