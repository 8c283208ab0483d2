/** Prices by the clock: each zone has a price at some hours of some days of some months; the first one that matches counts. */
import { fromLocalTime, type LocalTime, toLocalTime } from '../../calendar/zone';
import { dayMs, millis, minuteMs } from '../../time/units';
import { mostZones } from './prices-input';
import { isAbsent, isRecord } from '../../checks/record';
import { type Money, parseMoney, onlyNames, wrongPrice } from './price-values';
import { type MinuteRange, minutesOfDay, parseDays, parseHours, parseMonths } from './zone-words';

interface PriceZone {
  /** Null: all. */
  readonly months: ReadonlySet<number> | null;
  readonly days: ReadonlySet<number> | null;
  readonly hours: readonly MinuteRange[] | null;
  readonly value: Money;
}

export interface ZonedPrice {
  readonly kind: 'zones';
  readonly timezone: string;
  readonly zones: readonly PriceZone[];
  /** The price where no zone matches; null: none. */
  readonly otherwise: Money | null;
}

/** @throws {CemmError} INPUT `prices` */
export function parseZones(input: Readonly<Record<string, unknown>>, path: string, timezone: string): ZonedPrice {
  onlyNames(input, ['value', 'zones'], `${path}.`);
  const { value, zones } = input;
  if (!Array.isArray(zones) || zones.length === 0 || zones.length > mostZones) throw wrongPrice(`${path}.zones`);
  return {
    kind: 'zones',
    timezone,
    zones: zones.map((zone, index) => parseZone(zone, `${path}.zones[${index}]`)),
    otherwise: isAbsent(value) ? null : parseMoney(value, `${path}.value`),
  };
}

function parseZone(input: unknown, path: string): PriceZone {
  if (!isRecord(input)) throw wrongPrice(path);
  onlyNames(input, ['months', 'days', 'hours', 'value'], `${path}.`);
  const read = <Words>(name: 'months' | 'days' | 'hours', parse: (words: unknown) => Words | null): Words | null => {
    if (isAbsent(input[name])) return null;
    const words = parse(input[name]);
    if (words === null) throw wrongPrice(`${path}.${name}`);
    return words;
  };
  return {
    months: read('months', parseMonths),
    days: read('days', parseDays),
    hours: read('hours', parseHours),
    value: parseMoney(input['value'], `${path}.value`),
  };
}

/**
 * The price of each moment; null if there is none.
 * @param moments ascending
 */
export function zonedPricesOf(price: ZonedPrice, moments: readonly number[]): (Money | null)[] {
  const [first, last] = [moments[0], moments.at(-1)];
  if (first === undefined || last === undefined) return [];
  const borders = zoneBorders(price, first, last + 1);
  let [next, value] = [0, zonedPriceAt(price, first)];
  return moments.map((moment) => {
    for (; (borders[next] ?? Infinity) <= moment; next += 1) value = zonedPriceAt(price, borders[next] ?? moment);
    return value;
  });
}

function zonedPriceAt(price: ZonedPrice, at: number): Money | null {
  const local = new Date(toLocalTime(price.timezone, millis(at)));
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const zone = price.zones.find(
    ({ months, days, hours }) =>
      (months?.has(local.getUTCMonth()) ?? true) &&
      (days?.has(local.getUTCDay()) ?? true) &&
      (hours?.some((range) => isWithin(range, minute)) ?? true),
  );
  return zone === undefined ? price.otherwise : zone.value;
}

function isWithin({ from, to }: MinuteRange, minute: number): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The moments between `from` and `to` (both exclusive) at which the price changes. */
export function zoneBorders(price: ZonedPrice, from: number, to: number): number[] {
  const edges = [
    ...new Set([
      0,
      ...price.zones.flatMap(({ hours }) => (hours ?? []).flatMap(({ from: first, to: last }) => [first, last])),
    ]),
  ]
    .filter((minute) => minute < minutesOfDay)
    .sort((a, b) => a - b);
  const borders: number[] = [];
  const firstDay = Math.floor(toLocalTime(price.timezone, millis(from)) / dayMs) * dayMs;
  const end = toLocalTime(price.timezone, millis(to));
  for (let day = firstDay; day <= end; day += dayMs) {
    for (const moment of momentsOfDay(price.timezone, day, edges)) {
      const isInside = moment > from && moment < to;
      if (isInside && zonedPriceAt(price, moment) !== zonedPriceAt(price, moment - minuteMs)) borders.push(moment);
    }
  }
  return borders;
}

/** The moments at which the clock shows one of the minutes, and those at which it is set. */
function momentsOfDay(timezone: string, day: number, minutes: readonly number[]): readonly number[] {
  const momentOf = (local: number): number => fromLocalTime(timezone, local as LocalTime);
  const start = momentOf(day);
  if (momentOf(day + dayMs) - start === dayMs) return minutes.map((minute) => start + minute * minuteMs);
  const [first, last] = [start, momentOf(day + dayMs)];
  return Array.from({ length: (last - first) / minuteMs }, (_, minute) => first + minute * minuteMs);
}
