/** The texts of the page in the language of its viewer. `{0}` and `{1}` are replaced by values. */
import type { TextKey, Texts } from '../languages';

export type { TextKey } from '../languages';

/** A text in one language. */
export type Say = (key: TextKey, ...values: readonly (string | number)[]) => string;

export function texting(texts: Texts): Say {
  return (key, ...values) =>
    (texts[key] ?? key).replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
