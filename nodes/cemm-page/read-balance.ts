/** Validates a balance that comes in by a wire: every property that the page draws. */
import { type Check, each, isNumber, isText, list, orAbsent, orNull, shape } from '../../src/model/checks';
import type { BalancePayload } from '../../src/model/payload';
import { readPayload } from '../../src/model/read-payload';
import { isRecord } from '../../src/record';
import { own } from '../lib/field-rules';

const isBoolean: Check = (value) => typeof value === 'boolean';
const amount = orNull(isNumber);

const isZone: Check = (value) => {
  if (typeof value !== 'string') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
};

const dayMs = 86_400_000;
/** The page makes a slot for each step, so a period has an end. */
const longestDays: Readonly<Record<string, number>> = { day: 2, month: 32, year: 367, range: 3_700 };

const isPeriod: Check = (value) => {
  if (!isRecord(value)) return false;
  const { unit, start, end } = value;
  if (typeof unit !== 'string' || typeof start !== 'number' || typeof end !== 'number') return false;
  return end > start && end - start <= (own(longestDays, unit) ?? 0) * dayMs;
};

const costParts = ['import', 'export', 'export_fee', 'gas', 'water', 'fixed', 'peak', 'total', 'netted'] as const;
const cost = shape({
  currency: (value) => typeof value === 'string' && /^[A-Za-z]{3}$/.test(value),
  coverage: isNumber,
  example: orAbsent(isBoolean),
  ...Object.fromEntries(costParts.map((part) => [part, orAbsent(amount)])),
});

const parts: Readonly<Record<string, Check>> = {
  timezone: orAbsent(isZone),
  complete: isBoolean,
  missing: each(isText),
  coverage: each(isNumber),
  method: each(isText),
  meters: orAbsent(each(list(isText))),
  source: shape({ transport: orAbsent(isText) }),
  cost: orAbsent(cost),
  period: orAbsent(isPeriod),
  bills: orAbsent(list(orNull(cost))),
  batteries: orAbsent(list(shape({ kwh: isNumber, saved: amount }))),
  moved: orAbsent(amount),
  share: orAbsent(amount),
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
