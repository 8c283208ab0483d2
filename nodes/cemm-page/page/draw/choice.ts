/** The choice of a viewer, and the balances that the page needs for it. */
import type { Question, View } from '../messages';
import { addTo, labelOf, localTime, type PeriodView } from './dates';

export const compares = ['none', 'before', 'week', 'year'] as const;
type Compare = (typeof compares)[number];

export interface Choice {
  readonly view: View;
  /** A day of the chosen period; null: the current one. */
  readonly date: string | null;
  readonly compare: Compare;
}

export const firstChoice: Choice = { view: 'now', date: null, compare: 'none' };

export interface Frame {
  readonly moment: number;
  /** Null: not known yet. */
  readonly timezone: string | null;
}

function isPeriod(view: View): view is PeriodView {
  return view === 'day' || view === 'month' || view === 'year';
}

/** A day of the chosen period. */
function dayOf({ date }: Choice, { moment, timezone }: Frame): string {
  return date ?? localTime(moment, timezone);
}

/** The day of the period before or after the chosen one; null if that has not begun. */
export function stepped(choice: Choice, count: number, frame: Frame): string | null {
  if (!isPeriod(choice.view)) return null;
  const day = addTo(dayOf(choice, frame), count, choice.view);
  const today = localTime(frame.moment, frame.timezone);
  return labelOf(day, choice.view) <= labelOf(today, choice.view) ? day : null;
}

/** The balances that the page shows, in the order of importance. */
export function questionsOf(choice: Choice, frame: Frame): Question[] {
  const { view } = choice;
  if (view === 'bill') return [{ balance: 'bill' }];
  if (isPeriod(view)) return [{ balance: view, date: labelOf(dayOf(choice, frame), view) }];
  return [{ balance: 'now' }, { balance: 'day', date: localTime(frame.moment, frame.timezone) }];
}
