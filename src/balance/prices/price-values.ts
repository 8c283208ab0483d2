/** Validates single values of prices. */
import { CemmError } from '../../errors';
import type { UnknownRecord } from '../../record';

/** Whole numbers of 10^-12 of the currency. */
export type Money = bigint;

export const priceDecimals = 12;

const mostPrice = 1e6;

/** @param path the invalid property, such as `import[3].value` */
export function wrongPrice(path: string): CemmError {
  return new CemmError('INPUT', { reason: 'prices', params: { field: 'prices', path } });
}

/** @throws {CemmError} INPUT `prices` for an unknown name, so that a misspelled price is not ignored */
export function onlyNames(input: UnknownRecord, names: readonly string[], before: string): void {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrongPrice(before + unknown);
}

/**
 * The exact decimal number, to twelve places.
 * @throws {CemmError} INPUT `prices`
 */
export function moneyOf(input: unknown, path: string): Money {
  if (typeof input !== 'number' || !(Math.abs(input) <= mostPrice)) throw wrongPrice(path);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(input)) ?? [];
  const shift = priceDecimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -value : value;
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
