/** Validates single values of prices. */
import { CemmError } from '../../errors';
import type { UnknownRecord } from '../../checks/record';

/** Whole numbers of 10^-24 of the currency, so that a value × a factor is exact. */
export type Money = bigint;

export const priceDecimals = 24;

/** Whole numbers of 10^-12. */
export type Decimal = bigint;

/** As a number of the currency. */
export function moneyToNumber(money: Money): number {
  return Number(`${money}e-${priceDecimals}`);
}

const decimalPlaces = 12;
export const oneDecimal: Decimal = 10n ** BigInt(decimalPlaces);

interface TariffPrices {
  readonly t1: Money;
  readonly t2: Money;
}

/** One price, or one per tariff. */
export type UnitPrice = Money | TariffPrices;

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
export function decimalOf(input: unknown, path: string): Decimal {
  if (typeof input !== 'number' || !(Math.abs(input) <= mostPrice)) throw wrongPrice(path);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(input)) ?? [];
  const shift = decimalPlaces - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -value : value;
}

/** @throws {CemmError} INPUT `prices` */
export function parseMoney(input: unknown, path: string): Money {
  return decimalOf(input, path) * oneDecimal;
}

/** Each value of a list × `times` + `plus`. */
export interface Conversion {
  readonly times: Decimal;
  readonly plus: Money;
}

export const unchanged: Conversion = { times: oneDecimal, plus: 0n };

/** Reads a value of a price: a number, or `{ t1, t2 }` where a price may depend on the tariff. */
export type ReadValue = (input: unknown, path: string) => UnitPrice;

export function isSamePrice(one: UnitPrice | null, other: UnitPrice | null): boolean {
  if (one === null || other === null || typeof one === 'bigint' || typeof other === 'bigint') return one === other;
  return one.t1 === other.t1 && one.t2 === other.t2;
}
