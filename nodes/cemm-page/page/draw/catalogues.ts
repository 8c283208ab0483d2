/** The texts of the page by language, from the catalogues of its node. The build writes each key once (scripts/build/page.ts). */
import { page as de, view as deViews } from '../../locales/de.json';
import { page as en, view as enViews } from '../../locales/en-US.json';
import { page as fr, view as frViews } from '../../locales/fr.json';
import { page as nl, view as nlViews } from '../../locales/nl.json';
import type { View } from '../views';

export const languages = ['en', 'nl', 'de', 'fr'] as const;

export type Language = (typeof languages)[number];

export type TextKey = keyof typeof en | View;

/** A text that a language lacks is an error of the compiler. */
const catalogues: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = {
  en: { ...en, ...enViews },
  nl: { ...nl, ...nlViews },
  de: { ...de, ...deViews },
  fr: { ...fr, ...frViews },
};

export function textIn(language: Language, key: TextKey): string {
  return catalogues[language][key];
}
