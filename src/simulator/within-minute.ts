/**
 * Power within a minute, in twelve steps of five seconds with the mean of the minute: a hob switches, a cloud passes. A meter
 * counts import and export of each step, so it counts more of both than the mean of a minute shows.
 */
import type { DayMinutes } from './day-minutes';
import { randomAt } from './seeded-random';

export const stepsPerMinute = 12;
export const stepMs = 5000;

/** One rhythm per byte: the steps above the mean, and their distance from it. They are consecutive, with any number and start. */
const rhythms: readonly Int8Array[] = Array.from({ length: 256 }, (_, byte) => {
  const first = byte % stepsPerMinute;
  const count = 1 + (Math.floor(byte / stepsPerMinute) % (stepsPerMinute - 1));
  return Int8Array.from({ length: stepsPerMinute }, (_, step) => {
    const isAbove = (step - first + stepsPerMinute) % stepsPerMinute < count;
    return isAbove ? stepsPerMinute - count : -count;
  });
});

/** Amplitudes of one minute in W, multiplied by the rhythm of each step. */
export interface Swings {
  readonly home: Int8Array;
  readonly sun: Int8Array;
  readonly homeW: number;
  readonly solarW: number;
  readonly garageW: number;
}

/** W of the devices that run all the time. */
const steadyLoad = 150;

export function swingsOf(
  { day, home, solar, garage, devices, swings, unsteadiness }: DayMinutes,
  index: number,
): Swings {
  // Bytes of a single draw, because one draw for each is slow.
  const draw = Math.floor(randomAt(swings, day.number * 1440 + index) * 0x1_0000_0000);
  // The boiler is a part of the heat pump, or its meter counts the heat pump.
  const heating = Math.max(devices?.heatPump[index] ?? 0, devices?.boiler[index] ?? 0);
  const steady = steadyLoad + heating + (devices?.car[index] ?? 0);
  const watts = home[index] ?? 0;
  const cycling = (0.9 * Math.max(0, watts - steady) * (draw & 0xff)) / 0xff;
  const clouds = (unsteadiness * ((draw >>> 8) & 0xff)) / 0xff;
  return {
    home: rhythmOf((draw >>> 16) & 0xff),
    sun: rhythmOf(draw >>> 24),
    // Every load varies a little, except in a power cut.
    homeW: watts === 0 ? 0 : Math.max(1, Math.floor(cycling / stepsPerMinute)),
    solarW: cloudy(solar[index] ?? 0, clouds),
    garageW: cloudy(garage[index] ?? 0, clouds),
  };
}

function cloudy(watts: number, clouds: number): number {
  return Math.floor((Math.max(0, watts) * clouds) / stepsPerMinute);
}

function rhythmOf(byte: number): Int8Array {
  return rhythms[byte] ?? new Int8Array(stepsPerMinute);
}

/** Differences of a step from the means; over the minute their sum is 0. */
export function swingAt({ home, sun, homeW, solarW, garageW }: Swings, step: number) {
  const [ofHome, ofSun] = [home[step] ?? 0, sun[step] ?? 0];
  return { homeW: homeW * ofHome, solarW: solarW * ofSun, garageW: garageW * ofSun };
}

/** True if the grid power has one direction in all steps of the minute. */
export function isOneWay({ unsteadiness }: DayMinutes, grid: number, home: number, sun: number): boolean {
  const ofHome = stepsPerMinute + 0.9 * Math.max(0, home - steadyLoad);
  return Math.abs(grid) > ofHome + unsteadiness * sun;
}

/** Forward count of a whole minute at the grid, in W times steps; the rest of its sum is counted backwards. */
export function countedForwards({ home, sun, homeW, solarW, garageW }: Swings, gridW: number): number {
  const sunW = solarW + garageW;
  const widest = (homeW + sunW) * (stepsPerMinute - 1);
  if (Math.abs(gridW) > widest) return Math.max(0, gridW) * stepsPerMinute;
  let forwards = 0;
  for (let step = 0; step < stepsPerMinute; step += 1) {
    forwards += Math.max(0, gridW + homeW * (home[step] ?? 0) - sunW * (sun[step] ?? 0));
  }
  return forwards;
}
