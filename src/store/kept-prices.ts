/** The prices that a connection has read from a list: they stay known when the list has moved on, at least 26 months. */
import { createHash } from 'node:crypto';
import { isRecord } from '../checks/record';
import { type KeptSlot, keepSlots, readSlots, type SlotForm, type SlotsName } from './kept-slots';
import type { PastDays } from './past-days';

/** As the list has it, before factors and fees. */
export type ListedPrice = number | { readonly t1: number; readonly t2: number };

/** Half-open, epoch ms; of at most 31 days. */
export interface PriceSlot {
  readonly start: number;
  readonly end: number;
  readonly value: ListedPrice;
}

export interface PriceSeries {
  /** The id of the connection, which may be none of a monitor. */
  readonly owner: string;
  /** The contract and the price in it, such as `Flexible import`. */
  readonly name: string;
}

/**
 * Keeps the slots of a list. A slot that is over never changes: the last price that was read before its end stays, else the first one
 * that was read later.
 * @param readAt epoch ms
 */
export function keepPrices(
  past: PastDays,
  series: PriceSeries,
  slots: readonly PriceSlot[],
  readAt: number,
): Promise<void> {
  return keepSlots(
    past,
    nameSeries(series),
    priceForm,
    slots.map((slot) => ({ ...slot, readAt })),
  );
}

/** The kept slots that overlap a time, ascending; times without a price are left out. */
export async function readPrices(
  past: PastDays,
  series: PriceSeries,
  span: { readonly from: number; readonly until: number },
): Promise<PriceSlot[]> {
  const found = await readSlots(past, nameSeries(series), priceForm, span);
  return found.map(({ start, end, value }) => ({ start, end, value }));
}

const priceForm: SlotForm<ListedPrice> = {
  read: (value) => {
    if (typeof value === 'number') return value;
    if (!isRecord(value)) return undefined;
    const { t1, t2 } = value;
    return typeof t1 === 'number' && typeof t2 === 'number' ? { t1, t2 } : undefined;
  },
  join: (one, other) => (isBetter(other, one) ? other : one),
};

function isBetter(one: KeptSlot<ListedPrice>, other: KeptSlot<ListedPrice>): boolean {
  const isEarly = ({ end, readAt }: KeptSlot<ListedPrice>): boolean => readAt < end;
  if (isEarly(one) !== isEarly(other)) return isEarly(one);
  return isEarly(one) ? one.readAt > other.readAt : one.readAt < other.readAt;
}

function nameSeries({ owner, name }: PriceSeries): SlotsName {
  return { house: `prices-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`, name: `prices ${name}` };
}
