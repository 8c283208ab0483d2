/**
 * 120 pictures of the page on contact sheets in test-results/page/sheets, one sheet for each view and screen. With a file in the environment
 * variable CEMM_MOCKUP, a page that takes view, theme, lang and house from its address, each sheet has pictures of it as well.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import should from 'should';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { views } from '../../../nodes/cemm-page/page/views';
import { answersOf, type AnsweringHouse } from '../../support/page/answers-of';
import { Browser } from '../../support/browser/browser';
import { projectDir } from '../../support/node-red/installed-package';
import { households, missingPairs, type PlannedPicture, planPictures, times } from '../../support/page/picture-plan';
import { pictureFile, Pictures, screens } from '../../support/page/pictures';
import type { Contract } from '../../../src/balance/prices/contracts';
import { parseContractRows, parseHouseContracts } from '../../../src/balance/prices/house-contracts';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs } from '../../../src/time/units';
import { HouseAnswers, zone } from '../../support/page/house-answers';
import { walkSecondDay } from '../../support/page/walks';

const common = { currency: 'EUR', gas: 1.34, water: 1.12 } as const;
/** As in the example energy-page. */
const demoPrices = { currency: 'EUR', import: 0.25, export: 0.05, gas: 1.3, water: 1.1, example: true };

/** Prices by the hour until the end of the day, and from 13:00 until the end of the next one: dear in the evening, cheap at noon. */
function listHours(now: number): { start: number; value: number }[] {
  const midnight = Date.parse('2026-10-28T00:00+01:00');
  const end = now < midnight - 11 * hourMs ? midnight : midnight + 24 * hourMs;
  const count = 500 * 24;
  return Array.from({ length: count }, (_, index) => {
    const start = end - (count - index) * hourMs;
    const hour = new Date(start).getUTCHours();
    const day = Math.floor(start / (24 * hourMs));
    const evening = hour >= 16 && hour <= 19 ? 0.09 : 0;
    const noon = hour >= 10 && hour <= 14 ? -0.05 : 0;
    return { start, value: Number((0.08 + evening + noon + 0.002 * (day % 7)).toFixed(3)) };
  });
}

/** A contract with prices by the hour, and two offers. */
function contractsAt(now: number): Contract[] {
  const list = listHours(now);
  const rows = [
    {
      name: 'Uurstroom',
      from: '2025-03-01',
      until: '2027-02-28',
      prices: { ...common, import: { list, plus: 0.155 }, export: { list }, per_day: 0.71, netting: true },
    },
    { name: 'Vast 1 jaar', prices: { ...common, import: 0.262, export: 0.05, export_fee: 0.031, per_day: 0.62 } },
    { name: 'Dag en nacht', prices: { ...common, import: { t1: 0.238, t2: 0.276 }, export: 0.06, per_day: 0.6 } },
  ];
  const read = parseContractRows(rows).map((row) => ({ row, prices: row.prices }));
  return runAtOnce(parseHouseContracts(read, zone));
}

/** The households of the contact sheets at a time of one day in autumn. */
const houses = {
  demo: (now: number) => new HouseAnswers('demo', now, demoPrices, 'demo'),
  battery: (now: number) => new HouseAnswers('battery-measured', now, undefined, 'remote', contractsAt(now)),
  'no sun': (now: number) => new HouseAnswers('no-sun', now, undefined, 'remote'),
} as const;

/** Looks at a household at each time. A house that delivers can be asked only before its next delivery. */
async function lookAt(
  household: PlannedPicture['household'],
  times: readonly PlannedPicture['time'][],
  look: (time: PlannedPicture['time'], house: AnsweringHouse) => Promise<void>,
): Promise<void> {
  if (household === 'CEMM 3.0') {
    await walkSecondDay(async (name, house) => {
      const time = times.find((one) => one === name);
      if (time !== undefined) await look(time, house);
    });
    return;
  }
  for (const time of times) await look(time, houses[household](Date.parse(`2026-10-27T${time}:00+01:00`)));
}

interface Tile {
  readonly title: string;
  /** PNG. */
  readonly file: string;
}

const styleOfSheet = `
  body { margin: 0; font: 13px sans-serif }
  main { display: inline-flex; flex-wrap: wrap; align-items: flex-start; gap: 12px; padding: 12px; background: #8a94a0 }
  figure { margin: 0 }
  figcaption { padding: 3px 0; color: #000 }
  img { display: block }`;

