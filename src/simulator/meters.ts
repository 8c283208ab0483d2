/** The meters of a simulated monitor: the quantity of each, its entry in the lists of I/Os, and its current readings. */
import type { FaultName } from './faults';
import type { HouseMeter, Source } from './house';
import { metersOf } from './houses';
import type { Household, Minute } from './household';
import type { Registers } from './register-sums';
import { type Amount, fiveMinutesMs, gasTime, noValue, type Sample, type MonitorState } from './series';
import { millis, type Millis } from '../protocol/time';
import { dayContaining, minuteMs, minuteAtLocalTime } from './local-days';
import { asMetered, lastHeard } from './metered-household';

interface ElectricityMeter {
  readonly kind: 'electricity';
  /** W of a minute. */
  readonly power: (minute: Minute) => number;
  /** kWh per tariff: import or production (t1, t2), export or own use (t3, t4). */
  readonly registers: (registers: Registers) => readonly [t1: number, t2: number, t3: number, t4: number];
}

/** Connected to the smart meter, which reads it every hour or every 5 minutes. */
interface GasMeter {
  readonly kind: 'gas';
  /** m³. */
  readonly volume: (registers: Registers) => number;
}

/** Water, or gas with its own pulse meter. */
export interface PulseMeter {
  readonly kind: 'pulse';
  /** m³. */
  readonly volume: (registers: Registers) => number;
  /** Litres of a minute. */
  readonly litres: (minute: Minute) => number;
}

export type VolumeMeter = GasMeter | PulseMeter;

/** An entry of the lists of I/Os. */
interface Io {
  readonly ioId: number;
  readonly port: number;
  readonly type: string;
  readonly portOption: string;
}

/** `io` is null for `usage`, which is calculated. */
interface Connection extends HouseMeter {
  readonly io: Io | null;
}

type Measured = ElectricityMeter | VolumeMeter;

export type Meter = Measured & Connection;

const electricity: Readonly<Record<Exclude<Source, 'gas' | 'water'>, Omit<ElectricityMeter, 'kind'>>> = {
  grid: {
    power: (minute) => minute.gridW,
    registers: (r) => [r.importT1Kwh, r.importT2Kwh, r.exportT1Kwh, r.exportT2Kwh],
  },
  roof: {
    power: (minute) => minute.solarW,
    registers: (r) => [r.solarT1Kwh, r.solarT2Kwh, r.solarOwnT1Kwh, r.solarOwnT2Kwh],
  },
  garage: {
    power: (minute) => minute.garageW,
    registers: (r) => [r.garageT1Kwh, r.garageT2Kwh, r.garageOwnT1Kwh, r.garageOwnT2Kwh],
  },
};

/** Values of the grid or of an inverter, times the meter's share. */
export function electricityOf({ of, share = 1 }: ElectricHouseMeter): ElectricityMeter {
  const { power, registers } = electricity[of];
  return {
    kind: 'electricity',
    power: (minute) => power(minute) * share,
    registers: (r) => {
      const [t1, t2, t3, t4] = registers(r);
      return [t1 * share, t2 * share, t3 * share, t4 * share];
    },
  };
}

/** Values of gas or water, times the meter's share. */
export function volumeOf({ of, share = 1 }: HouseMeter): Omit<PulseMeter, 'kind'> {
  return of === 'gas'
    ? { volume: (r) => r.gasM3 * share, litres: ({ gasL }) => gasL * share }
    : { volume: (r) => r.waterM3 * share, litres: ({ waterL }) => waterL * share };
}

function measured(meter: HouseMeter): Measured {
  if (isElectric(meter)) return electricityOf(meter);
  return { kind: meter.of === 'water' || meter.alias.startsWith('pulse') ? 'pulse' : 'gas', ...volumeOf(meter) };
}

/** A meter of the grid or of an inverter. */
export type ElectricHouseMeter = HouseMeter & { readonly of: keyof typeof electricity };

export function isElectric(meter: HouseMeter): meter is ElectricHouseMeter {
  return meter.of in electricity;
}

const typeOf: Readonly<Record<Source, string>> = {
  grid: 'p1',
  gas: 'gas',
  roof: 'solar_energy',
  garage: 'solar_energy',
  water: 'water',
};

