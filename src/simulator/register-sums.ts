/** Sums of power, gas and water since the start of the measurements, in whole numbers. */
import { type DayMinutes, type DeviceMinutes, numberAt } from './day-minutes';
import type { Source } from './house';
import { seededRandom } from './seeded-random';
import { countedForwards, isOneWay, stepsPerMinute, swingAt, swingsOf } from './within-minute';

/**
 * The counters of electricity: what the grid supplies and takes, production and own use of both inverters, what a battery takes and
 * gives, and the devices. Each has two tariffs, in the sums at this index and the next one.
 */
const counters = {
  import: 0,
  export: 2,
  solar: 4,
  solarOwn: 6,
  garage: 8,
  garageOwn: 10,
  charged: 14,
  discharged: 16,
  heatPump: 19,
  car: 21,
  boiler: 23,
} as const;

type Counter = keyof typeof counters;

/** Meter readings at one moment: exact sums of the minutes before it. */
export type Registers = Readonly<Record<`${keyof typeof counters}T${1 | 2}Kwh` | 'gasM3' | 'waterM3', number>>;

/** The registers of the meter of a source; of electricity t1 to t4, or only t1 and t2. */
export const registersOf: Readonly<Record<Source, readonly [keyof Registers, ...(keyof Registers)[]]>> = {
  grid: ['importT1Kwh', 'importT2Kwh', 'exportT1Kwh', 'exportT2Kwh'],
  roof: ['solarT1Kwh', 'solarT2Kwh', 'solarOwnT1Kwh', 'solarOwnT2Kwh'],
  garage: ['garageT1Kwh', 'garageT2Kwh', 'garageOwnT1Kwh', 'garageOwnT2Kwh'],
  // The meter counts from the side of the house: what the battery takes is import.
  battery: ['chargedT1Kwh', 'chargedT2Kwh', 'dischargedT1Kwh', 'dischargedT2Kwh'],
  heatPump: ['heatPumpT1Kwh', 'heatPumpT2Kwh'],
  car: ['carT1Kwh', 'carT2Kwh'],
  boiler: ['boilerT1Kwh', 'boilerT2Kwh'],
  gas: ['gasM3'],
  water: ['waterM3'],
};

/** The actual flows, whatever the meters show: kWh; gas and water in m³. */
export interface Truth {
  readonly import: number;
  readonly export: number;
  /** Net of the inverters' own use. */
  readonly production: number;
  /** Used in the household: import − export + production + discharged − charged. */
  readonly house: number;
  readonly charged: number;
  readonly discharged: number;
  /** A part of the use, as those of the other devices. */
  readonly heatPump: number;
  readonly car: number;
  /** A part of the heat pump. */
  readonly boiler: number;
  readonly gas: number;
  readonly water: number;
}

/**
 * Watts times steps of five seconds of each counter, and of the use of the house, which has no meter; millilitres of gas and water. The
 * sums of battery, use and devices are 0 at the start.
 */
export type RegisterSums = Float64Array;

const sumCount = 25;
const gasIndex = 12;
const waterIndex = 13;
const homeIndex = 18;
const perKwh = 60_000 * stepsPerMinute;
const perM3 = 1_000_000;

/** Meter readings at the start of the measurements. */
export function openingSums(seed: number): RegisterSums {
  const kwh = [9200, 7600, 2100, 5300, 4700, 11_800, 38, 21, 610, 1650, 19, 10];
  const sums = new Float64Array(sumCount);
  kwh.forEach((typical, index) => {
    sums[index] = Math.round(typical * 60_000 * (0.6 + 0.8 * seededRandom(seed, 200, index))) * stepsPerMinute;
  });
  sums[gasIndex] = Math.round(5.4e9 * (0.6 + 0.8 * seededRandom(seed, 200, gasIndex)));
  sums[waterIndex] = Math.round(4.1e8 * (0.6 + 0.8 * seededRandom(seed, 200, waterIndex)));
  return sums;
}

/** The sums with the minutes of a day from one to another, which may end within a minute. */
export function withMinutes(before: RegisterSums, minutes: DayMinutes, from: number, to: number): RegisterSums {
  const sums = before.slice();
  const whole = Math.floor(to);
  addMinutes(sums, minutes, from, whole);
  if (to > whole) addPartOfMinute(sums, minutes, whole, to - whole);
  return sums;
}

const registerIndexes = Object.entries(counters).flatMap(([counter, index]) =>
  [1, 2].map((tariff) => [`${counter}T${tariff}Kwh`, index + tariff - 1] as const),
);

