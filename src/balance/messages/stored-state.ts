/** Validates a state from a context store, because others may have changed it. */
import { type Check, each, isNumber, isPair, oneOf, orAbsent, shape } from '../../model/checks';
import { isRecord } from '../../record';
import { balanceRoles } from '../meters/choice';
import { counters } from '../meters/readings';
import { deliveredKinds } from './delivered-role';
import type { MessagesState } from './state';

const isReadings: Check = (value) =>
  isRecord(value) &&
  Object.entries(value).every(([name, pair]) => counters.some((one) => one === name) && isPair(pair));
const isCounted = shape({
  seen: (value) => typeof value === 'string' && /^[0-9a-f]{1,30}$/.test(value),
  sum: isNumber,
});
const isSum: Check = (value) => Array.isArray(value) && value.length === 3 && value.every(isNumber);
const isField = shape({
  quarters: each(isPair),
  hours: each(isPair),
  days: each(isPair),
  months: orAbsent(each(isSum)),
  years: orAbsent(each(isSum)),
  oldQuarters: each(isCounted),
  oldHours: each(isCounted),
});
const isMeter = shape({
  role: oneOf(...balanceRoles),
  title: orAbsent((value) => typeof value === 'string'),
  offersExport: orAbsent((value) => typeof value === 'boolean'),
  latest: isReadings,
  quarters: each(isReadings),
  midnights: each(isReadings),
  breaks: orAbsent(each(isReadings)),
  fields: each(isField),
});
const isKinds: Check = (value) =>
  Array.isArray(value) && value.every((kind: unknown) => oneOf(...deliveredKinds)(kind));
const isState = shape({
  version: (value) => value === 1,
  newest: isNumber,
  meters: each(isMeter),
  peaks: orAbsent(each(isPair)),
  delivered: orAbsent(each(shape({ last: isNumber, kinds: isKinds, role: orAbsent(oneOf(...balanceRoles)) }))),
});

/** Null for an invalid state: the next message then begins a new one. */
export function readState(value: unknown): MessagesState | null {
  return hasState(value) ? value : null;
}

function hasState(value: unknown): value is MessagesState {
  return isState(value);
}
