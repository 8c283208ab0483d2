/** Converts fixed prices between the rows of a table and JSON. */
import { readNumber } from '../../src/limits';
import { isRecord, type UnknownRecord } from '../../src/record';

export const priceRows = ['import', 'export', 'gas', 'water', 'per_day'] as const;
export type PriceRow = (typeof priceRows)[number];

/** The cells of a row: one price, or for electricity one per tariff. */
export interface PriceCells {
  readonly first: string;
  /** The second tariff; blank: one price for both. */
  readonly second: string;
}

export interface PriceTable {
  readonly currency: string;
  readonly rows: Readonly<Record<PriceRow, PriceCells>>;
}

const blank: PriceCells = { first: '', second: '' };
const noPrices: PriceTable = {
  currency: 'EUR',
  rows: { import: blank, export: blank, gas: blank, water: blank, per_day: blank },
};

export function hasTariffs(row: PriceRow): boolean {
  return row === 'import' || row === 'export';
}

/** Null if the table cannot show the prices of the JSON. */
export function tableOf(json: string): PriceTable | null {
  if (json.trim() === '') return noPrices;
  const prices = parsed(json);
  if (!isRecord(prices)) return null;
  const { currency, ...rest } = prices;
  if (typeof currency !== 'string' || Object.keys(rest).some((name) => !priceRows.some((row) => row === name))) {
    return null;
  }
  const cells = (row: PriceRow): PriceCells | null => cellsOf(rest[row], hasTariffs(row));
  const [taken, given, gas, water, perDay] = [
    cells('import'),
    cells('export'),
    cells('gas'),
    cells('water'),
    cells('per_day'),
  ];
  if (taken === null || given === null || gas === null || water === null || perDay === null) return null;
  return { currency, rows: { import: taken, export: given, gas, water, per_day: perDay } };
}

/** Leaves out blank rows; an invalid number remains text, so that the check of the field shows it. */
export function jsonOf({ currency, rows }: PriceTable): string {
  const entries = priceRows.flatMap((row) => {
    const { first, second } = rows[row];
    if (first.trim() === '' && second.trim() === '') return [];
    const value = second.trim() === '' ? numberOf(first) : { t1: numberOf(first), t2: numberOf(second) };
    return [[row, value] as const];
  });
  return JSON.stringify({ currency: currency.trim(), ...Object.fromEntries(entries) });
}

/** A name that is not a price, such as `imprt` or `import.t3`. */
export interface UnknownName {
  readonly unknown: string;
}

/** The invalid row or field; null if all are valid. */
export function priceProblem(json: string): 'json' | 'currency' | PriceRow | UnknownName | null {
  const prices = parsed(json);
  if (!isRecord(prices)) return 'json';
  const { currency } = prices;
  if (typeof currency !== 'string' || !/^\S{1,8}$/.test(currency)) return 'currency';
  const unknown = unknownIn(prices, ['currency', ...priceRows], '');
  if (unknown !== null) return { unknown };
  const isPrice = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
  const wrong = priceRows.find((row) => {
    const value = prices[row];
    if (value === undefined || value === null || isPrice(value)) return false;
    if (!hasTariffs(row)) return true;
    // The node itself validates lists.
    return !(Array.isArray(value) || (isRecord(value) && isPrice(value['t1']) && isPrice(value['t2'])));
  });
  return wrong ?? null;
}

function unknownIn(value: UnknownRecord, names: readonly string[], before: string): string | null {
  const name = Object.keys(value).find((one) => !names.includes(one));
  if (name !== undefined) return before + name;
  for (const row of priceRows.filter((one) => hasTariffs(one) && before === '')) {
    const entries: unknown[] = Array.isArray(value[row]) ? value[row] : [];
    const found = entries.flatMap((entry, index) =>
      isRecord(entry) ? (unknownIn(entry, ['start', 'end', 'value'], `${row}[${index}].`) ?? []) : [],
    );
    const tariffs = isRecord(value[row]) ? unknownIn(value[row], ['t1', 't2'], `${row}.`) : null;
    const first = found[0] ?? tariffs;
    if (first !== null) return first;
  }
  return null;
}

function cellsOf(value: unknown, isByTariff: boolean): PriceCells | null {
  if (value === undefined || value === null) return blank;
  if (isCell(value)) return { first: String(value), second: '' };
  if (!isByTariff || !isRecord(value)) return null;
  const { t1, t2, ...others } = value;
  if (!isCell(t1) || !isCell(t2) || Object.keys(others).length > 0) return null;
  return { first: String(t1), second: String(t2) };
}

function isCell(value: unknown): value is string | number {
  return typeof value === 'number' || typeof value === 'string';
}

/** Accepts a decimal comma. */
function numberOf(text: string): number | string {
  return readNumber(text.replace(',', '.')) ?? text.trim();
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