/** Ports of the pulse inputs 1 to 3. */
const pulsePorts = [2, 4, 1];

function connected(meter: HouseMeter, ioId: number): Meter {
  const { of, alias } = meter;
  const type = typeOf[of];
  const onP1 = alias.startsWith('p1');
  const io: Io =
    onP1 || alias.startsWith('mb')
      ? { ioId, port: onP1 ? 3 : 5, type, portOption: of === 'grid' ? 'p1_in' : 'enabled' }
      : { ioId, port: pulsePorts[Number(alias.at(-1)) - 1] ?? 0, type, portOption: 's0_in' };
  return { ...meter, ...measured(meter), io };
}

/** Use of the household: grid plus production, calculated from the registers of the other meters. */
const usage: Meter = {
  of: 'grid',
  alias: 'usage',
  io: null,
  kind: 'electricity',
  power: ({ gridW, solarW, garageW }) => gridW + solarW + garageW,
  registers: (r) => [
    r.importT1Kwh + r.solarT1Kwh + r.garageT1Kwh,
    r.importT2Kwh + r.solarT2Kwh + r.garageT2Kwh,
    r.exportT1Kwh + r.solarOwnT1Kwh + r.garageOwnT1Kwh,
    r.exportT2Kwh + r.solarOwnT2Kwh + r.garageOwnT2Kwh,
  ],
};

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

/** The channels of an interface that the meter has. `empty` is a value of a channel that it has without a value. */
export function offeredChannels<T>(
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

/** The empty values of a channel: `[0, 0]` for a reading, and for each entry of a series. */
export const emptyReading = (): Sample => noValue;
export const emptySeries = (series: readonly Sample[]): readonly Sample[] => series.map(emptyReading);

function isSingleCounter({ io, emptyHigh = false }: Meter, faults: ReadonlySet<FaultName>): boolean {
  return emptyHigh || (faults.has('single-counter') && io?.type === 'solar_energy');
}

/** Net kWh in the low tariff: t1 - t3. */
export function netLow(meter: ElectricityMeter, registers: Registers): number {
  const [t1, , t3] = meter.registers(registers);
  return t1 - t3;
}

/** Net kWh in the high tariff: t2 - t4. */
export function netHigh(meter: ElectricityMeter, registers: Registers): number {
  const [, t2, , t4] = meter.registers(registers);
  return t2 - t4;
}

export function netLowAmount(meter: ElectricityMeter): Amount {
  return { reading: (registers) => netLow(meter, registers), units: 60_000 };
}

export function netHighAmount(meter: ElectricityMeter): Amount {
  return { reading: (registers) => netHigh(meter, registers), units: 60_000 };
}

export function volumeAmount(meter: VolumeMeter): Amount {
  return { reading: meter.volume, units: 1_000_000, isVolume: true };
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
  const ofHouse = metersOf(household.house).map((meter, index) => connected(meter, index + 1));
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
  const known = (moment: Millis): boolean => moment >= household.since && moment <= state.now;
  const reading: Readings['reading'] = (value, given = time) => {
    const moment = lastReport(state, given);
    return known(moment) ? [moment, value(household.registers(moment))] : noValue;
  };
  const hasGas = !state.faults.has('no-p1-gas') && (meter.of === 'gas' || meter.gas === true);
  return {
    time,
    power: (value) => {
      const seen = lastPulse(household, meter, time);
      const isEmpty = meter.pulses === 'empty' && time - seen > fiveMinutesMs;
      return known(seen) && !isEmpty ? [seen, value(household.step(seen))] : noValue;
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
export function registerChannels(
  meter: ElectricityMeter,
  reading: Readings['reading'],
  time?: Millis,
): Readonly<Record<'t1' | 't2' | 't3' | 't4', Sample>> {
  return {
    t1: reading((registers) => meter.registers(registers)[0], time),
    t2: reading((registers) => meter.registers(registers)[1], time),
    t3: reading((registers) => meter.registers(registers)[2], time),
    t4: reading((registers) => meter.registers(registers)[3], time),
  };
}
