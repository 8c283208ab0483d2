/** Check of the list of views. */
import type { FieldCheck } from '../lib/editor/checks';
import { wordsIn } from './config';
import { views as known } from './page/views';

export const views: FieldCheck = (list) => {
  const wrong = wordsIn(list).find((word) => !known.some((view) => view === word));
  return wrong === undefined ? true : { key: 'check.views', values: { view: wrong, views: known.join(', ') } };
};
