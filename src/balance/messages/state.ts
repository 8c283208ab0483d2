/** The state of one house by its messages, by meter and field, before roles; plain JSON, for the store and for a context store. */
import type { Role } from '../../model/payload';
import type { Amount } from '../meters/amounts';

/** Epoch ms and amount. */
export type Stamped = readonly [ts: number, amount: Amount];
/** Its end, epoch ms, and amount. */
export type Window = readonly [end: number, amount: Amount];
/** ms after the start of a month or year: `since` of a monitor that was installed in it, at an unknown time. */
export const unknownSince = 1;
/** A window, and the start of what is in its amount, epoch ms, or `unknownSince` after that of its month or year. */
export type Sum = readonly [end: number, amount: Amount, since: number];
/** By payload field, such as `energy_import_kwh`. */
export type Readings = Record<string, Stamped>;

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
  /** Its role as its readings have it; absent for the meter of a delivery, and for one without a role. */
  role?: Role;
  /** Its name in the meters of the connection that sent it. */
  title?: string;
  /** The fields that it has shown, also without a value. */
  offers: string[];
  /** True if a reading that is no delivery, and so has all fields, has offered an export; absent without such a reading. */
  offersExport?: boolean;
  latest: Readings;
  /** Border, epoch ms → readings there. */
  quarters: Record<string, Readings>;
  midnights: Record<string, Readings>;
  /** Like quarters, for both sides of a break. */
  breaks?: Record<string, Readings>;
  fields: Record<string, FieldState>;
  /** First moment of a day → the quarter with the highest import, for days without quarters. */
  peaks?: Record<string, readonly [start: number, amount: Amount]>;
}

/** Channels that say what a meter is: a counter by tariff, a counter of export, a power that may be that of a source. */
export const deliveredKinds = ['tariff', 'export', 'power'] as const;
export type DeliveredKind = (typeof deliveredKinds)[number];

interface DeliveredMeter {
  /** Its newest delivery, epoch ms. */
  readonly last: number;
  readonly kinds: readonly DeliveredKind[];
  /** The role that its row in the meters of the connection has; absent without one. */
  readonly role?: Role;
}

/** By key. */
export type DeliveredMeters = Readonly<Record<string, DeliveredMeter>>;

export interface MessagesState {
  version: 2;
  /** The newest moment of all messages, epoch ms. */
  newest: number;
  meters: Record<string, MeterState>;
  /** The meters of all deliveries, also those that do not count; absent before the first one. */
  delivered?: DeliveredMeters;
}

export const emptyState = (): MessagesState => ({ version: 2, newest: 0, meters: {} });

export const emptyMeter = (): MeterState => ({ offers: [], latest: {}, quarters: {}, midnights: {}, fields: {} });

export const emptyField = (): FieldState => ({ quarters: {}, hours: {}, days: {}, oldQuarters: {}, oldHours: {} });

/** The field of this name; a new one if there is none. */
export function fieldIn({ fields }: MeterState, name: string): FieldState {
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return known ?? (fields[name] = emptyField());
}

/** The meter of this name; a new one if there is none. */
export function meterIn(state: MessagesState, name: string): MeterState {
  const known = Object.hasOwn(state.meters, name) ? state.meters[name] : undefined;
  if (known !== undefined) return known;
  const fresh = emptyMeter();
  // Creates an own property, even for `__proto__`.
  state.meters = { ...state.meters, [name]: fresh };
  return fresh;
}
