/** The texts of the page, from the catalogues of its node. `{0}` and `{1}` are replaced by values. */
import { type Language, languages, textIn, type TextKey } from './catalogues';

export type { Language, TextKey } from './catalogues';

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
  return (key, ...values) =>
    textIn(language, key).replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
