/** Prices as a user or a flow gives them (contract: a number, two tariffs, or a list by time). None is assumed. */
import { CalendarError } from '../calendar/zone';
import { parseDate } from '../calendar/dates';

/** Whole numbers of 10^-12 of the currency. */
export type Money = bigint;

export const PRICE_DECIMALS = 12;

export type Price =
  | { readonly kind: 'fixed'; readonly value: Money }
  | { readonly kind: 'tariffs'; readonly t1: Money; readonly t2: Money }
  | { readonly kind: 'list'; readonly entries: readonly PriceEntry[] };

/** Half-open; in a list they ascend and do not overlap. */
export interface PriceEntry {
  readonly start: number;
  readonly end: number;
  readonly value: Money;
}

export interface Prices {
  readonly currency: string;
  readonly import: Price | null;
  readonly export: Price | null;
  readonly gas: Money | null;
  readonly water: Money | null;
  readonly perDay: Money | null;
}

export type ParsedPrices =
  | { readonly prices: Prices }
  /** The property that is not what it should be, such as `import[3].value`. */
  | { readonly flaw: string };

/** Two years of quarters of an hour. */
const MOST_ENTRIES = 75_000;
const MOST_PRICE = 1e6;

type Fields = Readonly<Record<string, unknown>>;

class Flaw extends Error {
  constructor(readonly path: string) {
    super(path);
  }
}

/** @param timezone in which a time without an offset is read */
export function parsePrices(input: unknown, timezone: string): ParsedPrices {
  try {
    return { prices: pricesOf(input, timezone) };
  } catch (error) {
    if (error instanceof Flaw) return { flaw: error.path };
    throw error;
  }
}

function pricesOf(input: unknown, timezone: string): Prices {
  if (!isFields(input)) throw new Flaw('prices');
  const { currency } = input;
  if (typeof currency !== 'string' || !/^\S{1,8}$/.test(currency)) throw new Flaw('currency');
  const amount = (name: string): Money | null => (isAbsent(input[name]) ? null : moneyOf(input[name], name));
  const price = (name: string): Price | null => (isAbsent(input[name]) ? null : priceOf(input[name], name, timezone));
  return {
    currency,
    import: price('import'),
    export: price('export'),
    gas: amount('gas'),
    water: amount('water'),
    perDay: amount('per_day'),
  };
}

function priceOf(input: unknown, path: string, timezone: string): Price {
  if (Array.isArray(input)) return { kind: 'list', entries: entriesOf(input, path, timezone) };
  if (!isFields(input)) return { kind: 'fixed', value: moneyOf(input, path) };
  return { kind: 'tariffs', t1: moneyOf(input['t1'], `${path}.t1`), t2: moneyOf(input['t2'], `${path}.t2`) };
}

/** Each is valid until its end or the next one; the last as long as the one before it, a lone one from its start on. */
function entriesOf(input: readonly unknown[], path: string, timezone: string): PriceEntry[] {
  if (input.length === 0 || input.length > MOST_ENTRIES) throw new Flaw(path);
  const given = input.map((entry, index) => entryOf(entry, `${path}[${index}]`, timezone));
  given.sort((a, b) => a.start - b.start);
  const entries: PriceEntry[] = [];
  given.forEach(({ start, end, value }, index) => {
    const next = given[index + 1]?.start ?? null;
    // Of two that start together the later one in the list counts.
    if (next === start) return;
    const before = entries.at(-1);
    const lasts = next ?? (before === undefined ? Infinity : start + before.end - before.start);
    entries.push({ start, end: Math.min(end ?? lasts, next ?? Infinity), value });
  });
  return entries;
}

function entryOf(input: unknown, path: string, timezone: string) {
  if (!isFields(input)) throw new Flaw(path);
  const start = momentOf(input['start'], `${path}.start`, timezone);
  const end = isAbsent(input['end']) ? null : momentOf(input['end'], `${path}.end`, timezone);
  if (end !== null && end <= start) throw new Flaw(`${path}.end`);
  return { start, end, value: moneyOf(input['value'], `${path}.value`) };
}

function momentOf(input: unknown, path: string, timezone: string): number {
  try {
    return parseDate(input, timezone);
  } catch (error) {
    if (error instanceof CalendarError) throw new Flaw(path);
    throw error;
  }
}

/** Exactly the decimal number that is written, to twelve places. */
function moneyOf(input: unknown, path: string): Money {
  if (typeof input !== 'number' || !(Math.abs(input) <= MOST_PRICE)) throw new Flaw(path);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(input)) ?? [];
  const shift = PRICE_DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -value : value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The moments within a time at which a price of a list begins or ends. */
export function priceBorders({ import: taken, export: given }: Prices, from: number, to: number): number[] {
  return [taken, given].flatMap((price) =>
    price?.kind === 'list'
      ? price.entries.flatMap(({ start, end }) => [start, end]).filter((moment) => moment > from && moment < to)
      : [],
  );
}

/** The price of each part of a period that no border of the list divides; null where there is none. */
export function pricesOfParts(entries: readonly PriceEntry[], starts: readonly number[]): (Money | null)[] {
  let index = 0;
  return starts.map((start) => {
    while ((entries[index]?.end ?? Infinity) <= start) index += 1;
    const entry = entries[index];
    return entry !== undefined && entry.start <= start ? entry.value : null;
  });
}
