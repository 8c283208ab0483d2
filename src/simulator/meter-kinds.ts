/** The kinds of meters of a simulated monitor: the quantities of each, and its entry in the lists of I/Os. */
import type { HouseMeter, Source } from './house';
import type { Minute } from './household';
import { type Registers, registersOf } from './register-sums';
import type { Amount } from './series';

export interface ElectricityMeter {
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

const powers: Readonly<Record<Exclude<Source, 'gas' | 'water'>, (minute: Minute) => number>> = {
  grid: (minute) => minute.gridW,
  roof: (minute) => minute.solarW,
  garage: (minute) => minute.garageW,
  heatPump: (minute) => minute.heatPumpW,
  car: (minute) => minute.carW,
  boiler: (minute) => minute.boilerW,
  battery: (minute) => -minute.batteryW + 0,
};

/** Values of the grid, of an inverter, of a battery or of a device, times the meter's share. */
export function electricityOf({ of, share = 1 }: ElectricHouseMeter): ElectricityMeter {
  const power = powers[of];
  const [t1, t2, t3, t4] = registersOf[of].map((name) => (r: Registers) => r[name] * share);
  return {
    kind: 'electricity',
    power: (minute) => power(minute) * share,
    registers: (r) => [t1?.(r) ?? 0, t2?.(r) ?? 0, t3?.(r) ?? 0, t4?.(r) ?? 0],
  };
}

/** Values of gas or water, times the meter's share. */
export function volumeOf({ of, share = 1 }: HouseMeter): Omit<PulseMeter, 'kind'> {
  return of === 'gas'
    ? { volume: (r) => r.gasM3 * share, litres: ({ gasL }) => gasL * share }
    : { volume: (r) => r.waterM3 * share, litres: ({ waterL }) => waterL * share };
}

function describeMeasured(meter: HouseMeter): Measured {
  if (isElectric(meter)) return electricityOf(meter);
  return { kind: meter.of === 'water' || meter.alias.startsWith('pulse') ? 'pulse' : 'gas', ...volumeOf(meter) };
}

/** A meter of the grid, of an inverter, of a battery or of a device. */
export type ElectricHouseMeter = HouseMeter & { readonly of: keyof typeof powers };

export function isElectric(meter: HouseMeter): meter is ElectricHouseMeter {
  return meter.of in powers;
}

const typeOf: Readonly<Record<Source, string>> = {
  grid: 'p1',
  gas: 'gas',
  roof: 'solar_energy',
  garage: 'solar_energy',
  battery: 'electricity',
  heatPump: 'electricity',
  car: 'electricity',
  boiler: 'electricity',
  water: 'water',
};

/** Ports of the pulse inputs 1 to 3. */
const pulsePorts = [2, 4, 1];

/** The meter with what it measures, and its entry in the lists of I/Os. */
export function connected(meter: HouseMeter, ioId: number): Meter {
  const { of, alias } = meter;
  const type = typeOf[of];
  const onP1 = alias.startsWith('p1');
  const io: Io =
    onP1 || alias.startsWith('mb')
      ? { ioId, port: onP1 ? 3 : 5, type, portOption: of === 'grid' ? 'p1_in' : 'enabled' }
      : { ioId, port: pulsePorts[Number(alias.at(-1)) - 1] ?? 0, type, portOption: 's0_in' };
  return { ...meter, ...describeMeasured(meter), io };
}

/** Use of the household: grid plus production, calculated from the registers of the other meters. */
export const usage: Meter = {
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

/** Net kWh of a tariff: t1 - t3 for the low one, t2 - t4 for the high one. */
export function netReader(meter: ElectricityMeter, tariff: 'low' | 'high'): (registers: Registers) => number {
  return (registers) => {
    const [t1, t2, t3, t4] = meter.registers(registers);
    return tariff === 'low' ? t1 - t3 : t2 - t4;
  };
}

export function netAmount(meter: ElectricityMeter, tariff: 'low' | 'high'): Amount {
  return { reading: netReader(meter, tariff), units: 60_000 };
}

export function volumeAmount(meter: VolumeMeter): Amount {
  return { reading: meter.volume, units: 1_000_000, isVolume: true };
}
