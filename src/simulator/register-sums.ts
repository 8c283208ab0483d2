/** Running sums of a house in whole watt-minutes and millilitres; as readings they are divided only once, at the end. */
import { type DayMinutes, increase, numberAt } from './day-minutes';
import type { Registers } from './household';
import { seededRandom } from './seeded-random';

/**
 * Watt-minutes at 0 to 11, two tariffs each: import, export, roof production and own use, garage production and own use;
 * then millilitres of gas and water.
 */
export type RegisterSums = Float64Array;

const LENGTH = 14;
const GAS = 12;
const WATER = 13;

/** What the meters had counted before the house was first asked. */
export function openingSums(seed: number): RegisterSums {
  const kwh = [9200, 7600, 2100, 5300, 4700, 11_800, 38, 21, 610, 1650, 19, 10];
  const sums = new Float64Array(LENGTH);
  kwh.forEach((typical, index) => {
    sums[index] = Math.round(typical * 60_000 * (0.6 + 0.8 * seededRandom(seed, 200, index)));
  });
  sums[GAS] = Math.round(5.4e9 * (0.6 + 0.8 * seededRandom(seed, 200, GAS)));
  sums[WATER] = Math.round(4.1e8 * (0.6 + 0.8 * seededRandom(seed, 200, WATER)));
  return sums;
}

/** Adds the first minutes of a day; `count` may end within a minute. */
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
    gasM3: m3(GAS),
    waterM3: m3(WATER),
  };
}

function addMinute(sums: RegisterSums, minutes: DayMinutes, index: number, part: number): void {
  const tariff = numberAt(minutes.tariff, index) - 1;
  const solar = numberAt(minutes.solar, index);
  const garage = numberAt(minutes.garage, index);
  count(sums, tariff, numberAt(minutes.home, index) - solar - garage, part);
  count(sums, 4 + tariff, solar, part);
  count(sums, 8 + tariff, garage, part);
  increase(sums, GAS, numberAt(minutes.gas, index) * part);
  increase(sums, WATER, numberAt(minutes.water, index) * part);
}

/** A meter counts a minute forwards (positive) or, two registers further, backwards. */
function count(sums: RegisterSums, register: number, watts: number, part: number): void {
  increase(sums, watts >= 0 ? register : register + 2, Math.abs(watts) * part);
}