export function toRegisters(sums: RegisterSums): Registers {
  return Object.fromEntries([
    ...registerIndexes.map(([name, index]) => [name, numberAt(sums, index) / perKwh]),
    ['gasM3', numberAt(sums, gasIndex) / perM3],
    ['waterM3', numberAt(sums, waterIndex) / perM3],
  ]) as Registers;
}

/** The flows between two sums. */
export function truthBetween(from: RegisterSums, to: RegisterSums): Truth {
  const total = (...indexes: number[]): number =>
    indexes.reduce((sum, index) => sum + numberAt(to, index) - numberAt(from, index), 0);
  const kwh = (...names: Counter[]): number =>
    total(...names.flatMap((name) => [counters[name], counters[name] + 1])) / perKwh;
  return {
    import: kwh('import'),
    export: kwh('export'),
    production: kwh('solar', 'garage') - kwh('solarOwn', 'garageOwn'),
    house: total(homeIndex) / perKwh,
    charged: kwh('charged'),
    discharged: kwh('discharged'),
    heatPump: kwh('heatPump'),
    car: kwh('car'),
    boiler: kwh('boiler'),
    gas: total(gasIndex) / perM3,
    water: total(waterIndex) / perM3,
  };
}

/** Reads each array by itself: a function that reads arrays of every kind takes most of the time of a year. */
function addMinutes(sums: RegisterSums, minutes: DayMinutes, from: number, to: number): void {
  const { home, solar, garage, battery, tariff, gas, water, devices } = minutes;
  for (let index = from; index < to; index += 1) {
    const register = (tariff[index] ?? 1) - 1;
    const homeW = home[index] ?? 0;
    const solarW = solar[index] ?? 0;
    const garageW = garage[index] ?? 0;
    const batteryW = battery?.[index] ?? 0;
    const gridW = homeW - solarW - garageW - batteryW;
    if (isOneWay(minutes, gridW, homeW, Math.max(0, solarW) + Math.max(0, garageW))) {
      addPower(sums, counters.import + register, gridW, stepsPerMinute);
    } else {
      const forwards = countedForwards(swingsOf(minutes, index), gridW);
      add(sums, counters.import + register, forwards);
      add(sums, counters.export + register, forwards - gridW * stepsPerMinute);
    }
    // Clouds do not reverse the direction of an inverter.
    addPower(sums, counters.solar + register, solarW, stepsPerMinute);
    addPower(sums, counters.garage + register, garageW, stepsPerMinute);
    if (batteryW !== 0) addPower(sums, counters.charged + register, -batteryW, stepsPerMinute);
    add(sums, homeIndex, homeW * stepsPerMinute);
    if (devices !== undefined) addDevices(sums, devices, index, register, stepsPerMinute);
    add(sums, gasIndex, gas[index] ?? 0);
    add(sums, waterIndex, water[index] ?? 0);
  }
}

function addPartOfMinute(sums: RegisterSums, minutes: DayMinutes, index: number, part: number): void {
  const register = numberAt(minutes.tariff, index) - 1;
  const swings = swingsOf(minutes, index);
  const battery = minutes.battery?.[index] ?? 0;
  for (let step = 0; step < part * stepsPerMinute; step += 1) {
    const swing = swingAt(swings, step);
    const home = numberAt(minutes.home, index) + swing.homeW;
    const solar = numberAt(minutes.solar, index) + swing.solarW;
    const garage = numberAt(minutes.garage, index) + swing.garageW;
    const share = Math.min(1, part * stepsPerMinute - step);
    addPower(sums, counters.import + register, home - solar - garage - battery, share);
    addPower(sums, counters.solar + register, solar, share);
    addPower(sums, counters.garage + register, garage, share);
    addPower(sums, counters.charged + register, -battery, share);
    add(sums, homeIndex, home * share);
  }
  if (minutes.devices !== undefined) addDevices(sums, minutes.devices, index, register, part * stepsPerMinute);
  add(sums, gasIndex, numberAt(minutes.gas, index) * part);
  add(sums, waterIndex, numberAt(minutes.water, index) * part);
}

function addDevices(sums: RegisterSums, devices: DeviceMinutes, index: number, register: number, steps: number): void {
  add(sums, counters.heatPump + register, (devices.heatPump[index] ?? 0) * steps);
  add(sums, counters.car + register, (devices.car[index] ?? 0) * steps);
  add(sums, counters.boiler + register, (devices.boiler[index] ?? 0) * steps);
}

/** Adds positive power to the register, and negative power to the one two indexes later. */
function addPower(sums: RegisterSums, register: number, watts: number, steps: number): void {
  add(sums, watts >= 0 ? register : register + 2, Math.abs(watts) * steps);
}

function add(sums: RegisterSums, index: number, by: number): void {
  sums[index] = (sums[index] ?? 0) + by;
}
