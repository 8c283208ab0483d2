/** Sums of power, gas and water since the start of the measurements, in whole numbers. */
import { type DayMinutes, type DeviceMinutes, numberAt } from './day-minutes';
import { seededRandom } from './seeded-random';
import { countedForwards, isOneWay, stepsPerMinute, swingAt, swingsOf } from './within-minute';

/** Meter readings at one moment: exact sums of the minutes before it. */
export interface Registers {
  readonly importT1Kwh: number;
  readonly importT2Kwh: number;
  readonly exportT1Kwh: number;
  readonly exportT2Kwh: number;
  readonly solarT1Kwh: number;
  readonly solarT2Kwh: number;
  readonly solarOwnT1Kwh: number;
  readonly solarOwnT2Kwh: number;
  readonly garageT1Kwh: number;
  readonly garageT2Kwh: number;
  readonly garageOwnT1Kwh: number;
  readonly garageOwnT2Kwh: number;
  readonly chargedT1Kwh: number;
  readonly chargedT2Kwh: number;
  readonly dischargedT1Kwh: number;
  readonly dischargedT2Kwh: number;
  readonly heatPumpT1Kwh: number;
  readonly heatPumpT2Kwh: number;
  readonly carT1Kwh: number;
  readonly carT2Kwh: number;
  readonly boilerT1Kwh: number;
  readonly boilerT2Kwh: number;
  readonly gasM3: number;
  readonly waterM3: number;
}

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
 * Watts times steps of five seconds at indexes 0 to 11, two tariffs each: import, export, production and own use of the roof,
 * production and own use of the garage. Millilitres of gas and water at 12 and 13. At 14 to 17, two tariffs each and 0 at the start:
 * battery charge and battery discharge. At 18, without a meter: use of the house. At 19 to 24, two tariffs each and 0 at the start: heat
 * pump, car and boiler.
 */
export type RegisterSums = Float64Array;

const sumCount = 25;
const gasIndex = 12;
const waterIndex = 13;
const chargedIndex = 14;
const homeIndex = 18;
const firstDevice = 19;
const perKwh = 60_000 * stepsPerMinute;

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

export function toRegisters(sums: RegisterSums): Registers {
  const kwh = (index: number): number => numberAt(sums, index) / perKwh;
  const m3 = (index: number): number => numberAt(sums, index) / 1_000_000;
  return {
    importT1Kwh: kwh(0),
    importT2Kwh: kwh(1),
    exportT1Kwh: kwh(2),
    exportT2Kwh: kwh(3),
    solarT1Kwh: kwh(4),
    solarT2Kwh: kwh(5),
    solarOwnT1Kwh: kwh(6),
    solarOwnT2Kwh: kwh(7),
    garageT1Kwh: kwh(8),
    garageT2Kwh: kwh(9),
    garageOwnT1Kwh: kwh(10),
    garageOwnT2Kwh: kwh(11),
    chargedT1Kwh: kwh(chargedIndex),
    chargedT2Kwh: kwh(chargedIndex + 1),
    dischargedT1Kwh: kwh(chargedIndex + 2),
    dischargedT2Kwh: kwh(chargedIndex + 3),
    heatPumpT1Kwh: kwh(firstDevice),
    heatPumpT2Kwh: kwh(firstDevice + 1),
    carT1Kwh: kwh(firstDevice + 2),
    carT2Kwh: kwh(firstDevice + 3),
    boilerT1Kwh: kwh(firstDevice + 4),
    boilerT2Kwh: kwh(firstDevice + 5),
    gasM3: m3(gasIndex),
    waterM3: m3(waterIndex),
  };
}

/** The flows between two sums. */
export function truthBetween(from: RegisterSums, to: RegisterSums): Truth {
  const total = (units: number, ...indexes: number[]): number =>
    indexes.reduce((sum, index) => sum + numberAt(to, index) - numberAt(from, index), 0) / units;
  return {
    import: total(perKwh, 0, 1),
    export: total(perKwh, 2, 3),
    production: total(perKwh, 4, 5, 8, 9) - total(perKwh, 6, 7, 10, 11),
    house: total(perKwh, homeIndex),
    charged: total(perKwh, chargedIndex, chargedIndex + 1),
    discharged: total(perKwh, chargedIndex + 2, chargedIndex + 3),
    heatPump: total(perKwh, firstDevice, firstDevice + 1),
    car: total(perKwh, firstDevice + 2, firstDevice + 3),
    boiler: total(perKwh, firstDevice + 4, firstDevice + 5),
    gas: total(1_000_000, gasIndex),
    water: total(1_000_000, waterIndex),
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
      addPower(sums, register, gridW, stepsPerMinute);
    } else {
      const forwards = countedForwards(swingsOf(minutes, index), gridW);
      add(sums, register, forwards);
      add(sums, register + 2, forwards - gridW * stepsPerMinute);
    }
    // Clouds do not reverse the direction of an inverter.
    addPower(sums, 4 + register, solarW, stepsPerMinute);
    addPower(sums, 8 + register, garageW, stepsPerMinute);
    if (batteryW !== 0) addPower(sums, chargedIndex + register, -batteryW, stepsPerMinute);
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
    addPower(sums, register, home - solar - garage - battery, share);
    addPower(sums, 4 + register, solar, share);
    addPower(sums, 8 + register, garage, share);
    addPower(sums, chargedIndex + register, -battery, share);
    add(sums, homeIndex, home * share);
  }
  if (minutes.devices !== undefined) addDevices(sums, minutes.devices, index, register, part * stepsPerMinute);
  add(sums, gasIndex, numberAt(minutes.gas, index) * part);
  add(sums, waterIndex, numberAt(minutes.water, index) * part);
}

function addDevices(sums: RegisterSums, devices: DeviceMinutes, index: number, register: number, steps: number): void {
  add(sums, firstDevice + register, (devices.heatPump[index] ?? 0) * steps);
  add(sums, firstDevice + 2 + register, (devices.car[index] ?? 0) * steps);
  add(sums, firstDevice + 4 + register, (devices.boiler[index] ?? 0) * steps);
}

/** Adds positive power to the register, and negative power to the one two indexes later. */
function addPower(sums: RegisterSums, register: number, watts: number, steps: number): void {
  add(sums, watts >= 0 ? register : register + 2, Math.abs(watts) * steps);
}

function add(sums: RegisterSums, index: number, by: number): void {
  sums[index] = (sums[index] ?? 0) + by;
}
