/**
 * Values of slots that a list has and the next one may lack: prices, and the sums of days of a CEMM 3.0. They are kept by month as
 * rows of start, end, value and the time at which they were read, so that two lists become one in any order.
 */
import { dayMs } from '../time/units';
import { isRecord } from '../checks/record';
import type { FactName } from './fact-name';
import type { PastDays } from './past-days';

/** Half-open, epoch ms. */
export interface KeptSlot<Value> {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
  /** The clock when it was read. */
  readonly readAt: number;
}

export interface SlotForm<Value> {
  /** Undefined for anything but a value. */
  readonly read: (value: unknown) => Value | undefined;
  /** Makes one slot of two that overlap; the same one in either order. */
  readonly join: (one: KeptSlot<Value>, other: KeptSlot<Value>) => KeptSlot<Value>;
}

export type SlotsName = Pick<FactName, 'house' | 'name'>;

/** Longer ones are not kept: they are found by the month in which they begin. */
const longestSlotMs = 31 * dayMs;
const longestMonthMs = 31 * dayMs;

export async function keepSlots<Value>(
  past: PastDays,
  { house, name }: SlotsName,
  form: SlotForm<Value>,
  slots: readonly KeptSlot<Value>[],
): Promise<void> {
  const months = new Map<number, KeptSlot<Value>[]>();
  for (const slot of slots) {
    const { start, end } = slot;
    if (!(end > start && end - start <= longestSlotMs)) continue;
    const month = startOfMonth(start);
    months.set(month, [...(months.get(month) ?? []), slot]);
  }
  const join = (known: unknown, added: unknown): unknown =>
    toJson(joinSlots(form, fromJson(form, known), fromJson(form, added)));
  for (const [start, list] of months) {
    await past.keep({ kind: 'readings', house, name, start }, toJson(joinSlots(form, [], list)), join);
  }
}

/** The slots that begin before `until` and end after `from`, ascending. */
export async function readSlots<Value>(
  past: PastDays,
  { house, name }: SlotsName,
  form: SlotForm<Value>,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<KeptSlot<Value>[]> {
  const found: KeptSlot<Value>[] = [];
  const months = await past.monthsOf(house);
  for (const start of months.filter((month) => month < until && month + longestMonthMs + longestSlotMs > from)) {
    const slots = fromJson(form, await past.get({ kind: 'readings', house, name, start }));
    for (const slot of slots) if (slot.start < until && slot.end > from) found.push(slot);
  }
  return found.sort((a, b) => a.start - b.start);
}

function joinSlots<Value>(
  { join }: SlotForm<Value>,
  known: readonly KeptSlot<Value>[],
  added: readonly KeptSlot<Value>[],
): KeptSlot<Value>[] {
  const joined: KeptSlot<Value>[] = [];
  for (const slot of [...known, ...added].sort((a, b) => a.start - b.start || a.end - b.end)) {
    let next = slot;
    for (let last = joined.at(-1); last !== undefined && last.end > next.start; last = joined.at(-1)) {
      joined.pop();
      next = join(last, next);
    }
    joined.push(next);
  }
  return joined;
}

function toJson<Value>(slots: readonly KeptSlot<Value>[]): unknown {
  return { slots: slots.map(({ start, end, value, readAt }) => [start, end, value, readAt]) };
}

function fromJson<Value>({ read }: SlotForm<Value>, fact: unknown): KeptSlot<Value>[] {
  const rows: unknown = isRecord(fact) ? fact['slots'] : null;
  return (Array.isArray(rows) ? (rows as unknown[]) : []).flatMap((row): KeptSlot<Value>[] => {
    const [start, end, packed, readAt] = Array.isArray(row) ? (row as unknown[]) : [];
    const value = read(packed);
    if (typeof start !== 'number' || typeof end !== 'number' || typeof readAt !== 'number' || value === undefined)
      return [];
    return [{ start, end, value, readAt }];
  });
}

function startOfMonth(ts: number): number {
  return Date.parse(`${new Date(ts).toISOString().slice(0, 7)}-01T00:00:00Z`);
}
