/** Pictures of the page without Node-RED, each checked by program. They are in test-results/page. */
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Choice } from '../../../nodes/cemm-page/page/draw/choice';
import type { Answer } from '../../../nodes/cemm-page/page/messages';
import { pageText } from '../../../scripts/build/page';
import { Browser } from '../browser/browser';
import { devices, findings } from '../browser/page-checks';
import { projectDir } from '../node-red/installed-package';
import { shownCards } from './shown-card';
import { emptyQuarters, textFaults, wordsOf } from './shown-text';
import { loadStandIn, situate, type Theme } from './stand-in';
import { wrongSums } from './sums';

const folder = path.join(projectDir, 'test-results/page');
export const screens = { ...devices, wide: { width: 1920, height: 1080 } } as const;
/** Words that are the same in English and in the language of the picture. */
const sameWords =
  /^(kWh|kW|CSV|EUR|Demo|demo|de|in|of|is|an|per|rest|week|Week|Total|Gas|Water|monitor|Monitor|node|Node|meter|April|Jan|Feb|Apr|Jun|Jul|Aug|Sep|Nov)$/;

export interface Pictured {
  /** The first part of the names of the files. */
  readonly place: string;
  readonly choice: Partial<Choice>;
  readonly answers: Record<string, Answer>;
  readonly moment: number;
  readonly screen: keyof typeof screens;
  readonly theme: Theme;
}

/** File of a picture. */
export function pictureFile(
  { place, screen, theme }: Pick<Pictured, 'place' | 'screen' | 'theme'>,
  language: string,
): string {
  return path.join(
    folder,
    `${[place, screen, theme, language].join('-').replaceAll(/[ .]/g, '-').replaceAll(':', '')}.png`,
  );
}

export class Pictures {
  private constructor(private readonly browser: Browser) {}

  static async open(): Promise<Pictures> {
    mkdirSync(folder, { recursive: true });
    const browser = await Browser.open(devices.desktop);
    await loadStandIn(browser.page, await pageText(projectDir));
    const axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
    await browser.page.addScriptTag({ content: axe });
    return new Pictures(browser);
  }

  get page(): Page {
    return this.browser.page;
  }

  /** Errors in the console. */
  get errors(): readonly string[] {
    return this.browser.errors;
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  /** Takes a picture in each language. @returns the faults, those of an English picture with axe, and English words in the others */
  async faults(pictured: Pictured, languages: readonly string[]): Promise<string[]> {
    const faults: string[] = [];
    let english = new Set<string>();
    for (const language of languages) {
      const file = pictureFile(pictured, language);
      const name = path.basename(file, '.png');
      const found = await this.faultsIn(pictured, language);
      await this.page.screenshot({ path: file, fullPage: true });
      const words = await wordsOf(this.page);
      if (language === 'en') english = words;
      else found.push(...[...words].filter((word) => english.has(word) && !sameWords.test(word)));
      faults.push(...found.map((one) => `${name}: ${one}`));
    }
    return faults;
  }

  private async faultsIn(pictured: Pictured, language: string): Promise<string[]> {
    const { page } = this;
    await page.setViewportSize(screens[pictured.screen]);
    await situate(page, { ...pictured, language });
    return [
      ...(await textFaults(page)),
      ...wrongSums(await shownCards(page), language),
      ...(pictured.screen === 'wide' ? await emptyQuarters(page) : []),
      ...(language === 'en' ? await findings(page, '.cemm-page') : []),
    ];
  }
}
