/** The meters that a simulated monitor has: their channels and their current readings. */
import type { FaultName } from './faults';
import { listHouseMeters } from './houses';
import type { Household, Minute } from './household';
import type { Registers } from './register-sums';
import type { RequestedPeriod, Span } from './requested-period';
import {
  amounts,
  fiveMinutesMs,
  type Future,
  gasHours,
  gasTime,
  minuteSeries,
  type MonitorState,
  noValue,
  type Sample,
  wholeMinute,
} from './series';
import { millis, type Millis, minuteMs } from '../time/units';
import { dayContaining, minuteAtLocalTime } from './house-day';
import { asMetered, lastHeard } from './metered-household';
import { connected, type ElectricityMeter, type Meter, netAmount, usage, volumeAmount } from './meter-kinds';

/** Channels that a meter without tariffs does not have. */
const secondTariff: ReadonlySet<string> = new Set(['t2', 't4', 'electric_energy_high']);

/** Channels of export. */
const exported: ReadonlySet<string> = new Set(['t3', 't4']);

/** The meter with its registers (fault `single-counter`: production meters count in the low tariff only). */
export function asCounting(meter: Meter, faults: ReadonlySet<FaultName>): Meter {
  if (meter.kind !== 'electricity' || !isSingleCounter(meter, faults)) return meter;
  return {
    ...meter,
    registers: (r) => {
      const [t1, t2, t3, t4] = meter.registers(r);
      return [t1 + t2, 0, t3 + t4, 0];
    },
  };
}

export type Channels = Readonly<Record<string, Sample>>;

/** The channels of an interface that the meter has; some of them have no value. */
export function offeredReadings(meter: Meter, faults: ReadonlySet<FaultName>, channels: Channels): Channels {
  return offeredChannels(meter, faults, channels, () => noValue);
}

/** The differences between the interfaces in the series of a meter. */
export interface SeriesForm {
  /** Name of the channel of the low tariff. */
  readonly low: string;
  readonly future: Future;
  /** The gas of a day, from a meter of DSMR 5. */
  readonly gasOfDay: (state: MonitorState, day: Span) => readonly Sample[];
}

/** The series of the channels that the meter has. */
export function offeredSeries(meter: Meter, state: MonitorState, asked: RequestedPeriod, form: SeriesForm) {
  return offeredChannels(meter, state.faults, makeSeries(meter, state, asked, form), (series) =>
    series.map(() => noValue),
  );
}

function makeSeries(
  meter: Meter,
  state: MonitorState,
  { unit, period, parts }: RequestedPeriod,
  { low, future, gasOfDay }: SeriesForm,
): Readonly<Record<string, readonly Sample[]>> {
  if (meter.kind === 'gas') {
    if (unit !== 'day') return { gas: amounts(state, parts, volumeAmount(meter), gasTime(state, state.now)) };
    return { gas: state.dsmr === 4 ? gasHours(state, period, future) : gasOfDay(state, period) };
  }
  const until = wholeMinute(state);
  if (meter.kind === 'pulse') {
    if (unit === 'day') return { flow: minuteSeries(state, period, meter.of, meter.litres, future) };
    return { volume: amounts(state, parts, volumeAmount(meter), until) };
  }
  if (unit === 'day') return { electric_power: minuteSeries(state, period, meter.of, meter.power, future) };
  return {
    [low]: amounts(state, parts, netAmount(meter, 'low'), until),
    electric_energy_high: amounts(state, parts, netAmount(meter, 'high'), until),
  };
}

/** @param empty a value of a channel that the meter has without a value */
function offeredChannels<T>(
  meter: Meter,
  faults: ReadonlySet<FaultName>,
  channels: Readonly<Record<string, T>>,
  empty: (value: T) => T,
): Readonly<Record<string, T>> {
  if (!isSingleCounter(meter, faults) && !meter.noExport) return channels;
  const offered = Object.entries(channels).filter(([name]) => !meter.noExport || !exported.has(name));
  if (!isSingleCounter(meter, faults)) return Object.fromEntries(offered);
  return Object.fromEntries(
    meter.emptyHigh
      ? offered.map(([name, value]) => [name, secondTariff.has(name) ? empty(value) : value])
      : offered.filter(([name]) => !secondTariff.has(name)),
  );
}

function isSingleCounter({ io, emptyHigh = false }: Meter, faults: ReadonlySet<FaultName>): boolean {
  return emptyHigh || (faults.has('single-counter') && io?.type === 'solar_energy');
}

export function findMeter(list: readonly Meter[], alias: string): Meter | null {
  return list.find((meter) => meter.alias === alias) ?? null;
}

type Installed = Pick<MonitorState, 'faults' | 'modbus' | 'household'>;

/** A pulse gas meter for half of the gas. */
const pulseGas = connected({ of: 'gas', alias: 'pulse-3', remote: 's02', share: 0.5 }, 4);

/** The meters with the options and faults of the monitor, in the order of the lists of I/Os. */
export function installedMeters(installed: Installed): readonly Meter[] {
  const { faults, household } = installed;
  const ofHouse = listHouseMeters(household.house).map((meter, index) => connected(meter, index + 1));
  const usual = ofHouse
    .filter(({ alias }) => alias !== 'p1-gas' || !faults.has('no-p1-gas'))
    .map((meter) => (meter.alias === 'mb5' ? modbusMeter(meter, installed) : meter));
  const all = usual.some(({ of }) => of === 'grid') ? [...usual, usage] : usual;
  return faults.has('pulse-gas') ? [pulseGas, ...all] : all;
}

