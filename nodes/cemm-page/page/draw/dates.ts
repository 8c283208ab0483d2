/** Days of the calendar as texts such as `2026-10-25`, and the day and hour of a moment at the house. */
import type { Unit } from '../views';
import { dateFormat } from './formatters';

export interface LocalTime {
  /** `2026-10-25` */
  readonly day: string;
  readonly hour: number;
}

/** @param timezone null: that of the browser */
export function localTime(moment: number, timezone: string | null): LocalTime {
  const parts = dateFormat('en-CA', {
    timeZone: timezone ?? undefined,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: Number(part('hour')) };
}

/** Noon in UTC, a moment of this day in the calendar without a time zone. */
export function noonOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return Date.UTC(year, month - 1, date, 12);
}

/** A day that is some days, weeks, months or years later; the last day of the month where the month has no such day. */
export function addTo(day: string, count: number, unit: Unit): string {
  const noon = new Date(noonOf(day));
  const [days, months] = steps[unit];
  if (months === 0) noon.setUTCDate(noon.getUTCDate() + days * count);
  else {
    const date = noon.getUTCDate();
    noon.setUTCMonth(noon.getUTCMonth() + months * count, 1);
    noon.setUTCDate(Math.min(date, daysOfMonth(noon)));
  }
  return noon.toISOString().slice(0, 10);
}

function daysOfMonth(noon: Date): number {
  return new Date(Date.UTC(noon.getUTCFullYear(), noon.getUTCMonth() + 1, 0)).getUTCDate();
}

const daysOfWeek = 7;
const lengths = { day: 10, month: 7, year: 4 };
const steps: Readonly<Record<Unit, readonly [days: number, months: number]>> = {
  day: [1, 0],
  week: [daysOfWeek, 0],
  month: [0, 1],
  year: [0, 12],
};

/** `2026-10-25`, `2026-10` or `2026`; the Monday of a week. */
export function labelOf(day: string, unit: Unit): string {
  return unit === 'week' ? mondayOf(day) : day.slice(0, lengths[unit]);
}

function mondayOf(day: string): string {
  return addTo(day, -((new Date(noonOf(day)).getUTCDay() + 6) % daysOfWeek), 'day');
}

/** Number of the ISO week: it belongs to the year of its Thursday. */
export function weekNumber(day: string): number {
  const thursday = noonOf(addTo(mondayOf(day), 3, 'day'));
  const january = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1, 12);
  return 1 + Math.floor((thursday - january) / (daysOfWeek * 86_400_000));
}
