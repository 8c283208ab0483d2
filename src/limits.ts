/**
 * What a text from a user may be, for dialog and runtime alike: the dialog says what is wrong where it is typed, the
 * runtime checks again what a message brings. Imports nothing, because the dialogs run in a browser.
 */

/**
 * The short name of a meter, which becomes part of an address: letters, digits, hyphens and underscores. Devices know more
 * aliases than any specification lists.
 */
export function isAlias(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/i.test(text);
}

/** Parts of a fleet, counted from 1/N to N/N. */
export const mostParts = 1000;

/** The numbers of `part/parts`, such as `2/4`; null where the text has another form. */
export function splitShard(text: string): { readonly part: number; readonly parts: number } | null {
  const [, part, parts] = /^\s*(\d{1,6})\s*\/\s*(\d{1,6})\s*$/.exec(text) ?? [];
  return part === undefined || parts === undefined ? null : { part: Number(part), parts: Number(parts) };
}

export function isShard({ part, parts }: { readonly part: number; readonly parts: number }): boolean {
  return part >= 1 && part <= parts && parts <= mostParts;
}

/** Periods of a time series: more than the size limit of an answer lets through. */
export const mostEntries = 50_000;

/** Key of a meter or channel of a CEMM 3.0. Its user chose it, so little is known of it but what separates keys. */
export function isKey(text: string): boolean {
  return /^[^\s:,\p{C}]{1,64}$/u.test(text);
}

/** `<meter key>:<channel key>`, or the number of a channel. */
export function isChannelName(text: string): boolean {
  if (/^\d{1,15}$/.test(text)) return true;
  const parts = text.split(':');
  return parts.length === 2 && parts.every(isKey);
}

/** A word that is passed on as it is, such as a resolution. */
export function isWord(text: string): boolean {
  return /^[^\s\p{C}]{1,64}$/u.test(text);
}
