/** The texts of the page, from the catalogues of its node. `{0}` and `{1}` are replaced by values. */
import { page as de, view as deViews } from '../../locales/de.json';
import { page as en, view as enViews } from '../../locales/en-US.json';
import { page as fr, view as frViews } from '../../locales/fr.json';
import { page as nl, view as nlViews } from '../../locales/nl.json';
import type { View } from '../views';

const languages = ['en', 'nl', 'de', 'fr'] as const;

export type Language = (typeof languages)[number];

export type TextKey = keyof typeof en | View;

/** A text that a language lacks is an error of the compiler. */
const catalogues: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = {
  en: { ...en, ...enViews },
  nl: { ...nl, ...nlViews },
  de: { ...de, ...deViews },
  fr: { ...fr, ...frViews },
};

/** A text in one language. */
export type Say = (key: TextKey, ...values: readonly (string | number)[]) => string;

/** The language of a tag such as `nl-BE`; English for other languages. */
export function languageOf(tag: string): Language {
  return known(tag) ?? 'en';
}

export function isKnown(tag: string): boolean {
  return known(tag) !== undefined;
}

function known(tag: string): Language | undefined {
  return languages.find((language) => tag.toLowerCase().startsWith(language));
}

export function texting(language: Language): Say {
  const catalogue = catalogues[language];
  return (key, ...values) =>
    catalogue[key].replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
