/** The stored messages of one house; plain JSON for the context store. */
import type { Amount, BalanceRole } from '../meters/amounts';
import type { Counter } from '../meters/readings';
import type { DeliveredMeters } from './delivered-role';

/** Epoch ms and amount. */
export type Stamped = readonly [ts: number, amount: Amount];
/** Its end, epoch ms, and amount. */
export type Window = readonly [end: number, amount: Amount];
/** A window, and the start of what is in its amount, epoch ms. */
export type Sum = readonly [end: number, amount: Amount, since: number];
export type Readings = Partial<Record<Counter, Stamped>>;

/** Counted windows of one length: a bit set of the windows of the day in hexadecimal, and their sum. */
export interface CountedWindows {
  seen: string;
  sum: Amount;
}

export interface FieldState {
  /** First moment, epoch ms → window. */
  quarters: Record<string, Window>;
  hours: Record<string, Window>;
  /** The current day until its last delivery, and days that are over. */
  days: Record<string, Window>;
  /** First moment of a month or year → its sum; absent before the first one. */
  months?: Record<string, Sum>;
  years?: Record<string, Sum>;
  /** First moment of a day → its windows that are too old to be kept individually. */
  oldQuarters: Record<string, CountedWindows>;
  oldHours: Record<string, CountedWindows>;
}

export interface MeterState {
  role: BalanceRole;
  /** Its name in the meters of the connection that sent it. */
  title?: string;
  /** For a smart meter; absent if no message contained it. */
  offersExport?: boolean;
  latest: Readings;
  /** Border, epoch ms → readings of the counters there. */
  quarters: Record<string, Readings>;
  midnights: Record<string, Readings>;
  /** Like quarters, for both sides of a break. */
  breaks?: Record<string, Readings>;
  fields: Record<string, FieldState>;
}

export interface MessagesState {
  version: 1;
  /** The newest moment of all messages, epoch ms. */
  newest: number;
  meters: Record<string, MeterState>;
  /** First moment of a day → the quarter with the highest import, for days without quarters. */
  peaks?: Record<string, readonly [start: number, amount: Amount]>;
  /** The meters of all deliveries, also those that do not count; absent before the first one. */
  delivered?: DeliveredMeters;
}

export const emptyState = (): MessagesState => ({ version: 1, newest: 0, meters: {} });
