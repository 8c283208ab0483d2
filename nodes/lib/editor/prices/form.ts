/** Converts prices between the fields of a form and JSON. What the fields cannot show stays in the JSON as it is. */
import { readNumber } from '../../../../src/checks/limits';
import type { priceNames as allNames } from '../../../../src/balance/prices/prices-input';
import { isRecord, parseJsonText } from '../../../../src/checks/record';

export type PriceName = Exclude<(typeof allNames)[number], 'currency' | 'netting' | 'example'>;

/** `energy`: one price, or one per tariff; `one` price; `peak`: its two numbers. */
export type PriceKind = 'energy' | 'one' | 'peak';

/** In the order of the form. */
export const priceKinds: Readonly<Record<PriceName, PriceKind>> = {
  import: 'energy',
  export: 'energy',
  export_fee: 'one',
  per_day: 'one',
  per_year: 'one',
  gas: 'one',
  water: 'one',
  peak: 'peak',
};

export const priceNames = Object.keys(priceKinds) as readonly PriceName[];

/** `other`: a list, or anything else that has no fields. */
export const priceWays = ['one', 'tariffs', 'other'] as const;

type PriceWay = (typeof priceWays)[number];

export interface PriceFields {
  readonly way: PriceWay;
  readonly first: string;
  /** The second tariff, or the least peak. */
  readonly second: string;
}

export interface PriceForm {
  readonly currency: string;
  readonly prices: Readonly<Record<PriceName, PriceFields>>;
}

/** The names of the two numbers of a price. */
const pairs = { tariffs: ['t1', 't2'], peak: ['per_kw_year', 'at_least_kw'] } as const;

/**
 * Null if the JSON is not an object.
 * @param currency of a form without prices
 */
export function formOf(json: string, currency: string): PriceForm | null {
  const stored = json.trim() === '' ? { currency } : parseJsonText(json);
  if (!isRecord(stored)) return null;
  const prices = Object.fromEntries(priceNames.map((name) => [name, splitPrice(name, stored[name])]));
  return {
    currency: typeof stored['currency'] === 'string' ? stored['currency'] : '',
    prices: prices as Record<PriceName, PriceFields>,
  };
}

/**
 * The JSON with what the fields have changed; blank without any price. A text that is not a number stays, so that the check
 * shows it.
 * @param before the JSON that the form was opened with
 */
export function jsonOf({ currency, prices }: PriceForm, before: string): string {
  const stored = parseJsonText(before);
  const result: Record<string, unknown> = { currency: '', ...(isRecord(stored) ? stored : {}) };
  const wasCurrency = typeof result['currency'] === 'string' ? result['currency'] : '';
  if (currency.trim() !== wasCurrency) result['currency'] = currency.trim();
  let isTyped = false;
  for (const name of priceNames) {
    const fields = prices[name];
    const was = splitPrice(name, result[name]);
    if (fields.way === was.way && fields.first === was.first && fields.second === was.second) continue;
    isTyped = true;
    const value = joinPrice(name, fields, result[name]);
    if (value === undefined) Reflect.deleteProperty(result, name);
    else result[name] = value;
  }
  // The prices of an example are not those of the house; a typed one is.
  if (isTyped) Reflect.deleteProperty(result, 'example');
  return Object.keys(result).length > 1 ? JSON.stringify(result) : '';
}

const blank: PriceFields = { way: 'one', first: '', second: '' };

function splitPrice(name: PriceName, value: unknown): PriceFields {
  if (value === undefined || value === null) return blank;
  const kind = priceKinds[name];
  if (kind !== 'peak' && isCell(value)) return { way: 'one', first: String(value), second: '' };
  if (kind === 'one' || !isRecord(value)) return { ...blank, way: 'other' };
  const [first, second] = pairs[kind === 'peak' ? 'peak' : 'tariffs'];
  const { [first]: one = '', [second]: two = '', ...others } = value;
  if (!isCell(one) || !isCell(two) || Object.keys(others).length > 0) return { ...blank, way: 'other' };
  return { way: kind === 'peak' ? 'one' : 'tariffs', first: String(one), second: String(two) };
}

/** Undefined: blank. */
function joinPrice(name: PriceName, { way, first, second }: PriceFields, stored: unknown): unknown {
  if (way === 'other') return splitPrice(name, stored).way === 'other' ? stored : undefined;
  const isPeak = priceKinds[name] === 'peak';
  if (way === 'one' && !isPeak) return first.trim() === '' ? undefined : parseDecimal(first);
  if (first.trim() === '' && second.trim() === '') return undefined;
  const [one, two] = pairs[isPeak ? 'peak' : 'tariffs'];
  // A tariff that lacks its price is wrong; a peak need not have a least one.
  return { [one]: parseDecimal(first), ...(!(isPeak && second.trim() === '') && { [two]: parseDecimal(second) }) };
}

/** A stored number as it is written in a language; any other text as it is. */
export function shownNumber(stored: string, decimal: string): string {
  return readNumber(stored) === null ? stored : stored.replace('.', decimal);
}

/** A written number as it is stored; any other text as it is. */
export function storedNumber(written: string): string {
  return written.trim() === '' ? written : String(parseDecimal(written));
}

function isCell(value: unknown): value is string | number {
  return typeof value === 'number' || typeof value === 'string';
}

/** The number, with a decimal comma or a point; otherwise the text. */
export function parseDecimal(text: string): number | string {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/^(-?)(?=[.,])/, '$10')
    .replace(',', '.');
  return readNumber(plain) ?? text.trim();
}
