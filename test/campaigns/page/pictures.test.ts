/**
 * All pictures of the page: views, devices, themes, languages, times of a day and households. Each is checked for text that is cut
 * off, a page that is too wide and colours that cannot be told apart; the pictures are in test-results/page.
 */
import 'should';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { firstChoice, questionsOf } from '../../../nodes/cemm-page/page/draw/choice';
import { type Answer, keyOf, type View, views } from '../../../nodes/cemm-page/page/messages';
import { pageText } from '../../../scripts/build/page';
import type { HouseName } from '../../../src/simulator/houses';
import { Browser } from '../../support/browser/browser';
import { devices, findings } from '../../support/browser/page-checks';
import { projectDir } from '../../support/node-red/installed-package';
import { HouseAnswers, zone } from '../../support/page/house-answers';
import { loadStandIn, situate } from '../../support/page/stand-in';

const folder = path.join(projectDir, 'test-results/page');
const times = { '07:10': '07:10', noon: '12:00', '21:00': '21:00' };
const households: readonly { readonly name: string; readonly house: HouseName; readonly isAway?: true }[] = [
  { name: 'gas and sun', house: 'standard' },
  { name: 'no sun', house: 'no-sun' },
  { name: 'battery', house: 'battery-measured' },
  { name: 'away', house: 'standard', isAway: true },
];
const message = 'The monitor is offline.';

async function answersOf(house: HouseAnswers, view: View, isAway: boolean): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  const frame = { moment: house.now, timezone: zone };
  for (const question of questionsOf({ ...firstChoice, view, compare: 'before' }, frame)) {
    answers[keyOf(question)] = isAway
      ? { state: 'failed', code: 'MONITOR_OFFLINE', message, at: house.now }
      : { state: 'answered', balance: await house.answer(question), at: house.now };
  }
  return answers;
}

/** Text outside its card or outside the page, one line each. */
function cutText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide =
      document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page is too wide'] : [];
    const cut = [...document.querySelectorAll('.cemm-page section, .cemm-page header')].flatMap((card) => {
      const { left, right } = card.getBoundingClientRect();
      return [...card.querySelectorAll('text, strong, dt, small, span, button, h2, td')]
        .filter((element) => element.closest('.scroll') === null && element.textContent.trim() !== '')
        .filter((element) => {
          const box = element.getBoundingClientRect();
          return box.width > 0 && (box.left < left - 1 || box.right > right + 1);
        })
        .map((element) => `${element.tagName} ${element.textContent} is cut`);
    });
    return [...wide, ...cut];
  });
}

describe('pictures of the page', function () {
  this.timeout(3_600_000);
  let browser: Browser;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    browser = await Browser.open(devices.desktop);
    await loadStandIn(browser.page, await pageText(projectDir));
    await browser.page.addScriptTag({ content: await readFile(require.resolve('axe-core/axe.min.js'), 'utf8') });
  });

  after(async () => {
    await browser.close();
  });

  for (const { name, house, isAway = false } of households) {
    for (const [time, clock] of Object.entries(times)) {
      it(`${name} at ${time}`, async () => {
        const { page } = browser;
        const moment = Date.parse(`2026-06-18T${clock}:00+02:00`);
        const answering = new HouseAnswers(house, moment);
        const wrong: string[] = [];
        for (const view of views) {
          const answers = await answersOf(answering, view, isAway);
          for (const [device, size] of Object.entries(devices)) {
            await page.setViewportSize(size);
            for (const theme of ['light', 'dark'] as const) {
              for (const language of ['en', 'nl']) {
                await situate(page, { choice: { view, compare: 'before' }, answers, moment, language, theme });
                const place = [name, time.replace(':', ''), view, device, theme, language]
                  .join('-')
                  .replaceAll(' ', '-');
                const unclear = device === 'desktop' && language === 'en' ? await findings(page, '.cemm-page') : [];
                wrong.push(...[...(await cutText(page)), ...unclear].map((one) => `${place}: ${one}`));
                await page.screenshot({ path: path.join(folder, `${place}.png`), fullPage: true });
              }
            }
          }
        }
        wrong.should.eql([]);
        browser.errors.should.eql([]);
      });
    }
  }
});
