/** Days in minutes, months in days and years in months, as MeasurementArrays with the newest first. */
import { millis, type Millis } from '../protocol/time';
import type { FaultName } from './faults';
import type { Household, Minute } from './household';
import { dayContaining, minuteMs, type Span } from './local-days';
import type { Amount } from './meters';
import { asCounted, isMissing } from './metered-household';

/** A MeasurementArray: epoch milliseconds and value. */
export type Sample = readonly [time: number, value: number | null];

/** The wire's word for "no value". */
export const noValue: Sample = [0, 0];

/** The moment of a question: whose house, what time the monitor has, which meter generation, what is broken. */
export interface MonitorState {
  readonly household: Household;
  readonly now: Millis;
  readonly dsmr: 4 | 5;
  /** Address of the Modbus meter. */
  readonly modbus: number;
  readonly faults: ReadonlySet<FaultName>;
}

/** What stands in a day for slots that are not over: nothing but the last one as null (local), or zeros (remote). */
export type Future = 'last-null' | 'zero';

export const fiveMinutesMs = 5 * minuteMs;
export const hourMs = 60 * minuteMs;

/** How often the gas reading changes: hourly, from DSMR 5 on every five minutes (spec.md, endpoint 5). */
export function gasStep({ dsmr }: MonitorState): number {
  return dsmr === 4 ? hourMs : fiveMinutesMs;
}

/** When the gas meter last reported at a moment; steps count from the start of the local day. */
export function gasTime(state: MonitorState, at: Millis): Millis {
  const { start } = dayContaining(at, state.household.timezone);
  const step = gasStep(state);
  return millis(start + Math.floor((at - start) / step) * step);
}

/** One value per minute of a day. */
export function minuteSeries(
  state: MonitorState,
  day: Span,
  value: (minute: Minute) => number,
  future: Future,
): readonly Sample[] {
  return slots(state, day, minuteMs, future, (start) => value(state.household.minute(start)));
}

/** m³ of each hour of a day (DSMR 4), or the counter at its beginning. */
export function gasHours(state: MonitorState, day: Span, future: Future): readonly Sample[] {
  const used = gasBetween(state);
  return slots(state, day, hourMs, future, (start, end) => used(start, end));
}

/** L/min of every five minutes of a day (DSMR 5), or the counter at their beginning. */
export function gasFiveMinutes(state: MonitorState, day: Span, future: Future): readonly Sample[] {
  return slots(state, day, fiveMinutesMs, future, gasFlow(state));
}

/**
 * L/min for every minute of a day and for the first minute after it, index 0 to 1440 of spec.md, endpoint 5 (DSMR 5):
 * the meter reports every five minutes, so five minutes share one value.
 */
export function gasMinutes(state: MonitorState, day: Span): readonly Sample[] {
  const flow = gasFlow(state);
  const withNext = { start: day.start, end: millis(day.end + minuteMs) };
  return slots(state, withNext, minuteMs, 'zero', (time) => {
    const start = millis(day.start + Math.floor((time - day.start) / fiveMinutesMs) * fiveMinutesMs);
    const end = millis(start + fiveMinutesMs);
    return end <= state.now ? flow(start, end) : 0;
  });
}

/**
 * What was counted in each part of a month or year; parts that have not begun are 0 (spec.md B, Month and Year).
 * The current part ends at `until`, a whole minute, so that it is the sum of the minutes that the day series shows.
 */
export function amounts(
  { household, now, faults }: MonitorState,
  parts: readonly Span[],
  { reading, units, isVolume = false }: Amount,
  until: Millis,
): readonly Sample[] {
  const counted = asCounted(household, faults, now);
  const showsCounter = isVolume && faults.has('volume-counter');
  return parts
    .map(({ start, end }): Sample => {
      const from = Math.max(start, household.since);
      const to = Math.min(end, until);
      if (to <= from) return [start, 0];
      if (showsCounter) return [start, reading(counted.registers(millis(from)))];
      const amount = reading(counted.registers(millis(to))) - reading(counted.registers(millis(from)));
      return [start, Math.round(amount * units) / units];
    })
    .reverse();
}

/** The last whole minute: where amounts per day and month end (electricity and water). */
export function wholeMinute({ now }: MonitorState): Millis {
  return millis(Math.floor(now / minuteMs) * minuteMs);
}

/** Of five minutes, in L/min; the counter's own m³ where that is what the monitor shows. */
function gasFlow(state: MonitorState): (start: Millis, end: Millis) => number {
  const between = gasBetween(state);
  return state.faults.has('volume-counter') ? between : (start, end) => (between(start, end) * 1000) / 5;
}

function gasBetween({ household, now, faults }: MonitorState): (start: Millis, end: Millis) => number {
  const counted = asCounted(household, faults, now);
  if (faults.has('volume-counter')) return (start) => counted.registers(start).gasM3;
  // Whole millilitres, as in amounts.
  return (start, end) => Math.round((counted.registers(end).gasM3 - counted.registers(start).gasM3) * 1e6) / 1e6;
}

/** Slots of equal length through a day; a slot has a value when it is over and the meters were in service. */
function slots(
  { household, now, faults }: MonitorState,
  day: Span,
  step: number,
  future: Future,
  value: (start: Millis, end: Millis) => number,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (let time = day.start; time < day.end; time = millis(time + step)) {
    const end = millis(Math.min(day.end, time + step));
    if (time < household.since || isMissing(time, household, faults)) continue;
    if (end <= now) samples.push([time, value(time, end)]);
    else if (future === 'zero') samples.push([time, 0]);
    else if (end === day.end) samples.push([time, null]);
  }
  return samples.reverse();
}
