/** The page of the house by keyboard and by swipe, with reduced motion, and with a price that is no number. */
import should from 'should';
import type { Page } from 'playwright-core';
import { type Choice, firstChoice, questionsOf } from '../../nodes/cemm-page/page/draw/choice';
import { type Answer, buildQuestionKey } from '../../nodes/cemm-page/page/messages';
import { pageText } from '../../scripts/build/page';
import { Browser } from '../support/browser/browser';
import { devices } from '../support/browser/page-checks';
import { projectDir } from '../support/node-red/installed-package';
import { HouseAnswers, zone } from '../support/page/house-answers';
import { textFaults } from '../support/page/shown-text';
import { loadStandIn, situate } from '../support/page/stand-in';

const moment = Date.parse('2026-06-18T12:00:00+02:00');

describe('the page of the house', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await Browser.open();
    ({ page } = browser);
    await loadStandIn(page, await pageText(projectDir));
  });

  after(async () => {
    await browser.close();
  });

  async function show(choice: Partial<Choice>): Promise<void> {
    const house = new HouseAnswers('standard', moment);
    const answers: Record<string, Answer> = {};
    for (const question of questionsOf({ ...firstChoice, ...choice }, { moment, timezone: zone })) {
      if (question.balance === 'bill') continue;
      answers[buildQuestionKey(question)] = { state: 'answered', balance: await house.answer(question), at: moment };
    }
    await situate(page, { choice, answers, moment, language: 'en', theme: 'light' });
  }

  /** A finger that moves from the middle of a part to the side. */
  async function swipe(part: string, distance: number): Promise<void> {
    await page.locator(part).evaluate((target, by) => {
      for (const [type, clientX] of [
        ['touchstart', 300],
        ['touchend', 300 + by],
      ] as const) {
        const touch = new Touch({ identifier: 1, target, clientX, clientY: 300 });
        target.dispatchEvent(new TouchEvent(type, { bubbles: true, changedTouches: [touch] }));
      }
    }, distance);
  }

  function shownDate(): Promise<string> {
    return page
      .locator('.picker [data-date][aria-pressed="true"]')
      .getAttribute('data-date')
      .then((date) => date ?? '');
  }

  it('shows the value of each bar by the arrow keys', async () => {
    await show({ view: 'day' });
    const chart = page.locator('.chart').first();
    const value = async (): Promise<string> => (await chart.getAttribute('aria-valuetext')) ?? '';
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    should(await value()).match(/^01:00–02:00: \d/);
    await page.keyboard.press('ArrowLeft');
    should(await value()).startWith('00:00–01:00');
    should(await page.locator('.when b').first().innerText()).equal('00:00–01:00');
    await page.keyboard.press('Escape');
    should(await value()).match(/arrow keys/);
  });

  it('PA6: changes view and day by the keyboard', async () => {
    await show({ view: 'now' });
    await page.locator('[data-view="now"]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    should(await page.locator('[data-view="day"]').getAttribute('aria-current')).equal('page');
    await page.locator('.previous').focus();
    await page.keyboard.press('Space');
    should(await shownDate()).equal('2026-06-17');
  });

  it('PA6: goes to the day before and after by a swipe, but not in a table', async () => {
    await show({ view: 'day', shape: 'table' });
    await swipe('.cards', 120);
    should(await shownDate()).equal('2026-06-17');
    await swipe('.cards', -120);
    should(await shownDate()).equal('2026-06-18');
    await swipe('.cards', 30);
    await swipe('.scroll >> nth=0', 120);
    should(await shownDate()).equal('2026-06-18');
  });

  it('moves nothing where reduced motion is wanted', async () => {
    await show({ view: 'now' });
    for (const [reducedMotion, expected] of [
      ['reduce', 'none'],
      ['no-preference', 'cemm-run'],
    ] as const) {
      await page.emulateMedia({ reducedMotion });
      const names = await page
        .locator('.run')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).animationName));
      should(new Set(names)).eql(new Set([expected]));
    }
  });

  it('PA5: cuts no label of an axis, on a phone and on a desk', async () => {
    try {
      for (const size of [devices.phone, devices.desktop]) {
        await page.setViewportSize(size);
        for (const view of ['now', 'day', 'month'] as const) {
          await show({ view });
          should(await page.locator('.mark:visible').count()).be.above(3);
          should(await textFaults(page)).eql([], `${view}, ${size.width} px`);
        }
      }
    } finally {
      await page.setViewportSize({ width: 1400, height: 900 });
    }
  });

  it('says beside a typed price that it is no number', async () => {
    await show({ view: 'bill' });
    const [field, error] = [page.locator('form input').first(), page.locator('form label').first().getByRole('alert')];
    await field.fill('cheap');
    await field.press('Tab');
    should(await field.getAttribute('aria-invalid')).equal('true');
    should(await error.innerText()).equal('Enter a number, such as 0.25');
    await field.fill('0,25');
    await field.press('Tab');
    should(await field.getAttribute('aria-invalid')).equal('false');
    should(await error.innerText()).equal('');
  });
});
