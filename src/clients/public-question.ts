/** What may be asked of the public API's time series, checked before anything of it goes into a query. */
import { isChannelName, isWord, MOST_ENTRIES } from '../limits';
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

/** INPUT with the first thing that is wrong, or null. The types promise more than a flow keeps. */
export function timeseriesFailure({ channel, resolution, count, include }: TimeseriesQuestion): Failure | null {
  if (!isChannelName(channel)) return { code: 'INPUT', reason: 'channel' };
  if (!isWord(resolution)) return { code: 'INPUT', reason: 'resolution' };
  if (!Number.isInteger(count) || count < 1 || count > MOST_ENTRIES) {
    return { code: 'INPUT', reason: 'count', params: { most: MOST_ENTRIES } };
  }
  return include === '' || isWord(include) ? null : { code: 'INPUT', reason: 'include' };
}
