/**
 * The channels of a CEMM 3.0 whose days are energies and volumes of the house, and their days. The vendor's example has the last
 * entry of a list in the current day.
 */
import { periodContaining } from '../../calendar/periods';
import { millis, minuteMs } from '../../time/units';
import type { Samples } from '../../protocol/responses';
import type { DaySum, KeptDaySum } from '../../store/kept-day-sums';
import { isCountedField, isVolume } from '../meters/field-readings';
import type { ChannelInfo, MeterInfo } from '../../model/payload';
import { seriesField } from '../../model/public-meters';

/** Kinds of fields of a meter that the balance counts; those of the phases are parts of these. */
const counted = /^(energy_(import|export)(_t[12])?_kwh|(gas|water|volume)_m3)$/;

export interface DayChannel {
  /** Key of the meter. */
  readonly meter: string;
  readonly channel: string;
  readonly field: string;
}

/** The channels of a meter whose values of a day are amounts. */
export function listDayChannels({ key, role, channels = [] }: MeterInfo): DayChannel[] {
  if (key === undefined) return [];
  return channels.flatMap((channel) => {
    const { name, semantics } = fieldOfChannel(channel, role);
    const isCounted = isCountedField(name) && counted.test(name) && semantics !== 'average';
    return isCounted ? [{ meter: key, channel: channel.key, field: name }] : [];
  });
}

/** The names of all fields of a meter. */
export function listFieldNames({ role, channels = [] }: MeterInfo): string[] {
  return channels.map((channel) => fieldOfChannel(channel, role).name);
}

function fieldOfChannel({ key, unit, aggregation }: ChannelInfo, role: MeterInfo['role']) {
  return seriesField(key, role, unit ?? null, aggregation ?? null);
}

/** Largest difference between the clocks of monitor and host, for the current day. */
const clockToleranceMs = 5 * minuteMs;

/** The days of a response, oldest first; null if its last entry is not in the current day. A day with two values has none. */
export function daysOfSamples(
  { times, values }: Pick<Samples, 'times' | 'values'>,
  timezone: string,
  now: number,
): DaySum[] | null {
  const days = new Map<number, DaySum>();
  times.forEach((time, index) => {
    const value = values[index] ?? NaN;
    const sum = Number.isNaN(value) ? null : value;
    const { start, end } = periodContaining('day', timezone, millis(time));
    const known = days.get(start);
    days.set(start, { start, end, sum: known === undefined || known.sum === sum ? sum : null });
  });
  const last = times.at(-1);
  if (last === undefined) return [];
  const today = periodContaining('day', timezone, millis(last));
  const isToday = now + clockToleranceMs >= today.start && now - clockToleranceMs < today.end;
  if (!isToday || [...days.keys()].some((start) => start > today.start)) return null;
  return [...days.values()].sort((a, b) => a.start - b.start);
}

/** kWh or m³ that a house can use in a day: the full capacity of its connection for as long. A larger value is a reading. */
const mostPerDay = { energy: 1440, volume: 200 } as const;
/** So many days without a smaller value than on the day before are no amounts. */
const fewestAscending = 8;

/**
 * The values that can be amounts of their days; the others are readings. It is not known whether a reading is of the start or of the end of its
 * day, so no amount follows from two of them.
 */
export function amountsOfDays(field: string, days: readonly KeptDaySum[]): ReadonlyMap<number, readonly number[]> {
  const most = isVolume(field) ? mostPerDay.volume : mostPerDay.energy;
  const values = days.flatMap(({ sums }) => sums).filter((value) => value !== 0);
  const isReading = values.filter((value) => value > most).length * 2 > values.length || isAscending(days);
  const amounts = days.map(({ start, sums }) => {
    const possible = sums.filter((value) => value >= 0 && value <= most);
    return [start, isReading ? [] : possible] as const;
  });
  return new Map(amounts);
}

/** The days on which the readings of a channel show that nothing flowed: those of the days before and after are the same. */
export function idleDays(field: string, days: readonly KeptDaySum[]): ReadonlySet<number> {
  if (!days.some(({ sums }) => sums.length > 0) || amountsKnown(field, days)) return new Set();
  const idle = days.flatMap(({ start, end }, index) => {
    const [before, after] = [days[index - 1], days[index + 1]];
    const isBetween = before?.end === start && after?.start === end;
    const [first, last] = [before?.sums[0], after?.sums[0]];
    return isBetween && first !== undefined && first > 0 && first === last ? [start] : [];
  });
  return new Set(idle);
}

function amountsKnown(field: string, days: readonly KeptDaySum[]): boolean {
  return [...amountsOfDays(field, days).values()].some((values) => values.length > 0);
}

function isAscending(days: readonly KeptDaySum[]): boolean {
  const values = days.flatMap(({ sums: [value] }) => (value === undefined ? [] : [value]));
  const isRising = values.every((value, index) => value >= (values[index - 1] ?? 0));
  return isRising && values.filter((value) => value > 0).length >= fewestAscending;
}
