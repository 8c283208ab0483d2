/**
 * The ways of the first hour again: with a browser in Dutch, on a small laptop, in the dark theme of Node-RED 5, and without a
 * mouse. Run by `npm run campaign -- first-hour`: they take minutes, and only the browser differs.
 */
import should from 'should';
import { Browser } from '../../support/browser/browser';
import { openEditor } from '../../support/browser/dialogs';
import { editor } from '../../support/first-hour/editor';
import { House, sunnyAfternoon } from '../../support/first-hour/house';
import { KeyboardPerson } from '../../support/first-hour/keyboard';
import { MousePerson } from '../../support/first-hour/mouse';
import { holdCount, homeAssistant, ownChart, walk, type Way, ways, yesterday } from '../../support/first-hour/ways';

/** The editor of Node-RED 5 has a dark theme, which its user settings keep in the browser. */
const isNodeRed5 = (process.env['CEMM_NODE_RED'] ?? '').includes('node-red-5');

const desktop = { width: 1280, height: 800 };

interface Variant {
  readonly name: string;
  readonly prefix: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly language?: string;
  readonly isDark?: boolean;
}

const variants: readonly Variant[] = isNodeRed5
  ? [{ name: 'in the dark theme @node-red-5', prefix: 'dark-', size: desktop, isDark: true }]
  : [
      { name: 'in Dutch', prefix: 'nl-', size: desktop, language: 'nl-NL' },
      { name: 'on a small laptop', prefix: 'laptop-', size: { width: 1366, height: 768 } },
    ];

/** Texts that the dialogs write into the flow in the browser's language. */
const dutch: ReadonlyMap<Way, RegExp> = new Map([
  [ownChart, /vandaag/],
  [yesterday, /gisteren/],
]);

describe('the first hour, once more', function () {
  this.timeout(200_000);
  let house: House;

  before(async () => {
    house = await House.open();
  });

  after(async () => {
    await house.close();
  });

  for (const { name, prefix, size, language = 'en-US', isDark = false } of variants) {
    for (const way of ways) {
      it(`leads to ${way.name} in ${way.most} actions ${name}`, async () => {
        const browser = await Browser.open({ ...size, language, clock: sunnyAfternoon });
        try {
          if (isDark) {
            await browser.page.addInitScript(() => {
              localStorage.setItem('view-dark-theme', 'dark');
            });
          }
          const person = new MousePerson(browser, { prefix });
          await walk(way, house, browser, person);
          holdCount(way, person);
          await openEditor(browser, house.nodeRed.url);
          await person.picture(`${way.name.replaceAll(' ', '-')}-after`);
          should(await browser.page.locator('html.nr-theme-dark').count()).equal(isDark ? 1 : 0);
          const label = language === 'nl-NL' ? dutch.get(way) : undefined;
          if (label !== undefined) await browser.page.locator(editor.canvas, { hasText: label }).waitFor();
        } finally {
          await browser.close();
        }
      });
    }
  }

  // The pencil beside the broker is a part of Node-RED that no key reaches.
  for (const way of isNodeRed5 ? [] : ways.filter((other) => other !== homeAssistant)) {
    it(`leads to ${way.name} by the keyboard alone`, async () => {
      const browser = await Browser.open({ ...desktop, clock: sunnyAfternoon });
      try {
        await walk(way, house, browser, new KeyboardPerson(browser, { prefix: 'keys-' }));
      } finally {
        await browser.close();
      }
    });
  }
});
