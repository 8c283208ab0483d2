/** A state as it comes back out of a context store, where anything may have happened to it. */
import type { MessagesState } from './messages';
import { counters } from './readings';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isPair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber);
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const each =
  (check: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(check);
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isFields(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const isReadings: Check = (value) =>
  isFields(value) &&
  Object.entries(value).every(([name, pair]) => counters.some((one) => one === name) && isPair(pair));
const isCounted = shape({
  seen: (value) => typeof value === 'string' && /^[0-9a-f]{1,30}$/.test(value),
  sum: isNumber,
});
const isField = shape({
  quarters: each(isPair),
  hours: each(isPair),
  days: each(isPair),
  oldQuarters: each(isCounted),
  oldHours: each(isCounted),
});
const isMeter = shape({
  role: (value) => ['grid', 'production', 'gas', 'water'].some((role) => role === value),
  offersExport: (value) => value === undefined || typeof value === 'boolean',
  latest: isReadings,
  quarters: each(isReadings),
  midnights: each(isReadings),
  breaks: (value) => value === undefined || each(isReadings)(value),
  fields: each(isField),
});
const isState = shape({
  version: (value) => value === 1,
  newest: isNumber,
  meters: each(isMeter),
  peaks: (value) => value === undefined || each(isPair)(value),
});

/** Null where it is no state: then the next message begins a new one. */
export function readState(value: unknown): MessagesState | null {
  return hasState(value) ? value : null;
}

function hasState(value: unknown): value is MessagesState {
  return isState(value);
}
