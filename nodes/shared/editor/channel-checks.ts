/** What may stand in the fields of a time series. */
import { isChannelName, isKey, isWord, MOST_ENTRIES } from '../../../src/limits';
import * as checks from './checks';

const key: checks.Check = (text) => (isKey(text.trim()) ? true : { key: 'check.key' });
const channel: checks.Check = (text) =>
  isKey(text.trim()) || isChannelName(text.trim()) ? true : { key: 'check.key' };
const word: checks.Check = (text) => (isWord(text.trim()) ? true : { key: 'check.word' });
const count: checks.Check = (text) => {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= MOST_ENTRIES ? true : { key: 'check.count', values: { most: MOST_ENTRIES } };
};

export const channelChecks = {
  meter: checks.optional(key),
  channel: checks.all(checks.required('check.channelMissing'), channel),
  resolution: word,
  count,
  include: checks.optional(word),
} as const;
