/** What may be asked of the public API's time series, checked before anything of it goes into a query. */
import type { Failure } from './failure';

export interface TimeseriesQuestion {
  /** `<meter key>:<channel key>`, or the number of a channel. */
  readonly channel: string;
  /** `day` is the one that was seen; another is passed on as it is. */
  readonly resolution: string;
  /** How many of the most recent periods. */
  readonly count: number;
  /** `cemm` is the one that was seen; another is passed on as it is. Blank: nothing is said. */
  readonly include: string;
}

/** Beyond the answers that the size limit lets through. */
export const MOST_ENTRIES = 50_000;

const number = /^\d{1,15}$/;
/** Keys come from the user of the monitor, so little is known of them; what separates them cannot be part of them. */
const key = /^[^\s:,\p{C}]{1,64}$/u;
const word = /^[^\s\p{C}]{1,64}$/u;

export function isChannelName(text: string): boolean {
  if (number.test(text)) return true;
  const parts = text.split(':');
  return parts.length === 2 && parts.every((part) => key.test(part));
}

/** INPUT with the first thing that is wrong, or null. The types promise more than a flow keeps. */
export function timeseriesFailure({ channel, resolution, count, include }: TimeseriesQuestion): Failure | null {
  if (!isChannelName(channel)) return { code: 'INPUT', reason: 'channel' };
  if (!word.test(resolution)) return { code: 'INPUT', reason: 'resolution' };
  if (!Number.isInteger(count) || count < 1 || count > MOST_ENTRIES) {
    return { code: 'INPUT', reason: 'count', params: { most: MOST_ENTRIES } };
  }
  return include === '' || word.test(include) ? null : { code: 'INPUT', reason: 'include' };
}
