/**
 * The simulated house: one set of numbers behind every interface of the simulator. Powers are whole watts per minute and
 * registers are their exact integral (kept in watt-minutes), so every answer can be checked against every other.
 */
import { IANAZone } from 'luxon';
import { type Millis, millis } from '../protocol/time';
import { type DayMinutes, minutesOf, numberAt } from './day-minutes';
import { dayContaining, minuteMs, spanContaining } from './local-days';
import { randomStream, smoothRandom } from './seeded-random';
import { addMinutes, openingSums, type RegisterSums, toRegisters } from './register-sums';

/** Averages of one minute. */
export interface Minute {
  /** First moment of the minute. */
  readonly start: Millis;
  /** W at the grid connection: positive import, negative export. `homeW = gridW + solarW + garageW`. */
  readonly gridW: number;
  /** W of the roof inverter; slightly negative at night (its own use). */
  readonly solarW: number;
  /** W of the second, small inverter on the garage (Modbus); slightly negative at night. */
  readonly garageW: number;
  /** W used in the house. */
  readonly homeW: number;
  /** Tariff index in force: 1 low, 2 normal (Netherlands). */
  readonly tariff: 1 | 2;
  /** Litres of gas in this minute. */
  readonly gasL: number;
  /** Litres of water in this minute. */
  readonly waterL: number;
  /** V on the first phase. */
  readonly voltage: number;
}

/** Meter readings at one moment, exact integrals of the minutes before it. */
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
  readonly gasM3: number;
  readonly waterM3: number;
}

export interface Household {
  readonly timezone: string;
  readonly seed: number;
  /** The meters went into service at this moment; before it there are no data. */
  readonly since: Millis;
  /** The minute that contains the moment. */
  minute(at: Millis): Minute;
  /** Readings at the moment; within a minute they grow linearly. */
  registers(at: Millis): Registers;
}

// The simulated house: everything about it follows from its seed and the moment asked for.

interface HouseholdOptions {
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
export function createHousehold({ seed = 1, timezone = 'Europe/Amsterdam', now, since }: HouseholdOptions): Household {
  if (!IANAZone.isValidZone(timezone)) throw new RangeError(`unknown time zone ${timezone}`);
  const inService = dayContaining(since ?? lastNewYear(now, timezone), timezone).start;
  const kept: DayMinutes[] = [];
  // Sums at the start of every day since the house is in service, as far as they have been asked for.
  let last = { start: inService, sums: openingSums(seed) };
  const openings = new Map<Millis, RegisterSums>([[last.start, last.sums]]);

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
  function openingOf(start: Millis): RegisterSums {
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
    const index = Math.floor((at - day.start) / minuteMs);
    const homeW = numberAt(home, index);
    const solarW = numberAt(solar, index);
    const garageW = numberAt(garage, index);
    const gridW = homeW - solarW - garageW;
    const start = millis(day.start + index * minuteMs);
    const drift = (smoothRandom(randomStream(seed, 5), start / minuteMs, 15) - 0.5) * 4;
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
    return toRegisters(addMinutes(Float64Array.from(opening), minutes, (at - minutes.day.start) / minuteMs));
  }

  return { timezone, seed, since: inService, minute, registers };
}

function lastNewYear(now: Millis, timezone: string): Millis {
  const { start } = spanContaining('year', now, timezone);
  return spanContaining('year', millis(start - 1), timezone).start;
}
