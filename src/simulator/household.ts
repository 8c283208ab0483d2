/**
 * The simulated household, the source of all values of the simulator. Powers are whole watts in steps of five seconds,
 * registers are their exact sums by direction, and a minute is the mean of its steps, so the responses agree with each other.
 * Everything depends only on seed and time.
 */
import { periodContaining, previousPeriod } from '../calendar/periods';
import { isTimezone } from '../calendar/zone';
import { getOrSet } from '../checks/get-or-set';
import { type InParts, runAtOnce } from '../time/pause';
import { type Millis, millis, minuteMs } from '../time/units';
import { type DayMinutes, minutesOf } from './day-minutes';
import { activeHouseFaults, applyHouseFaults, type ActiveHouseFaults, type HouseFaults } from './house-faults';
import { type DatedEvent, datedEvents, defaultTimezone, type House } from './house';
import { applyHouse } from './house-minutes';
import { chooseHouse } from './houses';
import { dayContaining, type LocalDay } from './house-day';
import { randomStream, smoothRandom } from './seeded-random';
import { stepMs, stepsPerMinute, swingAt, swingsOf } from './within-minute';
import {
  openingSums,
  type Registers,
  type RegisterSums,
  toRegisters,
  type Truth,
  truthBetween,
  withMinutes,
} from './register-sums';

/** Average values of one minute, or of one step within it. */
export interface Minute {
  /** First moment of the minute or step. */
  readonly start: Millis;
  /** W at the grid connection: positive import, negative export. `homeW = gridW + solarW + garageW + batteryW`. */
  readonly gridW: number;
  /** W of the inverter on the roof; slightly negative at night (own use). */
  readonly solarW: number;
  /** W of the small inverter on the garage (Modbus); slightly negative at night. */
  readonly garageW: number;
  /** W of a battery: positive when it discharges. */
  readonly batteryW: number;
  /** W of devices with a meter of their own, which are a part of the use. The boiler is a part of the heat pump. */
  readonly heatPumpW: number;
  readonly carW: number;
  readonly boilerW: number;
  /** W used in the household. */
  readonly homeW: number;
  /** Tariff: 1 low, 2 normal (Netherlands). */
  readonly tariff: 1 | 2;
  /** Litres of gas in this minute. */
  readonly gasL: number;
  /** Litres of water in this minute. */
  readonly waterL: number;
  /** V on the first phase. */
  readonly voltage: number;
}

export interface Household {
  /** The row of this household. */
  readonly house: House;
  /** The events of the row. */
  readonly events: readonly DatedEvent[];
  readonly timezone: string;
  readonly seed: number;
  /** Start of the measurements. Before it the monitor has no data. */
  readonly since: Millis;
  /**
   * The minute that contains the moment.
   * @throws {RangeError} before `since`
   */
  minute(at: Millis): Minute;
  /**
   * The step of five seconds that contains the moment. Water and gas are those of its minute.
   * @throws {RangeError} before `since`
   */
  step(at: Millis): Minute;
  /**
   * Meter readings at the moment. Within a step they rise linearly.
   * @throws {RangeError} before `since`
   */
  registers(at: Millis): Registers;
  /**
   * Adds up the days before a moment, one in each part. Without it the first reading does, at once.
   * @throws {RangeError} before `since`
   */
  addUp(until: Millis): Generator<undefined, void, undefined>;
  /**
   * The ledger of the household: what flowed between two moments.
   * @throws {RangeError} before the day of `since`
   */
  readonly truth: (from: Millis, to: Millis) => Truth;
}

export interface HouseholdOptions {
  /** Default: the first row of the table in `houses.ts`. */
  readonly house?: House;
  /** Any integer; another seed gives another household. Default 1. */
  readonly seed?: number;
  /** IANA name; default: that of its row, otherwise Europe/Amsterdam. Sun and seasons are always those of 52.1° N. */
  readonly timezone?: string;
  /** Start of the simulation; decides the default of `since`. */
  readonly now: Millis;
  /**
   * Measurements begin at the start of the day that contains this. Default: 1 January of the year before `now`. The first
   * reading adds up all minutes since then, so a later date makes the simulator start faster.
   */
  readonly since?: Millis;
  /** Faults of the house, which may change at any time. Default: those of its row. */
  readonly faults?: HouseFaults;
}

/** Number of days whose minutes are cached; a month has 0.5 MB. */
const mostCachedDays = 32;

