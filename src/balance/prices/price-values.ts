/** Single values of prices: what is read, and where one cannot be used. */
import { CemmError } from '../../errors';
import type { UnknownRecord } from '../../record';

/** Whole numbers of 10^-12 of the currency. */
export type Money = bigint;

export const PRICE_DECIMALS = 12;

const MOST_PRICE = 1e6;

/** @param path the property that is not what it should be, such as `import[3].value` */
export function wrongPrice(path: string): CemmError {
  return new CemmError('INPUT', { reason: 'prices', params: { field: 'prices', path } });
}

/** A misspelled name would be a price that is not there. @throws {CemmError} INPUT `prices` */
export function onlyNames(input: UnknownRecord, names: readonly string[], before: string): void {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrongPrice(before + unknown);
}

/** Exactly the decimal number that is written, to twelve places. @throws {CemmError} INPUT `prices` */
export function moneyOf(input: unknown, path: string): Money {
  if (typeof input !== 'number' || !(Math.abs(input) <= MOST_PRICE)) throw wrongPrice(path);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(input)) ?? [];
  const shift = PRICE_DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -value : value;
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
