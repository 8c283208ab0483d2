/** The stored properties of a page node. */
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';
import type { PageSettings } from './page/messages';
import { viewsIn } from './page/views';

/** Blank: the language of each browser. */
export const pageLanguages = ['', 'en-US', 'nl', 'de', 'fr'] as const;

export const pageFields = {
  name: nameField,
  /** The views that the page offers, separated by commas; blank: all. */
  views: { is: 'text', check: 'views', replacesVariables: true, blank: true, default: '' },
  language: { is: 'text', values: pageLanguages, default: '' },
  /** The view of a day shows meter readings. */
  readings: { is: 'boolean', default: true },
  /** Viewers may type the prices of the bill. */
  changePrices: { is: 'boolean', default: false },
  version: { is: 'number', default: 1 },
} as const;

export type PageConfig = ConfigOf<typeof pageFields>;
export const pageDefaults = defaultsOf(pageFields);

/** To the browsers, and questions to a balance node: no payloads of this package. */
export const pageOutputs = [[], []] as const;

export function wordsIn(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

export function settingsOf({ views: list, language, readings, changePrices }: PageConfig): PageSettings {
  return { views: viewsIn(wordsIn(list)), language, readings, changePrices };
}
