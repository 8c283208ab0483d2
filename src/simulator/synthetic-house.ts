/** The simulated house: everything about it follows from its seed and the moment asked for. */
import { IANAZone } from 'luxon';
import { millis, type Millis } from '../wire/time';
import { numberAt } from './column';
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
  let last = { start: inService, sums: openingSums(seed) };
  const openings = new Map<Millis, Sums>([[last.start, last.sums]]);

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
    while (last.start < start) {
      const minutes = dayAt(last.start);
      const sums = addMinutes(Float64Array.from(last.sums), minutes, minutes.day.minutes);
      last = { start: minutes.day.end, sums };
      openings.set(last.start, sums);
    }
    const known = openings.get(start);
    if (known === undefined) throw new RangeError('no day of this house begins then');
    return known;
  }

  function minute(at: Millis): Minute {
    const { day, home, solar, garage, tariff, gas, water } = dayAt(at);
    const index = Math.floor((at - day.start) / MINUTE_MS);
    const homeW = numberAt(home, index);
    const solarW = numberAt(solar, index);
    const garageW = numberAt(garage, index);
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
      gasL: numberAt(gas, index) / 1000,
      waterL: numberAt(water, index) / 1000,
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
