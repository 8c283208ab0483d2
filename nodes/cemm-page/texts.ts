/** The texts of the page in each language, from the catalogues of this node. */
import { page as de, view as deViews } from './locales/de.json';
import { page as en, view as enViews } from './locales/en-US.json';
import { page as fr, view as frViews } from './locales/fr.json';
import { page as nl, view as nlViews } from './locales/nl.json';
import type { Language, TextKey } from './page/languages';

/** A text that a language lacks is an error of the compiler. */
export const textsOfPage: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = {
  en: { ...en, ...enViews },
  nl: { ...nl, ...nlViews },
  de: { ...de, ...deViews },
  fr: { ...fr, ...frViews },
};
