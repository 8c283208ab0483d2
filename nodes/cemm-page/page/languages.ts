/** The languages of the page. Node and browser import this file; the texts themselves are in the node, which sends those that a viewer needs. */
import type { BalanceMissing } from '../../../src/model/payload';
import type { page } from '../locales/en-US.json';
import type { View } from './views';

export const languages = ['en', 'nl', 'de', 'fr'] as const;

export type Language = (typeof languages)[number];

export type TextKey = keyof typeof page | View;

/** The texts of one language. */
export type Texts = Readonly<Partial<Record<TextKey | BalanceMissing, string>>>;

/** The language of a tag such as `nl-BE`; undefined: the page has no texts in it. */
export function knownLanguage(tag: string): Language | undefined {
  return languages.find((language) => tag.toLowerCase().startsWith(language));
}

/** English for other languages. */
export function languageOf(tag: string): Language {
  return knownLanguage(tag) ?? 'en';
}
