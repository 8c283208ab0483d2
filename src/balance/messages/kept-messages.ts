/** The retention of messages in memory, and the daily sums that replace old ones. */
import { periodContaining } from '../../calendar/periods';
import { dayMs, hourMs, millis, quarterMs } from '../../time/units';
import { isPossible } from '../meters/breaks';
import { counterLike, countersAt } from '../meters/field-readings';
import { quartersOfReadings } from '../period/peak';
import type { CountedWindows, MessagesState, MeterState, Stamped, Window } from './state';

export const quartersKept = 3 * dayMs;
const daysKept = 400 * dayMs;
/** Last year and the one before, from its first day on. */
const sumsKept = 1100 * dayMs;

/** Data expires at whole hours: the end of the hour is when it is due again. */
export function roundDownToHour(newest: number): number {
  return Math.floor(newest / hourMs) * hourMs;
}

/** Removes old data; old quarters and hours are kept as daily sums. */
export function prune(state: MessagesState, timezone: string): void {
  const newest = roundDownToHour(state.newest);
  const [quarters, days] = [newest - quartersKept, newest - daysKept];
  keepBreaks(Object.values(state.meters), quarters);
  for (const meter of Object.values(state.meters)) {
    keepPeaks(meter, quarters, timezone);
    dropBefore(meter.peaks ?? {}, days);
    dropBefore(meter.quarters, quarters);
    dropBefore(meter.breaks ?? {}, days);
    dropBefore(meter.midnights, days);
    for (const field of Object.values(meter.fields)) {
      countBefore(field.quarters, field.oldQuarters, quarters, timezone);
      countBefore(field.hours, field.oldHours, quarters, timezone);
      for (const list of [field.months ?? {}, field.years ?? {}]) dropBefore(list, newest - sumsKept);
      for (const list of [field.days, field.oldQuarters, field.oldHours]) dropBefore(list, days);
    }
  }
}

/** Keeps the highest quarter of a day before its quarters are dropped. */
function keepPeaks(meter: MeterState, moment: number, timezone: string): void {
  const old = Object.keys(meter.quarters).filter((border) => Number(border) < moment + quarterMs);
  const readings = old.flatMap((border) => countersAt(meter.quarters[border] ?? {}, meter.offers, 'grid'));
  for (const [start, amount] of quartersOfReadings(readings, -Infinity, Infinity)) {
    if (start >= moment) continue;
    const peaks = (meter.peaks ??= {});
    const day = String(findDay(start, timezone).start);
    const rival = peaks[day];
    const isHigher = rival === undefined || amount > rival[1] || (amount === rival[1] && start < rival[0]);
    if (isHigher) peaks[day] = [start, amount];
  }
}

/** Upper limit; a meter has fewer breaks. */
const mostBreaks = 80;

/**
 * Keeps the quarters on both sides of a break, and the ends of its hours, before quarters are dropped. All meters keep them, because
 * the house is the sum of amounts of the same hours.
 */
function keepBreaks(meters: readonly MeterState[], moment: number): void {
  const borders = new Set(meters.flatMap((meter) => findBordersOfBreaks(meter, moment)));
  for (const meter of meters) {
    const { quarters, breaks = {} } = meter;
    for (const border of borders) {
      const readings = breaks[border] ?? quarters[border];
      if (readings !== undefined) breaks[border] = readings;
    }
    const kept = Object.keys(breaks).sort((a, b) => Number(a) - Number(b));
    for (const border of kept.slice(0, -mostBreaks)) Reflect.deleteProperty(breaks, border);
    if (kept.length > 0) meter.breaks = breaks;
  }
}

/** The borders before a moment between which a counter of the meter makes an impossible step, and the ends of their hours. */
function findBordersOfBreaks({ quarters, breaks = {} }: MeterState, moment: number): string[] {
  const isOld = (border: string): boolean => Number(border) < moment;
  if (!Object.keys(quarters).some((border) => isOld(border) && breaks[border] === undefined)) return [];
  const moments = new Set([...Object.keys(quarters), ...Object.keys(breaks)].map(Number));
  const borders = [...moments].sort((a, b) => a - b).map(String);
  const last = new Map<string, { border: string; reading: Stamped }>();
  const found: string[] = [];
  for (const border of borders) {
    const readings = breaks[border] ?? quarters[border] ?? {};
    for (const [field, reading] of Object.entries(readings)) {
      // A monitor sends 0 for a moment after a restart.
      if (reading[1] === 0) continue;
      const before = last.get(field);
      last.set(field, { border, reading });
      if (before === undefined) continue;
      const [ms, change] = [reading[0] - before.reading[0], reading[1] - before.reading[1]];
      if (isPossible(counterLike(field), change, ms)) continue;
      for (const around of bordersAround(Number(before.border), Number(border))) if (isOld(around)) found.push(around);
    }
    if (!isOld(border)) break;
  }
  return found;
}

function bordersAround(from: number, to: number): string[] {
  return [roundDownToHour(from), from, to, Math.ceil(to / hourMs) * hourMs].map(String);
}

function dropBefore(list: Record<string, unknown>, moment: number): void {
  for (const key of Object.keys(list)) if (Number(key) < moment) Reflect.deleteProperty(list, key);
}

function countBefore(
  windows: Record<string, Window>,
  old: Record<string, CountedWindows>,
  moment: number,
  timezone: string,
): void {
  // Few of them are old, so only their values are read.
  for (const key of Object.keys(windows)) {
    const start = Number(key);
    const window = start < moment ? windows[key] : undefined;
    if (window === undefined) continue;
    const [end, amount] = window;
    Reflect.deleteProperty(windows, key);
    const day = findDay(start, timezone);
    const counted = old[day.start] ?? { seen: '0', sum: 0 };
    old[day.start] = counted;
    const bit = 1n << BigInt(Math.floor((start - day.start) / (end - start)));
    const seen = BigInt(`0x${counted.seen}`);
    if ((seen & bit) !== 0n) continue;
    counted.seen = (seen | bit).toString(16);
    counted.sum += amount;
  }
}

let latest: { timezone: string; start: number; end: number } = { timezone: '', start: 0, end: 0 };

/** Messages arrive in order of time, so the day is usually the previous one. */
export function findDay(ts: number, timezone: string): { readonly start: number; readonly end: number } {
  if (latest.timezone !== timezone || ts < latest.start || ts >= latest.end) {
    const { start, end } = periodContaining('day', timezone, millis(ts));
    latest = { timezone, start, end };
  }
  return latest;
}
