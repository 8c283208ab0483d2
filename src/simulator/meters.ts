/** The meters of a simulated monitor: what each one measures, how the lists of I/Os describe it, and its current readings. */
import type { FaultName } from './faults';
import type { Minute, Registers } from './household';
import { gasTime, noValue, type Sample, type MonitorState } from './series';
import { millis, type Millis } from '../protocol/time';
import { dayContaining, minuteMs, minuteAtLocalTime } from './local-days';
import { asMetered } from './metered-household';

interface ElectricityMeter {
  readonly kind: 'electricity';
  /** W in a minute. */
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
  /** In a minute. */
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
interface Connection {
  readonly alias: string;
  readonly io: Io | null;
}

export type Meter = (ElectricityMeter & Connection) | (VolumeMeter & Connection);

const grid: Meter = {
  alias: 'p1',
  io: { ioId: 1, port: 3, type: 'p1', portOption: 'p1_in' },
  kind: 'electricity',
  power: (minute) => minute.gridW,
  registers: (r) => [r.importT1Kwh, r.importT2Kwh, r.exportT1Kwh, r.exportT2Kwh],
};

const gas: Meter = {
  alias: 'p1-gas',
  io: { ioId: 2, port: 3, type: 'gas', portOption: 'enabled' },
  kind: 'gas',
  volume: (r) => r.gasM3,
};

const roof: Meter = {
  alias: 's01',
  io: { ioId: 3, port: 2, type: 'solar_energy', portOption: 's0_in' },
  kind: 'electricity',
  power: (minute) => minute.solarW,
  registers: (r) => [r.solarT1Kwh, r.solarT2Kwh, r.solarOwnT1Kwh, r.solarOwnT2Kwh],
};

const garage: Meter = {
  alias: 'mb5',
  io: { ioId: 4, port: 5, type: 'solar_energy', portOption: 'enabled' },
  kind: 'electricity',
  power: (minute) => minute.garageW,
  registers: (r) => [r.garageT1Kwh, r.garageT2Kwh, r.garageOwnT1Kwh, r.garageOwnT2Kwh],
};

const water: Meter = {
  alias: 'pulse-2',
  io: { ioId: 5, port: 4, type: 'water', portOption: 's0_in' },
  kind: 'pulse',
  volume: (r) => r.waterM3,
  litres: (minute) => minute.waterL,
};

/** Use of the household: grid plus production, calculated from the registers of the other meters. */
const usage: Meter = {
  alias: 'usage',
  io: null,
  kind: 'electricity',
  power: (minute) => minute.homeW,
  registers: (r) => [
    r.importT1Kwh + r.solarT1Kwh + r.garageT1Kwh,
    r.importT2Kwh + r.solarT2Kwh + r.garageT2Kwh,
    r.exportT1Kwh + r.solarOwnT1Kwh + r.garageOwnT1Kwh,
    r.exportT2Kwh + r.solarOwnT2Kwh + r.garageOwnT2Kwh,
  ],
};

/** Channels that a meter without tariffs does not have. */
const secondTariff: ReadonlySet<string> = new Set(['t2', 't4', 'electric_energy_high']);

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

/** The channels of an interface that the meter has. */
export function offeredChannels<T>(
  meter: Meter,
  faults: ReadonlySet<FaultName>,
  channels: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  if (!isSingleCounter(meter, faults)) return channels;
  return Object.fromEntries(Object.entries(channels).filter(([name]) => !secondTariff.has(name)));
}

function isSingleCounter({ io }: Meter, faults: ReadonlySet<FaultName>): boolean {
  return faults.has('single-counter') && io?.type === 'solar_energy';
}

/** In the order of the local list of I/Os. */
const meters: readonly Meter[] = [grid, gas, roof, garage, water, usage];

/** The meters of the remote Open API. Nothing is connected to s02, s03 and han. */
const remoteMeters: readonly Meter[] = [grid, gas, roof];

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

/** A quantity that is added up over days and months. */
export interface Amount {
  readonly reading: (registers: Registers) => number;
  /** Units per kWh or m³. Amounts are multiples of one unit, so rounding removes only errors of binary fractions. */
  readonly units: 60_000 | 1_000_000;
  readonly isVolume?: boolean;
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

type Installed = Pick<MonitorState, 'faults' | 'modbus'>;

/** A pulse gas meter for half of the gas, with alias s02 in the remote and pulse-3 in the local Open API. */
const pulseGas: Meter = {
  alias: 'pulse-3',
  io: { ioId: 4, port: 1, type: 'gas', portOption: 's0_in' },
  kind: 'pulse',
  volume: (registers) => registers.gasM3 / 2,
  litres: (minute) => minute.gasL / 2,
};

/** The meters with the options and faults of the monitor, in the order of the lists of I/Os. */
export function installedMeters(installed: Installed): readonly Meter[] {
  const { faults } = installed;
  const usual = meters
    .filter(({ alias }) => alias !== 'p1-gas' || !faults.has('no-p1-gas'))
    .map((meter) => (meter.alias === 'mb5' ? modbusMeter(meter, installed) : meter));
  return faults.has('pulse-gas') ? [pulseGas, ...usual] : usual;
}

/** The meter of an alias in the remote Open API; null if the response is 412. */
export function remoteMeter(alias: string, { faults }: Installed): Meter | null {
  if (faults.has('alias-unsupported') || (alias === 'p1-gas' && faults.has('no-p1-gas'))) return null;
  return alias === 's02' && faults.has('pulse-gas') ? pulseGas : findMeter(remoteMeters, alias);
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
  /** Of the step of five seconds that contains the time; no value before the start of the measurements. */
  readonly power: (value: (minute: Minute) => number) => Sample;
  readonly reading: (value: (registers: Registers) => number, time?: Millis) => Sample;
  /** With the time of the gas meter, which reports every hour or every 5 minutes. */
  readonly gas: () => Sample;
}

/** Age of a telegram when the monitor sends it. `totals` of the local Open API are that much newer. */
export const telegramAgeMs = 5000;

/** Moment of the last telegram, for a monitor that was asked since the cable was pulled. */
const pulledAt = new WeakMap<MonitorState['faults'], Millis>();

/** Moment of the current readings of a meter (fault `p1-pulled`: that of the last telegram). */
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

/** Readings that a monitor has at a moment, which can be in the past (last reading of a day). */
export function readingsAt(state: MonitorState, at: Millis): Readings {
  const household = asMetered(state.household, state.faults, state.now);
  const pace = state.dsmr === 4 ? 10_000 : 1000;
  const time = millis(Math.floor(at / pace) * pace);
  const known = (moment: Millis): boolean => moment >= household.since && moment <= state.now;
  const reading: Readings['reading'] = (value, given = time) => {
    const moment = lastReport(state, given);
    return known(moment) ? [moment, value(household.registers(moment))] : noValue;
  };
  return {
    time,
    power: (value) => (known(time) ? [time, value(household.step(time))] : noValue),
    reading,
    gas: () => (state.faults.has('no-p1-gas') ? noValue : reading((registers) => registers.gasM3, gasTime(state, at))),
  };
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
