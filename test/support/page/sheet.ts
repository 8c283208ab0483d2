/** What drawing functions read besides a balance, without a house. */
import { firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import type { Sheet } from '../../../nodes/cemm-page/page/draw/card';
import { formatsOf } from '../../../nodes/cemm-page/page/draw/numbers';
import { texting } from '../../../nodes/cemm-page/page/draw/texts';
import { languageOf, type Texts } from '../../../nodes/cemm-page/page/languages';
import { views } from '../../../nodes/cemm-page/page/views';
import { textsOfPage } from '../../../nodes/cemm-page/texts';
import type { BalancePayload } from '../../../src/model/payload';

export const zone = 'Europe/Amsterdam';

/** Of a page with every view. */
export const settings = { views: [...views], language: '', readings: true, changePrices: true };

/** Those of the language of a tag such as `nl-BE`. */
export function textsFor(tag: string): Texts {
  return textsOfPage[languageOf(tag)];
}

export function sheetAt(moment: number, language = 'en'): Sheet {
  return {
    choice: firstChoice,
    answers: {},
    questions: [],
    frame: { moment, timezone: zone },
    tag: language,
    say: texting(textsFor(language)),
    formats: formatsOf(language, zone),
  };
}

/** A balance that knows nothing, with these parts. */
export function balanceWith(parts: Partial<BalancePayload>): BalancePayload {
  return {
    schema: 'cemm/1',
    kind: 'balance',
    id: '',
    ts: 0,
    time: '1970-01-01T00:00:00.000Z',
    monitor: { id: null },
    // The monitor has not been away.
    source: { transport: 'demo', fetchedAt: Date.parse('2100-01-01'), latencyMs: 0, requests: 0, promises: 0 },
    timezone: zone,
    meters: { grid: [], production: [], gas: [], water: [] },
    values: {},
    method: {},
    coverage: {},
    peak: null,
    counters: {},
    estimated: [],
    missing: {},
    complete: true,
    ...parts,
  };
}
