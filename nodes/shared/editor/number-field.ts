/** A number in a text field: the editor would store what was typed as a string. */
import { textFrom } from './open-form';

/** The number, or the text as it is where it is none (`${ENV}`), so that nothing that was typed is lost. */
export function numberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/**
 * To be called by `oneditsave`: stores the field's number as a number. A field that was not touched stays stored as it
 * is, also where an older flow holds the number as text.
 */
export function saveNumber(node: object, property: string, selector: string): void {
  const text = textFrom($(selector).val());
  if (text !== textFrom(Reflect.get(node, property))) Reflect.set(node, property, numberOrText(text));
}
