/** The two own types of a date: a word for the period that is running and one for the period before it. */
import { periodWords, type PeriodWord } from '../date-config';
import { endsBeforeStart } from './date-checks';
import type { TypedInputType } from './red';

export { periodWords };

export function periodTypes(labels: Readonly<Record<PeriodWord, string>>): TypedInputType[] {
  return periodWords.map((word) => ({ value: word, label: labels[word], hasValue: false }));
}

/** How a day, a month or a year is written. */
export const exampleDates = { day: '2026-10-25', month: '2026-10', year: '2026' } as const;

export interface TypedText {
  readonly type: string;
  readonly text: string;
}

/** Whether a range cannot be right, as far as that can be told before the flow runs. */
export function endIsBeforeStart(from: TypedText, to: TypedText): boolean {
  if (from.type === 'current' && to.type === 'previous') return true;
  return from.type === 'str' && to.type === 'str' && endsBeforeStart(from.text, to.text);
}
