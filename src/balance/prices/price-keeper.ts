/** Keeps the lists of prices that a connection reads from a context, and gives the slots that are over back. */
import { createHash } from 'node:crypto';
import { keepPrices, type ListedPrice, type PriceSlot, readPrices } from '../../store/kept-prices';
import type { PastDays } from '../../store/past-days';
import type { Time } from './contracts';
import { type EarlierPrices, parsePricesInParts } from './prices';
import { readEntries } from './price-list';
import { decimalOf, onlyNames, wrongPrice } from './price-values';
import { type UnitPriceName, unitPriceNames, unitPrices } from './prices-input';
import { isRecord } from '../../checks/record';
import { setRecent } from '../../checks/set-recent';
import { createPause, type InParts, runWithPauses } from '../../time/pause';

export interface PriceSource {
  /** The contract; one name per connection. */
  readonly name: string;
  /** Unchecked. */
  readonly prices: unknown;
}

/** A planner and a page ask for the same list again and again. */
const mostLists = 200;

export class PriceKeeper {
  /** Name of a list → digest of what was kept last. */
  private readonly digests = new Map<string, string>();

  /** @param owner id of the connection */
  constructor(
    private readonly past: () => PastDays | null,
    private readonly owner: string,
    private readonly now: () => number,
  ) {}

  /**
   * Keeps the lists of these prices.
   * @param span the time in question; null: nothing is needed of the past
   * @returns the slots of it that are over
   */
  async keep({ name, prices }: PriceSource, timezone: string, span: Time | null): Promise<EarlierPrices> {
    const past = this.past();
    const lists = listsIn(prices);
    if (past === null || lists.length === 0 || !(await isValid(prices, timezone))) return {};
    const found: [string, readonly PriceSlot[]][] = [];
    for (const { name: price, list } of lists) {
      const series = { owner: this.owner, name: `${name} ${price}` };
      const now = this.now();
      if (this.isNew(series.name, list, past.deletions))
        await keepPrices(past, series, await runWithPauses(readListedSlots(price, list, timezone), createPause()), now);
      if (span === null || span.start >= now) continue;
      const slots = await readPrices(past, series, { from: span.start, until: Math.min(span.end, now) });
      found.push([price, slots.filter(({ end }) => end <= now)]);
    }
    return Object.fromEntries(found);
  }

  private isNew(name: string, list: readonly unknown[], deletions: number): boolean {
    const digest = createHash('sha256')
      .update(`${deletions} ${JSON.stringify(list)}`)
      .digest('base64');
    if (this.digests.get(name) === digest) return false;
    setRecent(this.digests, name, digest, mostLists);
    return true;
  }
}

/** Prices that are wrong in any place are not kept: the same object is an error for every balance. */
async function isValid(prices: unknown, timezone: string): Promise<boolean> {
  try {
    await runWithPauses(parsePricesInParts(prices, timezone), createPause());
    return true;
  } catch {
    return false;
  }
}

/** The lists of an object, unread. */
function listsIn(prices: unknown): { readonly name: UnitPriceName; readonly list: readonly unknown[] }[] {
  if (!isRecord(prices)) return [];
  return unitPriceNames.flatMap((name) => {
    const price = prices[name];
    const list: unknown = isRecord(price) ? price['list'] : price;
    return Array.isArray(list) ? [{ name, list: list as readonly unknown[] }] : [];
  });
}

/**
 * The values of a list as they stand there: before factors and fees.
 * @throws {CemmError} INPUT `prices`
 */
function* readListedSlots(name: UnitPriceName, list: readonly unknown[], timezone: string): InParts<PriceSlot[]> {
  const read = (value: unknown, path: string): ListedPrice => {
    if (!unitPrices[name].hasTariffs || !isRecord(value)) return requireNumber(value, path);
    onlyNames(value, ['t1', 't2'], `${path}.`);
    return { t1: requireNumber(value['t1'], `${path}.t1`), t2: requireNumber(value['t2'], `${path}.t2`) };
  };
  const { entries } = yield* readEntries(list, name, timezone, read);
  return entries.filter(({ end }) => Number.isFinite(end));
}

function requireNumber(value: unknown, path: string): number {
  decimalOf(value, path);
  if (typeof value !== 'number') throw wrongPrice(path);
  return value;
}
