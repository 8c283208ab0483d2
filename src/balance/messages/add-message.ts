/**
 * Adds up messages, for users of webhooks or a broker without a connection: raw, field by field, before roles. Their order and
 * repetition have no effect: each border keeps the nearest reading, each window one amount. For readings at breaks and for peaks
 * this holds for three days.
 */
import { largest } from '../../checks/extremes';
import { deliveredMeter } from '../../model/delivered-meters';
import { meterName } from '../../model/identity';
import type { Payload, RealtimePayload, Role, TotalsPayload, WebhookPayload } from '../../model/payload';
import { dayMs, hourMs, minuteMs, quarterMs } from '../../time/units';
import {
  deliveredFieldReadings,
  type FieldReading,
  fieldReadings,
  isCountedField,
  isVolume,
} from '../meters/field-readings';
import { offersExport } from '../meters/readings';
import { deliveredSlots, type DeliveredSlot } from '../meters/slots';
import { withDelivered } from './delivered-role';
import { findDay, roundDownToHour, prune, quartersKept } from './kept-messages';
import {
  fieldIn,
  meterIn,
  unknownSince,
  type MessagesState,
  type MeterState,
  type Readings,
  type Stamped,
  type Sum,
  type Window,
} from './state';

export type EnergyPayload = RealtimePayload | TotalsPayload | WebhookPayload;

export function isEnergyPayload(payload: Payload): payload is EnergyPayload {
  return payload.kind === 'realtime' || payload.kind === 'totals' || payload.kind === 'webhook';
}

export interface MessageContext {
  /** IANA zone of the installation. */
  readonly timezone: string;
  /** Epoch ms; messages from the far future are ignored. */
  readonly now: number;
}

/** A later moment is an error and would replace all other data. */
const mostAheadMs = hourMs;
const mostMeters = 50;
const mostFields = 50;

/** Changes the state. False if the message has no energy data; what it shows of its meters is remembered all the same. */
export function addMessage(state: MessagesState, payload: EnergyPayload, context: MessageContext): boolean {
  if (payload.kind === 'webhook' && payload.ts <= context.now + mostAheadMs) {
    state.delivered = withDelivered(state.delivered ?? {}, payload);
  }
  const found = payload.kind === 'webhook' ? ofDelivery(payload, context.timezone) : [ofMeter(payload)];
  const before = state.newest;
  let [isNew, isOld] = [false, false];
  for (const { meter, role, title, readings, slots, offers, offersExport: hasExport } of found) {
    const isTimely = ({ ts }: { ts: number }): boolean => ts <= context.now + mostAheadMs;
    const timely = readings.filter(isTimely);
    const past = slots.filter(({ end }) => isTimely({ ts: end }));
    const isKnown = Object.hasOwn(state.meters, meter);
    if (timely.length + past.length === 0 || (!isKnown && Object.keys(state.meters).length >= mostMeters)) continue;
    isNew = true;
    const target = meterIn(state, meter);
    if (role !== null) target.role = role;
    if (title !== undefined) target.title = title;
    if (hasExport !== null) target.offersExport = hasExport || target.offersExport === true;
    target.offers = [...new Set([...target.offers, ...offers])].slice(0, mostFields).sort();
    const isOffered = ({ field }: { readonly field: string }): boolean => target.offers.includes(field);
    for (const reading of timely) if (isOffered(reading)) addReading(target, reading, context.timezone);
    for (const slot of past) if (isOffered(slot)) addSlot(target, slot);
    const isOldSlot = ({ length, start }: DeliveredSlot): boolean =>
      isShort(length) && start < roundDownToHour(before) - quartersKept;
    isOld ||= past.some(isOldSlot) || timely.some(({ ts }) => ts < before - dayMs);
    state.newest = largest([state.newest, ...timely.map(({ ts }) => ts), ...past.map(({ end }) => end)]);
  }
  // Pruning is slow, and no data expires within an hour.
  if (isOld || roundDownToHour(before) !== roundDownToHour(state.newest)) prune(state, context.timezone);
  return isNew;
}

interface Found {
  readonly meter: string;
  readonly role: Role | null;
  readonly title: string | undefined;
  readonly readings: readonly FieldReading[];
  readonly slots: readonly DeliveredSlot[];
  readonly offers: readonly string[];
  /** As offersExport; null for a delivery, which contains only the channels chosen on the monitor. */
  readonly offersExport: boolean | null;
}

