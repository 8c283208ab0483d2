/** The part of a choice that a browser keeps: view, day and comparison; and that of the address: view and day. */
import { isRecord, parseJsonText } from '../../../src/checks/record';
import type { Choice } from './draw/choice';
import { compares, views } from './views';

export function storedChoice({ view, date, compare }: Choice): string {
  return JSON.stringify({ view, date, compare });
}

/** An older or a newer page may have stored something else. */
export function readChoice(text: string | null): Partial<Choice> {
  const read = parseJsonText(text ?? '');
  const stored = isRecord(read) ? read : {};
  const [view, compare] = [
    views.find((one) => one === stored['view']),
    compares.find((one) => one === stored['compare']),
  ];
  const { date } = stored;
  return {
    ...(view !== undefined && { view }),
    ...(compare !== undefined && { compare }),
    ...(typeof date === 'string' && isDay(date) && { date }),
  };
}

export function writeQuery({ view, date }: Choice): string {
  return `?view=${view}${date === null ? '' : `&date=${date}`}`;
}

/** An address without a view says nothing, one without a date means the current period. */
export function readAddress(query: string): Partial<Choice> {
  const asked = new URLSearchParams(query);
  const view = views.find((one) => one === asked.get('view'));
  const date = asked.get('date');
  return view === undefined ? {} : { view, date: date !== null && isDay(date) ? date : null };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