/** @throws {RangeError} for an unknown time zone */
export function createHousehold({
  seed = 1,
  house = chooseHouse(),
  timezone = house.timezone ?? defaultTimezone,
  now,
  since,
  faults = { names: new Set(house.faults), now: () => now },
}: HouseholdOptions): Household {
  const isKnown: boolean = isTimezone(timezone);
  if (!isKnown) throw new RangeError(`unknown time zone ${timezone}`);
  const firstUse = house.firstUse?.(now, timezone);
  const firstDay = dayContaining(firstUse ?? since ?? lastNewYear(now, timezone), timezone);
  const inService = firstDay.start;
  const events = datedEvents(house, now, timezone, inService);
  const voltageDrift = randomStream(seed, 5);
  let active: ActiveHouseFaults = { names: [], darkDay: null };
  const kept: DayMinutes[] = [];
  const hoursOf = new WeakMap<DayMinutes, RegisterSums[]>();
  // Sums at the start of each day, computed on request.
  const first = { start: inService, sums: openingSums(seed) };
  let last = first;
  const openings = new Map<Millis, RegisterSums>([[first.start, first.sums]]);

  let today = firstDay;

  /** Cached: every minute needs it, and computing a day is slow. */
  function startOfToday(): Millis {
    const current = faults.now();
    if (current < today.start || current >= today.end) today = dayContaining(current, timezone);
    return today.start;
  }

  /** Forgets all days when the faults of the house change. */
  function applyFaults(): void {
    if (faults.names.size === 0 && active.names.length === 0) return;
    const changed = activeHouseFaults(faults, startOfToday);
    if (changed.darkDay === active.darkDay && changed.names.join() === active.names.join()) return;
    active = changed;
    kept.length = 0;
    last = first;
    openings.clear();
    openings.set(first.start, first.sums);
  }

  function dayAt(at: Millis): DayMinutes {
    if (at < inService) throw new RangeError('the meters of this house were not yet in service');
    const newest = kept[0];
    if (newest !== undefined && at >= newest.day.start && at < newest.day.end) return newest;
    const found = kept.findIndex(({ day }) => at >= day.start && at < day.end);
    const minutes = kept[found] ?? applyHouse(modelled(dayContaining(at, timezone)), house, events, { seed, timezone });
    if (found > 0) kept.splice(found, 1);
    kept.unshift(minutes);
    if (kept.length > mostCachedDays) kept.pop();
    return minutes;
  }

  function modelled(day: LocalDay): DayMinutes {
    return applyHouseFaults(minutesOf(seed, day, timezone), active, firstDay);
  }

  /** Computes the sums at the start of each day up to this one, from the last known day on. */
  function* addDays(start: Millis): InParts<void> {
    while (last.start < start) {
      const minutes = dayAt(last.start);
      const sums = withMinutes(last.sums, minutes, 0, minutes.day.minutes);
      last = { start: minutes.day.end, sums };
      openings.set(last.start, sums);
      yield;
    }
  }

  /** Sums at the start of a day. */
  function readOpening(start: Millis): RegisterSums {
    if (last.start < start) runAtOnce(addDays(start));
    const known = openings.get(start);
    if (known === undefined) throw new RangeError('no day of this house begins then');
    return known;
  }

  /** Sums at an hour of a day. A series of gas reads them every five minutes, so they are cached. */
  function atHour(minutes: DayMinutes, hour: number): RegisterSums {
    const hours = getOrSet(hoursOf, minutes, () => [readOpening(minutes.day.start)]);
    let sums = hours[Math.min(hour, hours.length - 1)] ?? readOpening(minutes.day.start);
    for (let known = hours.length; known <= hour; known += 1) {
      sums = withMinutes(sums, minutes, (known - 1) * 60, known * 60);
      hours.push(sums);
    }
    return sums;
  }

  function minute(at: Millis): Minute {
    applyFaults();
    const minutes = dayAt(at);
    const index = Math.floor((at - minutes.day.start) / minuteMs);
    return averages(minutes, index, millis(minutes.day.start + index * minuteMs), { homeW: 0, solarW: 0, garageW: 0 });
  }

  function step(at: Millis): Minute {
    applyFaults();
    const minutes = dayAt(at);
    const steps = Math.floor((at - minutes.day.start) / stepMs);
    const index = Math.floor(steps / stepsPerMinute);
    const swing = swingAt(swingsOf(minutes, index), steps % stepsPerMinute);
    return averages(minutes, index, millis(minutes.day.start + steps * stepMs), swing);
  }

  function averages(minutes: DayMinutes, index: number, start: Millis, swing: ReturnType<typeof swingAt>): Minute {
    const { home, solar, garage, tariff, gas, water } = minutes;
    const homeW = (home[index] ?? 0) + swing.homeW;
    const solarW = (solar[index] ?? 0) + swing.solarW;
    const garageW = (garage[index] ?? 0) + swing.garageW;
    const batteryW = minutes.battery?.[index] ?? 0;
    const gridW = homeW - solarW - garageW - batteryW;
    const drift = (smoothRandom(voltageDrift, start / minuteMs, 15) - 0.5) * 4;
    return {
      start,
      gridW,
      solarW,
      garageW,
      batteryW,
      heatPumpW: minutes.devices?.heatPump[index] ?? 0,
      carW: minutes.devices?.car[index] ?? 0,
      boilerW: minutes.devices?.boiler[index] ?? 0,
      homeW,
      tariff: tariff[index] === 2 ? 2 : 1,
      gasL: (gas[index] ?? 0) / 1000,
      waterL: (water[index] ?? 0) / 1000,
      voltage: Math.round((231 - gridW * 0.0012 + drift) * 10) / 10,
    };
  }

  function sumsAt(at: Millis): RegisterSums {
    applyFaults();
    const minutes = dayAt(at);
    const index = (at - minutes.day.start) / minuteMs;
    const hour = Math.floor(index / 60);
    return withMinutes(atHour(minutes, hour), minutes, hour * 60, index);
  }

  return {
    house,
    events,
    timezone,
    seed,
    since: firstUse ?? inService,
    minute,
    step,
    registers: (at) => toRegisters(sumsAt(at)),
    addUp: (until) => {
      applyFaults();
      return addDays(dayAt(until).day.start);
    },
    truth: (from, to) => truthBetween(sumsAt(from), sumsAt(to)),
  };
}

function lastNewYear(now: Millis, timezone: string): Millis {
  return previousPeriod(periodContaining('year', timezone, now)).start;
}
