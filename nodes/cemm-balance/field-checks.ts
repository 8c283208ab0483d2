/** Check of the lists of meters of a balance. */
import { isAlias, isKey } from '../../src/limits';
import type { FieldCheck } from '../lib/editor/checks';
import { namesIn } from './config';

export const meters: FieldCheck = (list) => {
  const wrong = namesIn(list).find((name) => !isAlias(name) && !isKey(name));
  return wrong === undefined ? true : { key: 'check.meters', values: { meter: wrong } };
};
