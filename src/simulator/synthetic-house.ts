/** The simulated house: everything about it follows from its seed and the moment asked for. */
import { IANAZone } from 'luxon';
import { millis, type Millis } from '../wire/time';
import { minutesOf, type DayMinutes } from './day-minutes';
import type { House, Minute, Registers } from './house';
import { dayContaining, MINUTE_MS, periodContaining } from './local-days';
import { stream, wave } from './noise';
import { addMinutes, openingSums, toRegisters, type Sums } from './register-sums';

export interface HouseOptions {
  /** Any integer; another seed is another house. Default 1. */
  readonly seed?: number;
  /** IANA name; default Europe/Amsterdam. The sun and the seasons stay those of 52.1° N. */
  readonly timezone?: string;
  /** When the simulation begins; the default of `since` comes from it. */
  readonly now: Millis;
  /**
   * The meters go into service at the start of the day that contains this. Default: 1 January of the year before `now`.
   * Readings cost one pass over the minutes since then, once; give yesterday for houses that must start fast.
   */
  readonly since?: Millis;
}

/** Days whose minutes are kept; a month of them is 0.5 MB. */
const DAYS_KEPT = 32;

/** Throws RangeError for an unknown zone; the house does so for a moment before `since`. */
export function createHouse({ seed = 1, timezone = 'Europe/Amsterdam', now, since }: HouseOptions): House {
  if (!IANAZone.isValidZone(timezone)) throw new RangeError(`unknown time zone ${timezone}`);
  const inService = dayContaining(since ?? lastNewYear(now, timezone), timezone).start;
  const kept: DayMinutes[] = [];
  // Sums at the start of every day since the house is in service, as far as they have been asked for.
  const starts: Millis[] = [inService];
  const openings: Sums[] = [openingSums(seed)];

  function dayAt(at: Millis): DayMinutes {
    if (at < inService) throw new RangeError('the meters of this house were not yet in service');
    const found = kept.findIndex(({ day }) => at >= day.start && at < day.end);
    const minutes = kept[found] ?? minutesOf(seed, dayContaining(at, timezone), timezone);
    if (found > 0) kept.splice(found, 1);
    if (found !== 0) kept.unshift(minutes);
    if (kept.length > DAYS_KEPT) kept.pop();
    return minutes;
  }

  /** Sums at the start of a day; counts on from the last day that is known. */
  function openingOf(start: Millis): Sums {
    let last = starts.length - 1;
    while ((starts[last] ?? 0) < start) {
      const minutes = dayAt(starts[last] ?? start);
      openings.push(addMinutes(Float64Array.from(openings[last] ?? []), minutes, minutes.day.minutes));
      starts.push(minutes.day.end);
      last++;
    }
    return openings[position(starts, start)] ?? new Float64Array();
  }

  function minute(at: Millis): Minute {
    const { day, home, solar, garage, tariff, gas, water } = dayAt(at);
    const index = Math.floor((at - day.start) / MINUTE_MS);
    const homeW = home[index] ?? 0;
    const solarW = solar[index] ?? 0;
    const garageW = garage[index] ?? 0;
    const gridW = homeW - solarW - garageW;
    const start = millis(day.start + index * MINUTE_MS);
    const drift = (wave(stream(seed, 5), start / MINUTE_MS, 15) - 0.5) * 4;
    return {
      start,
      gridW,
      solarW,
      garageW,
      homeW,
      tariff: tariff[index] === 2 ? 2 : 1,
      gasL: (gas[index] ?? 0) / 1000,
      waterL: (water[index] ?? 0) / 1000,
      voltage: Math.round((231 - gridW * 0.0012 + drift) * 10) / 10,
    };
  }

  function registers(at: Millis): Registers {
    const minutes = dayAt(at);
    const opening = openingOf(minutes.day.start);
    return toRegisters(addMinutes(Float64Array.from(opening), minutes, (at - minutes.day.start) / MINUTE_MS));
  }

  return { timezone, seed, since: inService, minute, registers };
}

function lastNewYear(now: Millis, timezone: string): Millis {
  const { start } = periodContaining('year', now, timezone);
  return periodContaining('year', millis(start - 1), timezone).start;
}

function position(starts: readonly Millis[], start: Millis): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((starts[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