function ofMeter(payload: RealtimePayload | TotalsPayload): Found {
  const { name, role } = payload.meter;
  return {
    meter: meterName(payload.meter),
    role,
    title: name,
    slots: [],
    readings: fieldReadings(payload),
    offers: Object.keys(payload.values).filter(isCountedField),
    offersExport: offersExport(payload, 'grid'),
  };
}

function ofDelivery(payload: WebhookPayload, timezone: string): Found[] {
  return [...new Set(payload.readings.map(({ meter }) => meter))].map((meter): Found => {
    const own = payload.readings.filter((reading) => reading.meter === meter);
    const title = deliveredMeter(payload, meter).name;
    const readings = deliveredFieldReadings(own, payload.ts);
    const slots = deliveredSlots(own, timezone);
    const offers = [...own, ...readings, ...slots].map(({ field }) => field).filter(isCountedField);
    return { meter, role: null, title, readings, slots, offers, offersExport: null };
  });
}

function addReading(meter: MeterState, { field, ts, amount }: FieldReading, timezone: string): void {
  const reading: Stamped = [ts, amount];
  keepReading(meter.latest, field, reading, Infinity);
  const quarter = Math.ceil((ts - minuteMs / 2) / quarterMs) * quarterMs;
  if (quarter - ts <= 5 * minuteMs) keepReading(readingsAt(meter.quarters, quarter), field, reading, quarter);
  const { start, end } = findDay(ts, timezone);
  // Smart gas meters report once an hour.
  const before = isVolume(field) ? hourMs : 5 * minuteMs;
  if (end - ts <= before) keepReading(readingsAt(meter.midnights, end), field, reading, end);
  if (ts - start <= minuteMs / 2) keepReading(readingsAt(meter.midnights, start), field, reading, start);
}

function readingsAt(borders: Record<string, Readings>, border: number): Readings {
  const readings = borders[border] ?? {};
  borders[border] = readings;
  return readings;
}

/**
 * Keeps the reading nearest to a border, or the latest one (border Infinity). A monitor sends 0 for a moment after a restart; of two
 * equally good readings the larger one counts.
 */
export function keepReading(readings: Readings, field: string, reading: Stamped, border: number): void {
  const rival = readings[field];
  if (rival === undefined || isAhead(reading, rival, border)) readings[field] = reading;
}

function isAhead(one: Stamped, other: Stamped, border: number): boolean {
  if ((one[1] === 0) !== (other[1] === 0)) return other[1] === 0;
  const distance = ([ts]: Stamped): number => (border === Infinity ? -ts : Math.abs(ts - border));
  const difference = distance(other) - distance(one);
  return difference === 0 ? one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]) : difference > 0;
}

const lists = { quarter: 'quarters', hour: 'hours', day: 'days', month: 'months', year: 'years' } as const;

function isShort(length: DeliveredSlot['length']): boolean {
  return length === 'quarter' || length === 'hour';
}

function addSlot(meter: MeterState, { field, length, start, since, end, amount }: DeliveredSlot): void {
  const windows = fieldIn(meter, field);
  if (length === 'month' || length === 'year')
    keepSum((windows[lists[length]] ??= {}), start, [end, amount, since ?? start + unknownSince]);
  else keepWindow(windows[lists[length]], start, [end, amount]);
}

export function keepWindow(windows: Record<string, Window>, start: number | string, window: Window): void {
  if (isAfter(window, windows[start])) windows[start] = window;
}

export function keepSum(sums: Record<string, Sum>, start: number | string, [end, amount, since]: Sum): void {
  const rival = sums[start];
  // That nothing was counted before a moment can be seen for a time only.
  const latest = Math.max(since, rival?.[2] ?? since);
  const [newEnd, newAmount] = isAfter([end, amount], rival) ? [end, amount] : (rival ?? [end, amount]);
  sums[start] = [newEnd, newAmount, latest];
}

/** True for the window that lasts longer, and for the larger amount of the same window. */
function isAfter([end, amount]: Window, rival: Window | Sum | undefined): boolean {
  if (rival === undefined || end !== rival[0]) return rival === undefined || end > rival[0];
  return Math.abs(amount) > Math.abs(rival[1]);
}
