/** The line about the past that is read. Uses no browser API, for unit tests. */

type Text = (key: string, values?: Record<string, string>) => string;

/** @param month such as `2025-03` */
export function readBackText(state: string | null, month: string | null, text: Text): string {
  if (month === null) {
    const key = { waiting: 'waiting', reading: 'begun', done: 'nothing' }[state ?? ''];
    return key === undefined ? '' : text(`readBack.${key}`);
  }
  const middle = new Date(`${month}-15T00:00:00Z`);
  const name = middle.toLocaleDateString(text('language.code'), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return text(state === 'done' ? 'readBack.done' : 'readBack.reading', { month: name });
}
