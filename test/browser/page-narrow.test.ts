/** The page on the narrowest phone, 360 px wide, in every language: one row above the first number. */
import should from 'should';
import type { Page } from 'playwright-core';
import type { Choice } from '../../nodes/cemm-page/page/draw/choice';
import type { View } from '../../nodes/cemm-page/page/views';
import { pageText } from '../../scripts/build/page';
import { Browser } from '../support/browser/browser';
import { projectDir } from '../support/node-red/installed-package';
import { answersOf } from '../support/page/answers-of';
import { HouseAnswers, sharedAnswers } from '../support/page/house-answers';
import { textFaults } from '../support/page/shown-text';
import { loadStandIn, situate } from '../support/page/stand-in';

const moment = Date.parse('2026-10-27T13:40+01:00');
const rowHeight = 44;
const leastTarget = 38;

/** Titles that are short and long: a week of two years, a day of another year. */
const situations = {
  now: [{}],
  day: [{}, { date: '2025-11-30' }],
  week: [{}, { date: '2026-09-28' }, { date: '2025-12-31' }],
  month: [{}, { date: '2025-09-24' }],
  year: [{}, { date: '2025-09-24' }],
  bill: [{}],
} as const satisfies Readonly<Record<View, readonly Partial<Choice>[]>>;

/** Faults of the header, and what else than a line of text is between it and the first number. */
function rowFaults(
  page: Page,
  limits: { readonly rowHeight: number; readonly leastTarget: number },
): Promise<string[]> {
  return page.evaluate(({ rowHeight: most, leastTarget: least }) => {
    const root = document.querySelector('.cemm-page') ?? document.body;
    const boxes = (selector: string): { name: string; box: DOMRect }[] =>
      [...root.querySelectorAll(selector)]
        .filter((part) => part.closest('.panel') === null)
        .map((part) => ({ name: part.textContent.trim(), box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0);
    const [header] = boxes('header');
    const [label] = boxes('.label');
    const [number] = boxes('.big, .flow .use');
    const parts = boxes('header :is(button, summary, time)').sort((a, b) => a.box.left - b.box.left);
    if (header === undefined || number === undefined) return ['no header or no number'];
    const first = (number.box.top + number.box.bottom) / 2;
    const between = boxes('button, input, summary').filter(
      ({ box }) => box.top < first && box.top >= header.box.bottom,
    );
    return [
      ...(header.box.height > most ? [`the header is ${header.box.height} high`] : []),
      ...parts.flatMap(({ name, box }, index) => [
        ...(box.top < header.box.top || box.bottom > header.box.bottom ? [`${name} is outside the row`] : []),
        ...(box.left < (parts[index - 1]?.box.right ?? 0) - 1 ? [`${name} is upon the part before`] : []),
        ...(box.right > innerWidth ? [`${name} is outside the screen`] : []),
        ...(name.length === 1 && box.width < least ? [`${name} is ${box.width} wide`] : []),
      ]),
      ...between.map(({ name }) => `a control above the number: ${name}`),
      ...(label !== undefined && label.box.height > 30 ? [`${label.name} has two lines`] : []),
      ...(number.box.bottom > innerHeight - 57 ? ['the number is not on the first screen'] : []),
    ];
  }, limits);
}

describe('the page at 360 px', function () {
  this.timeout(120_000);
  let browser: Browser;

  before(async () => {
    browser = await Browser.open({ width: 360, height: 740 });
    await loadStandIn(browser.page, await pageText(projectDir));
  });

  after(() => browser.close());

  /** In each language. */
  async function listFaults(house: HouseAnswers, chosen: Partial<Choice>): Promise<string[]> {
    const { page } = browser;
    const choice = { compare: 'none', ...chosen } as const;
    const answers = await answersOf(house, choice);
    const faults: string[] = [];
    for (const language of ['en', 'nl', 'de', 'fr']) {
      await situate(page, { choice, answers, moment, language, theme: 'light' });
      const found = [...(await rowFaults(page, { rowHeight, leastTarget })), ...(await textFaults(page))];
      faults.push(...found.map((fault) => `${language} ${chosen.date ?? ''}: ${fault}`));
    }
    return faults;
  }

  for (const [view, choices] of Object.entries(situations) as [View, readonly Partial<Choice>[]][]) {
    it(`has one row above the first number of the view ${view}, in every language`, async () => {
      const house = sharedAnswers('demo', moment);
      for (const chosen of choices) should(await listFaults(house, { ...chosen, view })).eql([]);
      should(browser.errors).eql([]);
    });
  }

  it('says in one line that its prices are an example, or its house', async () => {
    const houses = [
      new HouseAnswers('standard', moment, undefined, 'remote'),
      new HouseAnswers('demo', moment, { currency: 'EUR', import: 0.27 }),
    ];
    for (const house of houses) should(await listFaults(house, { view: 'day' })).eql([]);
  });

  it('keeps 3 px on both sides of the name of each view, in every language', async () => {
    const { page } = browser;
    const choice = { compare: 'none', view: 'now' } as const;
    const answers = await answersOf(sharedAnswers('demo', moment), choice);
    for (const language of ['en', 'nl', 'de', 'fr']) {
      await situate(page, { choice, answers, moment, language, theme: 'light' });
      const tight = await page.locator('nav button').evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          const name = button.querySelector('span');
          const space = button.getBoundingClientRect().width - (name?.getBoundingClientRect().width ?? 0);
          return space < 6 ? [`${name?.textContent ?? ''}: ${space}`] : [];
        }),
      );
      should(tight).eql([]);
    }
  });

  it('keeps the name of the capacity tariff beside its amount, below the names of the columns, in a table that is scrolled', async () => {
    const { page } = browser;
    const peak = { per_kw_year: 53.25, at_least_kw: 2.5 };
    const house = new HouseAnswers('standard', moment, { currency: 'EUR', import: 0.27, export: 0.06, peak }, 'remote');
    const choice = { view: 'month', shape: 'table', date: '2026-09-10' } as const;
    await situate(page, { choice, answers: await answersOf(house, choice), moment, language: 'nl', theme: 'light' });
    const shown = await page.locator('.scroll').evaluateAll(([table]) => {
      table?.scrollTo(1e6, 1e6);
      table?.scrollIntoView({ block: 'center' });
      const frame = table?.getBoundingClientRect() ?? new DOMRect();
      // What a reader sees at the middle of a cell, and not what lies behind it.
      const seen = (row: Element | null | undefined): string[] =>
        [...(row?.children ?? [])].flatMap((cell) => {
          const { left, top, width, height } = cell.getBoundingClientRect();
          const [x, y] = [left + width / 2, top + height / 2];
          const isInside = x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
          return isInside && document.elementFromPoint(x, y) === cell ? [cell.textContent.trim()] : [];
        });
      const rows = [...(table?.querySelectorAll('tbody tr') ?? [])];
      return {
        scrolled: table?.scrollLeft ?? 0,
        heads: seen(table?.querySelector('thead tr')),
        row: seen(rows.at(-2)),
      };
    });
    should(shown.scrolled).be.above(100);
    should(shown.heads[0]).equal('Tijd');
    should(shown.heads.at(-1)).equal('Kosten (EUR)');
    should(shown.row[0]).equal('Capaciteitstarief');
    should(shown.row.at(-1)).equal('11,09');
  });
});
