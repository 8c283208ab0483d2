/** Reproducible years of a house, for the bills that are computed twice. */
import { periodsBetween } from '../../../src/calendar/periods';
import { millis } from '../../../src/time/units';
import type { Direction } from './naive-bill';
import { period, zone } from './small-house';

const hourMs = 3_600_000;

/** Reproducible numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** A year of a house by the hour, with more accurate counters, and gaps in both. */
export function createRandomYear(year: number) {
  const draw = random(year);
  const { start, end } = period(String(year));
  const days = periodsBetween('day', zone, start, millis(end - 1));
  const lengths = days.map((day) => (day.end - day.start) / hourMs);
  const hasHoles = year % 2 === 0;
  const direction = (most: number): Direction => {
    let [low, high] = [BigInt(Math.floor(draw() * 9e6)), BigInt(Math.floor(draw() * 9e6))];
    const [lows, highs]: [bigint[], bigint[]] = [[low], [high]];
    const hours: (bigint | null)[] = [];
    for (const length of lengths) {
      // Sometimes the monitor's memory has a gap of a month, more often of an hour.
      const isLost = hasHoles && draw() < 0.03;
      for (let hour = 0; hour < length; hour += 1) {
        const used = BigInt(Math.floor(draw() * draw() * most));
        const isLow = hour < 7 || hour >= 23;
        if (isLow) low += used;
        else high += used;
        // Minutes lose import and export within the same minute.
        const seen = (used * 97n) / 100n;
        hours.push(isLost || (hasHoles && draw() < 0.01) ? null : seen);
      }
      lows.push(low);
      highs.push(high);
    }
    const counters = lows.map((value, day): bigint | null => {
      const isUnread = hasHoles && (draw() < 0.05 || (year % 4 === 0 && day === lows.length - 1));
      return isUnread ? null : value + (highs[day] ?? 0n);
    });
    return { counters, low: lows, high: highs, hours };
  };
  return { start, end, days, lengths, taken: direction(4000), given: direction(2500) };
}
