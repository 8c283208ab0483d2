/** What may stand in the fields of a time series; the client enforces the same. */
import * as checks from './checks';
import { mostPeriods } from '../../cemm-series/config';

/** Keys come from the monitor, so little is known of them; what separates them cannot be part of them. */
const key: checks.Check = (text) => (/^[^\s:,]{1,64}$/.test(text.trim()) ? true : { key: 'check.key' });
const channel: checks.Check = (text) =>
  /^[^\s:,]{1,64}(?::[^\s:,]{1,64})?$/.test(text.trim()) ? true : { key: 'check.key' };
const word: checks.Check = (text) => (/^\S{1,64}$/.test(text.trim()) ? true : { key: 'check.word' });
const count: checks.Check = (text) => {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= mostPeriods ? true : { key: 'check.count', values: { most: mostPeriods } };
};

export const channelChecks = {
  meter: checks.optional(key),
  channel: checks.all(checks.required('check.channelMissing'), channel),
  resolution: word,
  count,
  include: checks.optional(word),
} as const;
