/** Pages of Home Assistant in Chromium, logged in. */
import type { Page } from 'playwright-core';
import { Browser } from '../browser/browser';
import { isRecord } from '../../../src/checks/record';
import { until } from '../until';
import type { RealHomeAssistant } from './real-home-assistant';
import { recordsOf } from './registries';

interface PageOptions {
  readonly language: 'en' | 'nl';
  /** Time of the browser; the day before it is shown. */
  readonly now: string;
}

export type EnergyPage = 'overview' | 'electricity' | 'gas' | 'water' | 'now';

/** Of the window. */
const width = 1000;
const leastHeight = 600;

export async function openPages(homeAssistant: RealHomeAssistant, { language, now }: PageOptions): Promise<Browser> {
  const browser = await Browser.open({
    width,
    height: leastHeight,
    clock: now,
    language: language === 'nl' ? 'nl-NL' : 'en-GB',
  });
  const { url, token } = homeAssistant;
  const stored = {
    hassTokens: JSON.stringify({
      access_token: token,
      token_type: 'Bearer',
      expires_in: 86_400,
      expires: Date.parse('2100-01-01'),
      refresh_token: '',
      hassUrl: url,
      clientId: `${url}/`,
    }),
    selectedLanguage: JSON.stringify(language),
    dockedSidebar: JSON.stringify('always_hidden'),
    'energy-default-period-_energy_dashboard': 'yesterday',
  };
  await browser.page.addInitScript((values) => {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, stored);
  // A chart that grows would be photographed half-way.
  await browser.page.emulateMedia({ reducedMotion: 'reduce' });
  return browser;
}

/** What a page of the Energy dashboard shows. Takes a picture of the whole page, named after it and the language. */
export async function energyPage<T>(
  browser: Browser,
  { url }: RealHomeAssistant,
  name: EnergyPage,
  read: (browser: Browser) => Promise<T>,
): Promise<T> {
  const { page } = browser;
  await page.goto(`${url}/energy/${name}`);
  const shown = await read(browser);
  await drawn(page);
  const { language, height } = await page.evaluate(() => {
    const { lang, scrollHeight } = document.documentElement;
    return { language: lang, height: scrollHeight };
  });
  // The bar with the date is at the bottom of the window: in a lower one it would hide a chart.
  await page.setViewportSize({ width, height });
  await drawn(page);
  await browser.picture(`home-assistant-${name}${language === 'nl' ? '-nl' : ''}`);
  return shown;
}

/** Waits until the charts no longer change. */
async function drawn(page: Page): Promise<void> {
  let before: Buffer = Buffer.alloc(0);
  await until('a page that has drawn its charts', async () => {
    const picture = await page.screenshot();
    const isStill = picture.equals(before);
    before = picture;
    return isStill;
  });
}

/** The numbers of the table *Totals* once it has some: name → amount, negative for what leaves the house. */
export async function sourcesTable({ page }: Browser): Promise<Readonly<Record<string, number>>> {
  const table = page.locator('hui-energy-sources-table-card');
  return until('a table with numbers', async () => {
    const rows = await table.locator('tr').allInnerTexts();
    const found = rows.flatMap((row): [string, number][] => {
      const [, name = '', sign = '', amount = ''] = /^\s*(\S[^\t\n]*?)\s+([-−]?)([\d.,]+)\s*(?:kWh|m³)/.exec(row) ?? [];
      const number = Number(amount.replaceAll(',', '.'));
      return name === '' ? [] : [[name, sign === '' ? number : -number]];
    });
    return found.some(([, amount]) => amount !== 0) && Object.fromEntries(found);
  });
}

/** The powers below the chart of the page *Now* once it has some: name → W. */
export async function powersNow({ page }: Browser): Promise<Readonly<Record<string, number>>> {
  const entries = page.locator('hui-power-sources-graph-card li');
  return until('powers', async () => {
    const found = (await entries.allInnerTexts()).flatMap((entry): [string, number][] => {
      const [, name = '', amount = '', unit = ''] = /^(\S[^\n]*)\n([-−]?[\d.]+)\s(k?)W$/.exec(entry.trim()) ?? [];
      const watts = Number(amount.replace('−', '-')) * (unit === 'k' ? 1000 : 1);
      return name === '' ? [] : [[name, Math.round(watts)]];
    });
    return found.length > 0 && Object.fromEntries(found);
  });
}

/**
 * The kWh of each series in the chart *Detail devices usage* once it has some: name → sum of its bars. The chart is a canvas; its
 * numbers are in the property from which it is drawn.
 */
export async function deviceEnergies({ page }: Browser): Promise<Readonly<Record<string, number>>> {
  const chart = page.locator('hui-energy-devices-detail-graph-card ha-chart-base');
  return until('a chart of devices', async () => {
    if ((await chart.count()) === 0) return false;
    const data = await chart.first().evaluate((element): unknown => Reflect.get(element, 'data'));
    const all = recordsOf(data).map(({ name, data: bars }): [string, number] => [String(name), sumOfBars(bars)]);
    return all.some(([, sum]) => sum > 0) && Object.fromEntries(all);
  });
}

/** Each bar is a list of its time and its height, or an object with that list as its value. */
function sumOfBars(bars: unknown): number {
  if (!Array.isArray(bars)) return 0;
  return bars.reduce<number>((sum, bar: unknown) => {
    const point: unknown = isRecord(bar) ? bar['value'] : bar;
    return sum + (Array.isArray(point) ? Number(point[1]) : 0);
  }, 0);
}
