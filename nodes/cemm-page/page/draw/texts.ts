/** The texts of the page in the language of its viewer. `{0}` and `{1}` are replaced by values. */
import type { BalanceMissing } from '../../../../src/model/payload';
import type { TextKey, Texts } from '../languages';

export type { TextKey } from '../languages';

/** A text in one language; for a reason without a text, that it is not known. */
export type Say = (key: TextKey | BalanceMissing, ...values: readonly (string | number)[]) => string;

export function texting(texts: Texts): Say {
  return (key, ...values) =>
    (texts[key] ?? texts.unknown ?? key).replace(/\{(\d)\}/g, (_, index: string) =>
      String(values[Number(index)] ?? ''),
    );
}
