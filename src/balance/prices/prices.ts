/** Prices from a user or a flow: a number, two tariffs, or a list by time. There are no default prices. */
import { entriesOf, type PriceEntry } from './price-list';
import { isRecord } from '../../record';
import { isAbsent, type Money, moneyOf, onlyNames, wrongPrice } from './price-values';

export { priceDecimals, type Money } from './price-values';

export type Price =
  | { readonly kind: 'fixed'; readonly value: Money }
  | { readonly kind: 'tariffs'; readonly t1: Money; readonly t2: Money }
  | { readonly kind: 'list'; readonly entries: readonly PriceEntry[] };

export interface Prices {
  readonly currency: string;
  readonly import: Price | null;
  readonly export: Price | null;
  readonly gas: Money | null;
  readonly water: Money | null;
  readonly perDay: Money | null;
}

/**
 * @param timezone for times without an offset
 * @throws {CemmError} INPUT `prices`
 */
export function parsePrices(input: unknown, timezone: string): Prices {
  if (!isRecord(input)) throw wrongPrice('prices');
  onlyNames(input, ['currency', 'import', 'export', 'gas', 'water', 'per_day'], '');
  const { currency } = input;
  if (typeof currency !== 'string' || !/^\S{1,8}$/.test(currency)) throw wrongPrice('currency');
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
  if (!isRecord(input)) return { kind: 'fixed', value: moneyOf(input, path) };
  onlyNames(input, ['t1', 't2'], `${path}.`);
  return { kind: 'tariffs', t1: moneyOf(input['t1'], `${path}.t1`), t2: moneyOf(input['t2'], `${path}.t2`) };
}

/** The moments between `from` and `to` at which a price of a list begins or ends. */
export function priceBorders({ import: taken, export: given }: Prices, from: number, to: number): number[] {
  return [taken, given].flatMap((price) =>
    price?.kind === 'list'
      ? price.entries.flatMap(({ start, end }) => [start, end]).filter((moment) => moment > from && moment < to)
      : [],
  );
}

/** The price of each part; null if there is none. No price changes within a part. */
export function pricesOfParts(entries: readonly PriceEntry[], starts: readonly number[]): (Money | null)[] {
  let index = 0;
  return starts.map((start) => {
    while ((entries[index]?.end ?? Infinity) <= start) index += 1;
    const entry = entries[index];
    return entry !== undefined && entry.start <= start ? entry.value : null;
  });
}
