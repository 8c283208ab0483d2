/** Sums of power, gas and water since the start of the measurements, in whole watt-minutes and millilitres. */
import { type DayMinutes, increase, numberAt } from './day-minutes';
import type { Registers } from './household';
import { seededRandom } from './seeded-random';

/**
 * Watt-minutes at indexes 0 to 11, two tariffs each: import, export, production and own use of the roof, production and own
 * use of the garage. Millilitres of gas and water at 12 and 13.
 */
export type RegisterSums = Float64Array;

const sumCount = 14;
const gasIndex = 12;
const waterIndex = 13;

/** Meter readings at the start of the measurements. */
export function openingSums(seed: number): RegisterSums {
  const kwh = [9200, 7600, 2100, 5300, 4700, 11_800, 38, 21, 610, 1650, 19, 10];
  const sums = new Float64Array(sumCount);
  kwh.forEach((typical, index) => {
    sums[index] = Math.round(typical * 60_000 * (0.6 + 0.8 * seededRandom(seed, 200, index)));
  });
  sums[gasIndex] = Math.round(5.4e9 * (0.6 + 0.8 * seededRandom(seed, 200, gasIndex)));
  sums[waterIndex] = Math.round(4.1e8 * (0.6 + 0.8 * seededRandom(seed, 200, waterIndex)));
  return sums;
}

/** Adds the first `count` minutes of a day; a fraction adds a part of a minute. */
export function addMinutes(sums: RegisterSums, minutes: DayMinutes, count: number): RegisterSums {
  const whole = Math.floor(count);
  for (let index = 0; index < whole; index++) addMinute(sums, minutes, index, 1);
  if (count > whole) addMinute(sums, minutes, whole, count - whole);
  return sums;
}

export function toRegisters(sums: RegisterSums): Registers {
  const kwh = (index: number): number => numberAt(sums, index) / 60_000;
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
    gasM3: m3(gasIndex),
    waterM3: m3(waterIndex),
  };
}

function addMinute(sums: RegisterSums, minutes: DayMinutes, index: number, part: number): void {
  const tariff = numberAt(minutes.tariff, index) - 1;
  const solar = numberAt(minutes.solar, index);
  const garage = numberAt(minutes.garage, index);
  count(sums, tariff, numberAt(minutes.home, index) - solar - garage, part);
  count(sums, 4 + tariff, solar, part);
  count(sums, 8 + tariff, garage, part);
  increase(sums, gasIndex, numberAt(minutes.gas, index) * part);
  increase(sums, waterIndex, numberAt(minutes.water, index) * part);
}

/** Adds positive power to the register, and negative power to the one two indexes later. */
function count(sums: RegisterSums, register: number, watts: number, part: number): void {
  increase(sums, watts >= 0 ? register : register + 2, Math.abs(watts) * part);
}