/**
 * Many pictures in one, each with its title.
 * @param width of a picture on the sheet, in pixels
 * @param columns pictures beside each other
 */
async function composeSheet(
  page: Page,
  tiles: readonly Tile[],
  { file, width, columns }: { readonly file: string; readonly width: number; readonly columns: number },
): Promise<void> {
  const figures = await Promise.all(
    tiles.map(async (tile) => {
      const picture = await readFile(tile.file, 'base64');
      return `<figure><figcaption>${tile.title}</figcaption><img src="data:image/png;base64,${picture}" width="${width}"></figure>`;
    }),
  );
  await page.setViewportSize({ width: columns * (width + 12) + 12, height: 800 });
  await page.setContent(`<style>${styleOfSheet}</style><main>${figures.join('')}</main>`);
  await page.locator('main').screenshot({ path: file });
}

const planned = planPictures(120);
const folder = path.join(projectDir, 'test-results/page/sheets');
const mockup = process.env['CEMM_MOCKUP'];
/** Width of a picture on its sheet, and pictures beside each other. */
const layouts = {
  phone: { width: 250, columns: 9 },
  tablet: { width: 440, columns: 5 },
  desktop: { width: 640, columns: 3 },
} as const;
/** What the mock-up shows beside the pictures. */
const references = [
  { theme: 'light', lang: 'nl', house: 'sun' },
  { theme: 'dark', lang: 'en', house: 'battery' },
] as const;

function placeOf({ view, household, time }: PlannedPicture): string {
  return `sheet-${view}-${household}-${time}`;
}

function describePicture({ household, time, theme, language }: PlannedPicture): string {
  return `${household} ${time} ${theme} ${language}`;
}

/** Bars lack what flowed before the first delivery. */
function isKnown(fault: string): boolean {
  return / its bars /.test(fault);
}

describe('contact sheets of the page', function () {
  this.timeout(3_600_000);
  let pictures: Pictures;
  let browser: Browser;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    pictures = await Pictures.open();
    browser = await Browser.open(screens.desktop);
  });

  after(async () => {
    await browser.close();
    await pictures.close();
  });

  it('have each pair of values', () => {
    should(new Set(planned).size).equal(120);
    should(missingPairs(planned)).eql([]);
  });

  for (const household of households) {
    it(`${household} has no faults`, async () => {
      const faults: string[] = [];
      await lookAt(household, times, async (time, house) => {
        for (const picture of planned) {
          if (picture.household !== household || picture.time !== time) continue;
          const choice = { view: picture.view, seesCarpet: true };
          const answers = await answersOf(house, choice);
          const { screen, theme, language } = picture;
          const shown = { place: placeOf(picture), choice, answers, moment: house.now, screen, theme };
          faults.push(...(await pictures.faults(shown, [language])));
        }
      });
      should(faults.filter((fault) => household !== 'CEMM 3.0' || !isKnown(fault))).eql([]);
      should(pictures.errors).eql([]);
    });
  }

  for (const view of views) {
    it(`show ${view}`, async () => {
      for (const screen of ['phone', 'tablet', 'desktop'] as const) {
        const tiles: Tile[] = mockup === undefined ? [] : await referTo(mockup, view, screen);
        for (const picture of planned) {
          if (picture.view !== view || picture.screen !== screen) continue;
          const file = pictureFile({ place: placeOf(picture), screen, theme: picture.theme }, picture.language);
          tiles.push({ title: describePicture(picture), file });
        }
        await composeSheet(browser.page, tiles, {
          file: path.join(folder, `${view}-${screen}.png`),
          ...layouts[screen],
        });
      }
    });
  }

  async function referTo(page: string, view: string, screen: keyof typeof layouts): Promise<Tile[]> {
    const tiles: Tile[] = [];
    for (const reference of references) {
      const address = pathToFileURL(page);
      address.search = new URLSearchParams({ view, ...reference }).toString();
      await browser.page.setViewportSize(screens[screen]);
      await browser.page.goto(address.href);
      const { theme, lang, house } = reference;
      const file = path.join(folder, `mockup-${view}-${screen}-${theme}.png`);
      await browser.page.screenshot({ path: file, fullPage: true });
      tiles.push({ title: `MOCK-UP ${house} ${theme} ${lang}`, file });
    }
    return tiles;
  }
});
