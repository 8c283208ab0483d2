/** The part of a choice that a browser keeps: view, day and comparison. */
import type { Choice } from './draw/choice';
import { compares, views } from './views';

export function storedChoice({ view, date, compare }: Choice): string {
  return JSON.stringify({ view, date, compare });
}

/** An older or a newer page may have stored something else. */
export function readChoice(text: string | null): Partial<Choice> {
  const stored = parsed(text);
  const [view, compare] = [
    views.find((one) => one === stored['view']),
    compares.find((one) => one === stored['compare']),
  ];
  const { date } = stored;
  return {
    ...(view !== undefined && { view }),
    ...(compare !== undefined && { compare }),
    ...(typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) && { date }),
  };
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  } catch {
    return {};
  }
}
