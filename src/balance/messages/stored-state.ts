/** Validates a stored state, because others may have changed it. */
import { type Check, each, isNumber, isPair, isText, list, oneOf, orAbsent, shape } from '../../checks/shape';
import { isCountedField } from '../meters/field-readings';
import { isRecord } from '../../checks/record';
import { balanceRoles } from '../meters/choice';

import { deliveredKinds, type MessagesState } from './state';
import { readFirstVersion } from './state-0-2-0';

const fieldsWith =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.entries(value).every(([field, one]) => isCountedField(field) && check(one));
const isReadings = fieldsWith(isPair);
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
const isRole = oneOf(...balanceRoles);
const isMeter = shape({
  role: orAbsent(isRole),
  title: orAbsent(isText),
  offers: list(isText),
  offersExport: orAbsent((value) => typeof value === 'boolean'),
  latest: isReadings,
  quarters: each(isReadings),
  midnights: each(isReadings),
  breaks: orAbsent(each(isReadings)),
  fields: fieldsWith(isField),
  peaks: orAbsent(each(isPair)),
});
const isDelivered = each(shape({ last: isNumber, kinds: list(oneOf(...deliveredKinds)), role: orAbsent(isRole) }));
const isState = shape({
  version: (value) => value === 2,
  newest: isNumber,
  meters: each(isMeter),
  delivered: orAbsent(isDelivered),
});

/** Null for an invalid state: the next message then begins a new one. */
export function readState(value: unknown): MessagesState | null {
  const current = readFirstVersion(value) ?? value;
  return hasState(current) ? current : null;
}

function hasState(value: unknown): value is MessagesState {
  return isState(value);
}
