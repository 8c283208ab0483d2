/** A number in a text field: the editor would store what was typed as a string. */
import { textFrom } from './open-form';
import { type PeriodWord, periodWords } from '../shared-config';
import { endsBeforeStart } from './checks';
import type { TypedInputType } from './red';

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

// The two own types of a date: a word for the period that is running and one for the period before it.

export { periodWords };

export function periodTypes(labels: Readonly<Record<PeriodWord, string>>): TypedInputType[] {
  return periodWords.map((word) => ({ value: word, label: labels[word], hasValue: false }));
}

/** How a day, a month or a year is written. */
export const exampleDates = { day: '2026-10-25', month: '2026-10', year: '2026' } as const;

interface TypedText {
  readonly type: string;
  readonly text: string;
}

/** Whether a range cannot be right, as far as that can be told before the flow runs. */
export function endIsBeforeStart(from: TypedText, to: TypedText): boolean {
  if (from.type === 'current' && to.type === 'previous') return true;
  return from.type === 'str' && to.type === 'str' && endsBeforeStart(from.text, to.text);
}

const enough = 30;

/** The zones whose name holds the text, with `_` and blank the same: `new york` finds `America/New_York`. */
export function matchingZones(zones: readonly string[], text: string): string[] {
  const wanted = text.trim().toLowerCase().replace(/ /g, '_');
  return zones.filter((zone) => zone.toLowerCase().includes(wanted)).slice(0, enough);
}
