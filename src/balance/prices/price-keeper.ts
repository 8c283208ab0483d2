/** Keeps the lists of prices that a connection reads from a context, and gives the slots that are over back. */
import { createHash } from 'node:crypto';
import { keepPrices, type PriceSlot, readPrices } from '../../store/kept-prices';
import type { PastDays } from '../../store/past-days';
import type { Time } from './contracts';
import { listsIn, readListedSlots } from './listed-prices';
import { type EarlierPrices, parsePricesInParts } from './prices';
import { setRecent } from '../../checks/set-recent';
import { createPause, runWithPauses } from '../../time/pause';

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
