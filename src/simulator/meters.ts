/** The meters on every simulated monitor: what each counts, and how the two I/O lists describe it. */
import type { FaultName } from './faults';
import type { Minute, Registers } from './house';

export interface ElectricityMeter {
  readonly kind: 'electricity';
  /** W in a minute. */
  readonly power: (minute: Minute) => number;
  /** Forward registers (import or production) and backward ones (export or own use) per tariff, kWh. */
  readonly registers: (registers: Registers) => readonly [t1: number, t2: number, t3: number, t4: number];
}

/** Behind the smart meter, which reads it every hour or every 5 minutes. */
export interface GasMeter {
  readonly kind: 'gas';
  /** m³. */
  readonly volume: (registers: Registers) => number;
}

/** Water, or gas with a meter of its own. */
export interface PulseMeter {
  readonly kind: 'pulse';
  /** m³. */
  readonly volume: (registers: Registers) => number;
  /** In a minute. */
  readonly litres: (minute: Minute) => number;
}

export type VolumeMeter = GasMeter | PulseMeter;

/** One record of the I/O lists (spec.md, I/O record; vendor-facts 1.2 for the alias of the local list). */
export interface Io {
  readonly ioId: number;
  readonly port: number;
  readonly type: string;
  readonly portOption: string;
}

/** `io` is null for the electric usage, which is calculated and not connected. */
interface Connected {
  readonly alias: string;
  readonly io: Io | null;
}

export type Meter = (ElectricityMeter & Connected) | (VolumeMeter & Connected);

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

/** What the house used: grid plus both productions. It has no counter of its own, only net amounts. */
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

/** Channels that a meter without tariffs lacks. */
const secondTariff: ReadonlySet<string> = new Set(['t2', 't4', 'electric_energy_high']);

/** The meter as it counts (fault single-counter: production meters count all in the low tariff). */
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

/** The channels that the meter offers out of those that an interface has for it. */
export function offered<T>(
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

/** In the order of the local I/O list. */
export const meters: readonly Meter[] = [grid, gas, roof, garage, water, usage];

/** The meters that have one of the remote aliases; at s02, s03 and han nothing is connected. */
export const remoteMeters: readonly Meter[] = [grid, gas, roof];

/** Net kWh in the low tariff: t1 - t3 (spec.md B, Channels). */
export function netLow(meter: ElectricityMeter, registers: Registers): number {
  const [t1, , t3] = meter.registers(registers);
  return t1 - t3;
}

/** Net kWh in the high tariff: t2 - t4. */
export function netHigh(meter: ElectricityMeter, registers: Registers): number {
  const [, t2, , t4] = meter.registers(registers);
  return t2 - t4;
}

/** What a meter adds up over days and months. */
export interface Amount {
  readonly reading: (registers: Registers) => number;
  /** Counted units in one kWh or m³: amounts are whole numbers of them, and rounding takes away only floating point dust. */
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
