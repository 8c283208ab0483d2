/** Checks of the fields of a time series. */
import { isChannelName, isEntryCount, isKey, isWord, mostEntries } from '../../src/checks/limits';
import type { FieldCheck } from '../lib/editor/checks';

const key: FieldCheck = (text) => (isKey(text.trim()) ? true : { key: 'check.key' });
const channel: FieldCheck = (text) => (isKey(text.trim()) || isChannelName(text.trim()) ? true : { key: 'check.key' });
const word: FieldCheck = (text) => (isWord(text.trim()) ? true : { key: 'check.word' });
const count: FieldCheck = (text) => {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return isEntryCount(number) ? true : { key: 'check.count', values: { most: mostEntries } };
};

export const channelChecks = { key, channel, word, count } as const;
