/** Pages of Home Assistant in Chromium, logged in. */
import { Browser } from '../browser/browser';
import { until } from '../until';
import type { RealHomeAssistant } from './real-home-assistant';

interface PageOptions {
  readonly language: 'en' | 'nl';
  /** Time of the browser; the day before it is shown. */
  readonly now: string;
}

export async function openPages(homeAssistant: RealHomeAssistant, { language, now }: PageOptions): Promise<Browser> {
  const browser = await Browser.open({
    width: 1280,
    height: 1100,
    clock: now,
    language: language === 'nl' ? 'nl-NL' : 'en-GB',
  });
  const { url, token } = homeAssistant;
  const stored = {
    hassTokens: JSON.stringify({
      ...{ access_token: token, token_type: 'Bearer', expires_in: 86_400, expires: Date.parse('2100-01-01') },
      ...{ refresh_token: '', hassUrl: url, clientId: `${url}/` },
    }),
    selectedLanguage: JSON.stringify(language),
    'energy-default-period-_energy_dashboard': 'yesterday',
  };
  await browser.page.addInitScript((values) => {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, stored);
  return browser;
}

/** The numbers of the table *Totals* once it has some: name → amount without its sign. */
export async function sourcesTable(browser: Browser): Promise<Readonly<Record<string, number>>> {
  const table = browser.page.locator('hui-energy-sources-table-card');
  return until('a table with numbers', async () => {
    const rows = await table.locator('tr').allInnerTexts();
    const found = rows.flatMap((row): [string, number][] => {
      const [, name = '', amount = ''] = /^\s*(\S[^\t\n]*?)\s+[-−]?([\d.,]+)\s*(?:kWh|m³)/.exec(row) ?? [];
      return name === '' ? [] : [[name, Number(amount.replaceAll(',', '.'))]];
    });
    return found.some(([, amount]) => amount > 0) && Object.fromEntries(found);
  });
}
