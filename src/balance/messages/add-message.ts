/**
 * Adds up messages, for users of webhooks or a broker without a connection. Their order and repetition have no effect: each
 * border keeps the nearest reading, each window one amount. For readings at breaks and for peaks this holds for three days.
 */
import { largest } from '../../extremes';
import { deliveredMeter } from '../../model/delivered-meters';
import { meterName } from '../../model/identity';
import type { RealtimePayload, TotalsPayload, WebhookPayload } from '../../model/payload';
import { dayMs, hourMs, minuteMs, quarterMs } from '../../protocol/time';
import type { BalanceRole } from '../meters/amounts';
import { deliveredReadings, offersExport, readingsOf, type Counter, type CounterReading } from '../meters/readings';
import { deliveredSlots, type DeliveredSlot } from '../meters/slots';
import { deliveredRole, type RoleIn, withDelivered } from './delivered-role';
import { dayOf, prune, quartersKept } from './kept-messages';
import type { MessagesState, MeterState, Readings, Stamped, Sum, Window } from './state';

export type EnergyPayload = RealtimePayload | TotalsPayload | WebhookPayload;

export interface MessageContext {
  /** IANA zone of the installation. */
  readonly timezone: string;
  /** Epoch ms; messages from the far future are ignored. */
  readonly now: number;
  /** The role that a meter counts in; null: it does not count. */
  readonly roleOf: RoleIn;
}

/** A later moment is an error and would replace all other data. */
const mostAheadMs = hourMs;
const mostMeters = 50;

/** Changes the state. False if the message has no energy data; what it shows of its meters is remembered all the same. */
export function addMessage(state: MessagesState, payload: EnergyPayload, context: MessageContext): boolean {
  if (payload.kind === 'webhook' && payload.ts <= context.now + mostAheadMs) {
    state.delivered = withDelivered(state.delivered ?? {}, payload);
  }
  const found = payload.kind === 'webhook' ? ofDelivery(state, payload, context) : ofMeter(payload, context);
  const before = state.newest;
  let [isNew, isOld] = [false, false];
  for (const { meter, role, title, readings, slots, offers } of found) {
    const isTimely = ({ ts }: { ts: number }): boolean => ts <= context.now + mostAheadMs;
    const timely = readings.filter(isTimely);
    const past = slots.filter(({ end }) => isTimely({ ts: end }));
    const target = meterState(state, meter, role);
    if (target === null || timely.length + past.length === 0) continue;
    isNew = true;
    if (title !== undefined) target.title = title;
    if (offers !== null) target.offersExport = offers || target.offersExport === true;
    for (const reading of timely) addReading(target, reading, context.timezone);
    for (const slot of past) addSlot(target, slot);
    const isOldSlot = ({ length, start }: DeliveredSlot): boolean => isShort(length) && start < before - quartersKept;
    isOld ||= past.some(isOldSlot) || timely.some(({ ts }) => ts < before - dayMs);
    state.newest = largest([state.newest, ...timely.map(({ ts }) => ts), ...past.map(({ end }) => end)]);
  }
  // Pruning is slow, and no data expires between two borders.
  if (isOld || Math.floor(before / quarterMs) !== Math.floor(state.newest / quarterMs)) prune(state, context.timezone);
  return isNew;
}

interface Found {
  readonly meter: string;
  readonly role: BalanceRole;
  readonly title: string | undefined;
  readonly readings: readonly CounterReading[];
  readonly slots: readonly DeliveredSlot[];
  /** As offersExport; a delivery contains only the channels chosen on the monitor. */
  readonly offers: boolean | null;
}

function ofMeter(payload: RealtimePayload | TotalsPayload, { roleOf }: MessageContext): Found[] {
  const meter = meterName(payload.meter);
  const role = roleOf(meter, payload.meter.role, null);
  return role === null
    ? []
    : [
        {
          ...{ meter, role, title: payload.meter.name },
          readings: readingsOf(payload, role),
          slots: [],
          offers: offersExport(payload, role),
        },
      ];
}

function ofDelivery(
  { delivered = {} }: MessagesState,
  payload: WebhookPayload,
  { roleOf, timezone }: MessageContext,
): Found[] {
  return [...new Set(payload.readings.map(({ meter }) => meter))].flatMap((meter): Found[] => {
    const role = deliveredRole(delivered, meter, roleOf);
    if (role === null) return [];
    const readings = deliveredReadings(payload, meter, role);
    const title = deliveredMeter(payload, meter).name;
    const slots = deliveredSlots(payload.readings, meter, role, timezone);
    return [{ meter, role, title, readings, slots, offers: null }];
  });
}

/** Null if there are more meters than a house can have. */
function meterState(state: MessagesState, name: string, role: BalanceRole): MeterState | null {
  const { meters } = state;
  const known = Object.hasOwn(meters, name) ? meters[name] : undefined;
  if (known?.role === role) return known;
  if (known === undefined && Object.keys(meters).length >= mostMeters) return null;
  const fresh: MeterState = { role, latest: {}, quarters: {}, midnights: {}, fields: {} };
  // Creates an own property, even for `__proto__`.
  state.meters = { ...meters, [name]: fresh };
  return fresh;
}

function addReading(meter: MeterState, { counter, ts, amount }: CounterReading, timezone: string): void {
  const reading: Stamped = [ts, amount];
  keepReading(meter.latest, counter, reading, Infinity);
  const quarter = Math.ceil((ts - minuteMs / 2) / quarterMs) * quarterMs;
  if (quarter - ts <= 5 * minuteMs) keepReading(readingsAt(meter.quarters, quarter), counter, reading, quarter);
  const { start, end } = dayOf(ts, timezone);
  const before = counter === 'gas' ? hourMs : 5 * minuteMs;
  if (end - ts <= before) keepReading(readingsAt(meter.midnights, end), counter, reading, end);
  if (ts - start <= minuteMs / 2) keepReading(readingsAt(meter.midnights, start), counter, reading, start);
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
export function keepReading(readings: Readings, counter: Counter, reading: Stamped, border: number): void {
  const rival = readings[counter];
  if (rival === undefined || isAhead(reading, rival, border)) readings[counter] = reading;
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
  const known = Object.hasOwn(meter.fields, field) ? meter.fields[field] : undefined;
  const windows = known ?? { quarters: {}, hours: {}, days: {}, oldQuarters: {}, oldHours: {} };
  meter.fields[field] = windows;
  if (length === 'month' || length === 'year') {
    const sums = (windows[lists[length]] ??= {});
    const rival = sums[start];
    // That nothing was counted before a moment can be seen for a time only.
    const latest = Math.max(since, rival?.[2] ?? since);
    const [newEnd, newAmount] = isAfter([end, amount], rival) ? [end, amount] : (rival ?? [end, amount]);
    sums[start] = [newEnd, newAmount, latest];
    return;
  }
  const kept = windows[lists[length]];
  const rival = kept[start];
  if (isAfter([end, amount], rival)) kept[start] = [end, amount];
}

/** True for the window that lasts longer, and for the larger amount of the same window. */
function isAfter([end, amount]: Window, rival: Window | Sum | undefined): boolean {
  if (rival === undefined || end !== rival[0]) return rival === undefined || end > rival[0];
  return Math.abs(amount) > Math.abs(rival[1]);
}
