/** Series of days, months and years as measurements `[time, value]`, newest first, and the state of a monitor. */
import { hourMs, millis, type Millis, minuteMs } from '../time/units';
import type { FaultName } from './faults';
import type { Source } from './house';
import type { Household, Minute } from './household';
import type { Registers } from './register-sums';
import { dayContaining } from './house-day';
import { type Span } from './requested-period';
import { asCounted, isMissing } from './metered-household';

/** A quantity that is added up over days and months. */
export interface Amount {
  readonly reading: (registers: Registers) => number;
  /** Units per kWh or m³. Amounts are multiples of one unit, so rounding removes only errors of binary fractions. */
  readonly units: 60_000 | 1_000_000;
  readonly isVolume?: boolean;
}

/** A measurement: Unix milliseconds and value. */
export type Sample = readonly [time: number, value: number | null];

/** The measurement for "no value" in the Open APIs. */
export const noValue: Sample = [0, 0];

/** The state of a monitor at the time of a request. */
export interface MonitorState {
  readonly household: Household;
  /** The clock of the monitor. */
  readonly now: Millis;
  /** DSMR generation of the smart meter. */
  readonly dsmr: 4 | 5;
  /** Address of the Modbus meter. */
  readonly modbus: number;
  readonly faults: ReadonlySet<FaultName>;
}

/** Entries of slots that are not over. `last-null`: only the last one of the day, as null (local); `zero`: 0 (remote). */
export type Future = 'last-null' | 'zero';

export const fiveMinutesMs = 5 * minuteMs;

/** Interval of gas readings: an hour, or five minutes from DSMR 5 on. */
function gasStep({ dsmr }: MonitorState): number {
  return dsmr === 4 ? hourMs : fiveMinutesMs;
}

/** Time of the last gas reading before a moment. Intervals count from the start of the local day. */
export function gasTime(state: MonitorState, at: Millis): Millis {
  const { start } = dayContaining(at, state.household.timezone);
  const step = gasStep(state);
  return millis(start + Math.floor((at - start) / step) * step);
}

/** One value per minute of a day, from the meter of a source. */
export function minuteSeries(
  state: MonitorState,
  day: Span,
  source: Source,
  value: (minute: Minute) => number,
  future: Future,
): readonly Sample[] {
  const samples = slots(state, day, source, minuteMs, future, (start) => value(state.household.minute(start)));
  return state.household.house.isShuffled ? shuffled(samples) : samples;
}

/** m³ of each hour of a day (DSMR 4); with fault `volume-counter` the reading at its start. */
export function gasHours(state: MonitorState, day: Span, future: Future): readonly Sample[] {
  return slots(state, day, 'gas', hourMs, future, gasBetween(state));
}

/** L/min of every five minutes of a day (DSMR 5); with fault `volume-counter` the reading at their start. */
export function gasFiveMinutes(state: MonitorState, day: Span, future: Future): readonly Sample[] {
  return slots(state, day, 'gas', fiveMinutesMs, future, gasFlow(state));
}

/**
 * L/min of every minute of a day and of the first minute after it, as in the remote Open API (DSMR 5). The meter reports every
 * five minutes, so five minutes have the same value.
 */
export function gasMinutes(state: MonitorState, day: Span): readonly Sample[] {
  const flow = gasFlow(state);
  const withNext = { start: day.start, end: millis(day.end + minuteMs) };
  return slots(state, withNext, 'gas', minuteMs, 'zero', (time) => {
    const start = millis(day.start + Math.floor((time - day.start) / fiveMinutesMs) * fiveMinutesMs);
    const end = millis(start + fiveMinutesMs);
    return end <= state.now ? flow(start, end) : 0;
  });
}

/**
 * The amounts in the days of a month or the months of a year. Future parts are 0. The current part ends at `until`, so that
 * it is the sum of the minutes in the series of the day.
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

/** The last whole minute, which is the end of amounts of electricity and water. */
export function wholeMinute({ now }: MonitorState): Millis {
  return millis(Math.floor(now / minuteMs) * minuteMs);
}

/** In no order, and every seventh of them twice. */
function shuffled(samples: readonly Sample[]): readonly Sample[] {
  const place = (time: number): number => ((time / minuteMs) * 7919) % 1440;
  return samples
    .flatMap((sample, index) => (index % 7 === 0 ? [sample, sample] : [sample]))
    .sort(([one], [other]) => place(one) - place(other));
}

/** L/min of five minutes; with fault `volume-counter` the reading in m³. */
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

/** Slots of equal length of a day. A slot has a value if it is over and after the start of the measurements. */
function slots(
  { household, now, faults }: MonitorState,
  day: Span,
  source: Source,
  step: number,
  future: Future,
  value: (start: Millis, end: Millis) => number,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (let time = day.start; time < day.end; time = millis(time + step)) {
    const end = millis(Math.min(day.end, time + step));
    if (time < household.since || isMissing(time, household, faults, source)) continue;
    if (end <= now) samples.push([time, value(time, end)]);
    else if (future === 'zero') samples.push([time, 0]);
    else if (end === day.end) samples.push([time, null]);
  }
  return samples.reverse();
}
