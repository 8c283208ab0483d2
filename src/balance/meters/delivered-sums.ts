/**
 * The sums of a monitor itself: of a day, a month and a year (https://wiki.cemm.nl/tools/webhooks). The names of the topics suggest that
 * its day is the one of the clock.
 */
import { type Period, periodContaining, previousPeriod } from '../../calendar/periods';
import type { SeriesUnit } from '../../protocol/responses';
import { millis, minuteMs } from '../../time/units';
import type { WebhookReading } from '../../model/payload';
import { hasNoValue, type DeliveredValues } from './delivered-values';
import { isCountedField } from './field-readings';

export interface DeliveredSum {
  readonly unit: SeriesUnit;
  /** Start of the period. */
  readonly start: number;
  /** When the monitor began to count, as far as its sums show it: the start of the period or later; null if it began at an unknown time of it. */
  readonly since: number | null;
  readonly end: number;
  readonly value: number;
}

const units: readonly SeriesUnit[] = ['day', 'month', 'year'];

/** kWh or m³; values have three decimals or more. */
const tolerance = 0.0011;

/**
 * The sums of one field, by the values and readings of a meter in a delivery. None of the current ones if a shorter period has more
 * than a longer one. A monitor has no value of last year (`null`) in the year in which it was installed, and no value of last month in
 * that month. It was installed in last month if its year has no more than this and last month; in January, if last year has no more
 * than last month.
 */
export function deliveredSums(
  topics: ReadonlyMap<string, DeliveredValues>,
  readings: readonly WebhookReading[],
  field: string,
  timezone: string,
): DeliveredSum[] {
  const running = units.flatMap((unit) => findDeliveredSum(unit, 'this', topics, field, timezone) ?? []);
  const past = units.flatMap((unit) => findDeliveredSum(unit, 'last', topics, field, timezone) ?? []);
  const pairs = running.flatMap((short) => running.flatMap((long) => (isWithin(short, long) ? [{ short, long }] : [])));
  if (pairs.some(({ short, long }) => short.value > long.value + tolerance)) return past;
  const sinceOf = (sum: DeliveredSum): number | null => {
    const all = pairs.filter(({ short, long }) => {
      const isAll = long === sum && short.end === long.end && short.value >= long.value - tolerance;
      return isAll && !hasCountedBefore(topics, short, long);
    });
    const shortest = all.reduce<DeliveredSum | null>(
      (one, { short }) => (one !== null && one.start >= short.start ? one : short),
      null,
    );
    if (shortest !== null) return sinceOf(shortest);
    return sum.unit !== 'day' && hasNoValue(readings, `last/${sum.unit}`, field) ? null : sum.start;
  };
  const isNew = hasNoValue(readings, 'last/year', field);
  const isOfInstallation = (sum: DeliveredSum): boolean => {
    const [month, year] = [past.find(({ unit }) => unit === 'month'), past.find(({ unit }) => unit === 'year')];
    if (month === undefined || sum.unit === 'day') return false;
    if (year !== undefined) return isWithin(month, year) && hasNoMore(topics, 'last/year', ['last/month']);
    const thisYear = running.find(({ unit }) => unit === 'year');
    const isOfThisYear = thisYear !== undefined && month.start >= thisYear.start;
    return isNew && isOfThisYear && hasNoMore(topics, 'this/year', ['this/month', 'last/month']);
  };
  return [
    ...running.map((sum) => ({ ...sum, since: sinceOf(sum) })),
    ...past.map((sum) => (isOfInstallation(sum) ? { ...sum, since: null } : sum)),
  ];
}

/** True if the parts of a period have all that each field of the meter has in it. */
function hasNoMore(topics: ReadonlyMap<string, DeliveredValues>, whole: string, parts: readonly string[]): boolean {
  const fields = [...(topics.get(whole) ?? [])].filter(([field]) => isCountedField(field));
  const inParts = (field: string): number =>
    parts.reduce((sum, part) => sum + (topics.get(part)?.get(field)?.value ?? -Infinity), 0);
  return fields.length > 0 && fields.every(([field, { value }]) => value <= inParts(field) + 2 * tolerance);
}

/** True if a field of the meter has more in the longer period: the meter was there before the shorter one, and other fields had nothing to count. */
function hasCountedBefore(
  topics: ReadonlyMap<string, DeliveredValues>,
  { unit: shortUnit }: DeliveredSum,
  { unit: longUnit }: DeliveredSum,
): boolean {
  const ofShort = topics.get(`this/${shortUnit}`);
  return [...(topics.get(`this/${longUnit}`) ?? [])].some(
    ([field, { value }]) => isCountedField(field) && value > (ofShort?.get(field)?.value ?? Infinity) + tolerance,
  );
}

/** True if the longer period holds the shorter one, and was added up at the same time or later. */
function isWithin(short: DeliveredSum, long: DeliveredSum): boolean {
  const isShorter = units.indexOf(short.unit) < units.indexOf(long.unit);
  return isShorter && short.start >= long.start && long.end >= short.end;
}

/** The period is that of the value's own time: a monitor may send a value of before midnight after it. */
function findDeliveredSum(
  unit: SeriesUnit,
  span: 'this' | 'last',
  topics: ReadonlyMap<string, DeliveredValues>,
  field: string,
  timezone: string,
): DeliveredSum | null {
  const found = topics.get(`${span}/${unit}`)?.get(field);
  if (found === undefined) return null;
  const { value, ts, window } = found;
  const at = ts ?? (span === 'this' ? window?.end : window === undefined ? undefined : window.end + 1);
  if (at === undefined || value < 0) return null;
  const running = periodContaining(unit, timezone, millis(at));
  // The first minute of a day may still show the day before.
  if (span === 'this' && at - running.start < minuteMs) return null;
  const { start, end }: Pick<Period, 'start' | 'end'> =
    span === 'last' ? previousPeriod(running) : { ...running, end: millis(Math.round(at / minuteMs) * minuteMs) };
  return { unit, start, since: start, end, value };
}
