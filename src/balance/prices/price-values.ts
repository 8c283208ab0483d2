/** Single values of prices: what is read, and where one cannot be used. */

/** Whole numbers of 10^-12 of the currency. */
export type Money = bigint;

export const PRICE_DECIMALS = 12;

const MOST_PRICE = 1e6;

export type Fields = Readonly<Record<string, unknown>>;

export class Flaw extends Error {
  constructor(readonly path: string) {
    super(path);
  }
}

/** A misspelled name would be a price that is not there. @throws {Flaw} */
export function onlyNames(input: Fields, names: readonly string[], before: string): void {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Flaw(before + unknown);
}

/** Exactly the decimal number that is written, to twelve places. @throws {Flaw} */
export function moneyOf(input: unknown, path: string): Money {
  if (typeof input !== 'number' || !(Math.abs(input) <= MOST_PRICE)) throw new Flaw(path);
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

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
