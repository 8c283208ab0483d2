/** Faults of the house itself. They change its minutes, so that powers, registers and amounts agree with each other. */
import type { Millis } from '../time/units';
import { type DayMinutes, increase } from './day-minutes';
import type { FaultName } from './faults';
import { localMinuteAt, type LocalDay } from './house-day';

/** The faults of a simulator and its clock. */
export interface HouseFaults {
  readonly names: ReadonlySet<FaultName>;
  readonly now: () => Millis;
}

/** The faults of the house at one moment. */
export interface ActiveHouseFaults {
  readonly names: readonly FaultName[];
  /** Fault `no-sun`: the day that contains the moment. */
  readonly darkDay: Millis | null;
}

const houseFaults: readonly FaultName[] = ['water-leak', 'rising-standby', 'no-sun', 'overload'];

const leakMlPerMinute = 300;
const riseWPerWeek = 12;
const overloadW = 12_000;
const overloadMinutes = { first: 18 * 60, end: 18 * 60 + 15 } as const;

/** @param today first moment of the current day */
export function activeHouseFaults({ names }: HouseFaults, today: () => Millis): ActiveHouseFaults {
  return {
    names: houseFaults.filter((name) => names.has(name)),
    darkDay: names.has('no-sun') ? today() : null,
  };
}

/** Changes the minutes of a day. `first` is the first day of the measurements. */
export function applyHouseFaults(
  minutes: DayMinutes,
  { names, darkDay }: ActiveHouseFaults,
  first: LocalDay,
): DayMinutes {
  if (names.length === 0) return minutes;
  const { day, home, solar, garage, water } = minutes;
  const rise = riseWPerWeek * Math.floor((day.number - first.number) / 7);
  for (let index = 0; index < day.minutes; index++) {
    if (names.includes('water-leak')) increase(water, index, leakMlPerMinute);
    if (names.includes('rising-standby')) increase(home, index, rise);
    if (names.includes('overload') && isOverloaded(localMinuteAt(day, index))) increase(home, index, overloadW);
  }
  if (day.start !== darkDay) return minutes;
  return { ...minutes, solar: solar.fill(0), garage: garage.fill(0), unsteadiness: 0 };
}

function isOverloaded(localMinute: number): boolean {
  return localMinute >= overloadMinutes.first && localMinute < overloadMinutes.end;
}
