/** Numbers, amounts of money and times as texts in the language of the page. A missing value is a dash. */
import { largest } from '../../../../src/checks/extremes';
import { dateFormat, numberFormat } from './formatters';

const dash = '–';

type Value = number | null | undefined;

export interface Formats {
  number(value: Value, digits: number): string;
  /** With the unit behind it. */
  amount(value: Value, unit: string, digits: number): string;
  /** @param digits after the point: none for a bill, 3 for the price of a kWh; otherwise cents */
  money(value: Value, currency: string, digits?: number): string;
  /** Litres below 1 m³. */
  volume(value: Value): string;
  /** Rounded down, so that 100 % means all. */
  percent(share: Value): string;
  date(ts: number, options: Intl.DateTimeFormatOptions): string;
  clock(ts: number): string;
  /** Time of the clock, in ms since 00:00. */
  timeOfDay(ts: number): number;
}

/** @param timezone null: that of the browser */
export function formatsOf(tag: string, timezone: string | null): Formats {
  const timeZone = timezone ?? undefined;
  const format = (value: Value, digits: number, options: Intl.NumberFormatOptions): string =>
    isNumber(value) ? numberFormat(tag, options).format(roundTo(value, digits)).replace('-', '−') : dash;
  const number = (value: Value, digits: number): string =>
    format(value, digits, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const amount = (value: Value, unit: string, digits: number): string =>
    isNumber(value) ? `${number(value, digits)}\u00a0${unit}` : dash;
  const date = (ts: number, options: Intl.DateTimeFormatOptions): string =>
    dateFormat(tag, { timeZone, ...options }).format(ts);
  // Several charts have the times of a day.
  const clocks: Record<number, string> = {};
  const clock = (ts: number): string =>
    (clocks[ts] ??= date(ts, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }));
  return {
    number,
    amount,
    // A currency may also be written as its sign.
    money: (value, currency, digits) =>
      /^[a-z]{3}$/i.test(currency)
        ? format(value, digits ?? 2, {
            style: 'currency',
            currency,
            minimumFractionDigits: digits,
            maximumFractionDigits: digits,
          })
        : amount(value, currency, digits ?? 2),
    volume: (value) => (isNumber(value) && Math.abs(value) < 1 ? amount(value * 1000, 'L', 0) : amount(value, 'm³', 2)),
    percent: (share) => format(isNumber(share) ? Math.floor(share * 100 + 1e-6) / 100 : null, 2, { style: 'percent' }),
    date,
    clock,
    timeOfDay: (ts) => {
      const [hours, minutes] = clock(ts).split(':').map(Number);
      return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
    },
  };
}

export function hasDecimalComma(tag: string): boolean {
  return numberFormat(tag, {}).format(1.5).includes(',');
}

/** The number and the unit of an amount. */
export function amountIn(text: string): { text: string; number: string; unit: string } {
  const at = text.search(/\u00a0\p{L}+[³]?$/u);
  return at < 0 ? { text, number: text, unit: '' } : { text, number: text.slice(0, at), unit: text.slice(at + 1) };
}

export function isNumber(value: Value): value is number {
  return typeof value === 'number';
}

/** Never minus zero. */
export function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0;
}

/** A place in a picture. */
export function toPercent(share: number): number {
  return roundTo(100 * share, 2);
}

/** Two decimals for small amounts, none for large ones: all amounts of a card have the same. */
export function digitsFor(values: readonly Value[]): number {
  const most = Math.max(0, largest(values.map((value) => Math.abs(value ?? 0))));
  return most < 10 ? 2 : most < 1000 ? 1 : 0;
}

/**
 * The parts of a total, rounded so that they add up to the rounded total: those that lose most are rounded up. Parts that do not add
 * up, or are not known, are rounded one by one.
 */
export function addingUp<V extends number | null>(
  total: Value,
  parts: readonly V[],
  digits: number,
): (number | null)[] {
  const unit = 10 ** digits;
  const known = parts.flatMap((part) => (part === null ? [] : { part: part * unit, low: Math.floor(part * unit) }));
  const sum = known.reduce((all, { part }) => all + part, 0);
  if (!isNumber(total) || known.length < parts.length || Math.abs(sum - total * unit) > 0.5)
    return parts.map((part) => (part === null ? null : roundTo(part, digits)));
  const left = known.reduce((all, { low }) => all - low, roundTo(roundTo(total, digits) * unit, 0));
  const up = [...known].sort((a, b) => b.part - b.low - a.part + a.low).slice(0, Math.max(0, left));
  return known.map((one) => (one.low + Number(up.includes(one))) / unit);
}