/** The meter of an alias in the remote Open API; null if the response is 412. */
export function remoteMeter(alias: string, installed: Installed): Meter | null {
  if (installed.faults.has('alias-unsupported')) return null;
  return installedMeters(installed).find(({ remote }) => remote === alias) ?? null;
}

/** I/Os are numbered in the order of activation, so the pulse meter changes the number of this one. */
function modbusMeter(meter: Meter, { faults, modbus }: Installed): Meter {
  const io = meter.io && faults.has('pulse-gas') ? { ...meter.io, ioId: 6 } : meter.io;
  return { ...meter, alias: `mb${modbus}`, io };
}

/** Current powers and readings as measurements `[time, value]`. */
export interface Readings {
  /** Time of the last telegram, which is sent every 10 seconds (DSMR 4) or every second (DSMR 5). */
  readonly time: Millis;
  /** For the step of five seconds that contains the time; no value before the start of the measurements. */
  readonly power: (value: (minute: Minute) => number) => Sample;
  readonly reading: (value: (registers: Registers) => number, time?: Millis) => Sample;
  /** With the time of the gas meter, which reports every hour or every 5 minutes. */
  readonly gas: () => Sample;
}

/** Age of a telegram when the monitor sends it. `totals` of the local Open API are that much newer. */
export const telegramAgeMs = 5000;

/** Moment of the last telegram. Set by the first request after the cable was pulled. */
const pulledAt = new WeakMap<MonitorState['faults'], Millis>();

/** Moment of a meter's current readings (fault `p1-pulled`: that of the last telegram). */
export function currentMoment({ alias }: Meter, { faults, now }: MonitorState): Millis {
  const current = millis(now - telegramAgeMs);
  if (!faults.has('p1-pulled')) pulledAt.delete(faults);
  else if (alias.startsWith('p1')) {
    const last = pulledAt.get(faults) ?? current;
    pulledAt.set(faults, last);
    return last;
  }
  return current;
}

/** Readings of a meter that the monitor has at a moment, which can be in the past (last reading of a day). */
export function readingsAt(state: MonitorState, at: Millis, meter: Meter): Readings {
  const household = asMetered(state.household, state.faults, state.now);
  const pace = state.dsmr === 4 ? 10_000 : 1000;
  const time = lastHeard(household, meter.of, millis(Math.floor(at / pace) * pace));
  const isMeasured = (moment: Millis): boolean => moment >= household.since && moment <= state.now;
  const reading: Readings['reading'] = (value, given = time) => {
    const moment = lastReport(state, given);
    return isMeasured(moment) ? [moment, value(household.registers(moment))] : noValue;
  };
  const hasGas = !state.faults.has('no-p1-gas') && (meter.of === 'gas' || meter.gas === true);
  return {
    time,
    power: (value) => {
      const seen = lastPulse(household, meter, time);
      const isEmpty = meter.pulses === 'empty' && time - seen > fiveMinutesMs;
      return isMeasured(seen) && !isEmpty ? [seen, value(household.step(seen))] : noValue;
    },
    reading,
    gas: () => (hasGas ? reading((registers) => registers.gasM3, gasTime(state, time)) : noValue),
  };
}

const pulsesPerKwh = 1000;

/** Time of the last pulse of a meter that reports by pulses, in the last two days. */
function lastPulse(household: Household, meter: Meter, time: Millis): Millis {
  if (meter.kind !== 'electricity' || meter.pulses === undefined) return time;
  const pulses = (at: number): number => {
    const [t1, t2] = meter.registers(household.registers(millis(at)));
    return Math.floor((t1 + t2) * pulsesPerKwh);
  };
  const count = pulses(time);
  let [before, after] = [Math.max(household.since, time - 2880 * minuteMs), Number(time)];
  while (after - before > 1000) {
    const middle = Math.round((before + after) / 2000) * 1000;
    if (pulses(middle) < count) before = middle;
    else after = middle;
  }
  return millis(after);
}

/** Time of the last report of the meters. Fault `old-readings`: 20:00 on the previous day; `lagging-meter`: every 11 minutes. */
function lastReport({ household, now, faults }: MonitorState, at: Millis): Millis {
  if (faults.has('lagging-meter')) {
    const { start } = dayContaining(at, household.timezone);
    return millis(at - ((at - start) % (11 * minuteMs)));
  }
  if (!faults.has('old-readings')) return at;
  const yesterday = dayContaining(millis(dayContaining(now, household.timezone).start - 1), household.timezone);
  return millis(Math.min(at, yesterday.start + minuteAtLocalTime(yesterday, 20 * 60) * minuteMs));
}

/** The four registers of a meter as the channels t1 to t4. */
export function registerChannels(meter: ElectricityMeter, reading: Readings['reading'], time?: Millis) {
  const channel = (index: 0 | 1 | 2 | 3): Sample => reading((registers) => meter.registers(registers)[index], time);
  return { t1: channel(0), t2: channel(1), t3: channel(2), t4: channel(3) };
}
