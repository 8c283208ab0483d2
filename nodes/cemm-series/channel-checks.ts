/** What may stand in the fields of a time series. */
import { isChannelName, isKey, isWord, MOST_ENTRIES } from '../../src/limits';
import { all, optional, required, type Check } from '../lib/editor/checks';

const key: Check = (text) => (isKey(text.trim()) ? true : { key: 'check.key' });
const channel: Check = (text) => (isKey(text.trim()) || isChannelName(text.trim()) ? true : { key: 'check.key' });
const word: Check = (text) => (isWord(text.trim()) ? true : { key: 'check.word' });
const count: Check = (text) => {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= MOST_ENTRIES ? true : { key: 'check.count', values: { most: MOST_ENTRIES } };
};

export const channelChecks = {
  meter: optional(key),
  channel: all(required('check.channelMissing'), channel),
  resolution: word,
  count,
  include: optional(word),
} as const;
