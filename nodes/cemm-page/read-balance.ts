/** Validates a balance that comes in by a wire: every property that the page draws. */
import { type Check, each, isNumber, isText, list, orAbsent, orNull, shape } from '../../src/checks/shape';
import type { BalancePayload, BalancePeriodInfo } from '../../src/model/payload';
import { readPayload } from '../../src/model/read-payload';
import { isRecord } from '../../src/checks/record';
import { isCurrency } from '../../src/balance/prices/prices-input';
import { isTimezone } from '../../src/calendar/zone';
import { own } from '../lib/stored/field-rules';

const isBoolean: Check = (value) => typeof value === 'boolean';
const isMonth: Check = (value) => typeof value === 'string' && /^\d{4}-\d{2}$/.test(value);
const amount = orNull(isNumber);

const dayMs = 86_400_000;
/** The page makes a slot for each step, so a period has an end. */
const longestDays: Readonly<Record<BalancePeriodInfo['unit'], number>> = {
  day: 2,
  week: 8,
  month: 32,
  year: 367,
  range: 3_700,
};

const isPeriod: Check = (value) => {
  if (!isRecord(value)) return false;
  const { unit, start, end } = value;
  if (typeof unit !== 'string' || typeof start !== 'number' || typeof end !== 'number') return false;
  return end > start && end - start <= (own(longestDays, unit) ?? 0) * dayMs;
};

const costParts = ['import', 'export', 'export_fee', 'gas', 'water', 'fixed', 'peak', 'total', 'netted'] as const;
const cost = shape({
  currency: isCurrency,
  coverage: isNumber,
  example: orAbsent(isBoolean),
  ...Object.fromEntries(costParts.map((part) => [part, orAbsent(amount)])),
});

const reasons = orAbsent(each(isText));
const device = shape({
  meter: isText,
  name: isText,
  within: orAbsent(isText),
  power_w: orAbsent(amount),
  energy_kwh: orAbsent(amount),
  coverage: isNumber,
  cost: orAbsent(amount),
  from_sun: orAbsent(amount),
  missing: reasons,
});
const batteries = list(shape({ kwh: isNumber, saved: amount }));
const contract = shape({
  name: isText,
  cost: orNull(cost),
  due: amount,
  moved: amount,
  batteries,
  per_month: list(shape({ label: isMonth, total: amount, due: amount })),
  missing: reasons,
});
const expected = shape({
  total: amount,
  due: amount,
  based_on: shape({ days_this_year: isNumber, days_last_year: isNumber }),
});

/** Hours of a leap year, and the one that a clock change repeats. */
const mostHours = 366 * 24 + 1;
const hoursOfYear: Check = (value) => Array.isArray(value) && value.length <= mostHours && list(amount)(value);

const parts: Readonly<Record<string, Check>> = {
  timezone: orAbsent(isTimezone),
  complete: isBoolean,
  missing: each(isText),
  coverage: each(isNumber),
  method: each(isText),
  meters: orAbsent(each(list(isText))),
  source: shape({ transport: orAbsent(isText) }),
  cost: orAbsent(cost),
  period: orAbsent(isPeriod),
  bills: orAbsent(list(orNull(cost))),
  batteries: orAbsent(batteries),
  devices: orAbsent(list(device)),
  phases: orAbsent(list(shape({ power_w: amount, voltage_v: orAbsent(isNumber), current_a: orAbsent(isNumber) }))),
  contracts: orAbsent(list(contract)),
  best: orAbsent(orNull(isText)),
  expected: orAbsent(orNull(expected)),
  hours: orAbsent(each(hoursOfYear)),
  moved: orAbsent(amount),
  share: orAbsent(amount),
  since: orAbsent(isNumber),
  stale: orAbsent(shape({ since: isNumber })),
  question: orAbsent((value) => typeof value === 'string' || typeof value === 'number'),
};

/** Null if it is something else, also a payload of another version. */
export function readBalance(payload: unknown): BalancePayload | null {
  if (!isRecord(payload) || payload['kind'] !== 'balance') return null;
  if (!shape(parts)(payload)) return null;
  try {
    const read = readPayload(payload);
    return read.kind === 'balance' ? read : null;
  } catch {
    return null;
  }
}
