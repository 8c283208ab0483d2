/** The household as its meters and its monitor report it, with the faults that change times and readings. */
import { millis, type Millis } from '../protocol/time';
import type { SimulatedClock } from './simulated-clock';
import type { FaultName } from './faults';
import type { Household, Registers } from './household';
import { dayContaining, minuteAtLocalTime, minuteMs, localMinuteAt } from './local-days';

const twoHoursMs = 7_200_000;

/** The clock of the monitor (fault `clock-off`: two hours slow). */
export function monitorNow(clock: SimulatedClock, faults: ReadonlySet<FaultName>): Millis {
  return millis(clock.now() - (faults.has('clock-off') ? twoHoursMs : 0));
}

/** Readings of the meters (faults `stuck-register`, since the start of the current day, and `meter-reset`). */
export function asMetered(household: Household, faults: ReadonlySet<FaultName>, now: Millis): Household {
  const counted = asCounted(household, faults, now);
  return faults.has('meter-reset') ? resetAtNoon(counted, now) : counted;
}

/**
 * Registers for amounts per hour, day and month (fault `stuck-register` only: a monitor adds up differences, so a reset of the
 * meter does not change them).
 */
export function asCounted(household: Household, faults: ReadonlySet<FaultName>, now: Millis): Household {
  if (!faults.has('stuck-register')) return household;
  const stuckAt = millis(Math.max(household.since, dayContaining(now, household.timezone).start));
  return { ...household, registers: (at) => household.registers(at < stuckAt ? at : stuckAt) };
}

/**
 * True for minutes without an entry. Fault `mostly-missing`: all but a few minutes of each day. Fault `missing-minutes`: about
 * one minute in twenty, in gaps of up to five, the same ones in each response.
 */
export function isMissing(at: Millis, { timezone }: Household, faults: ReadonlySet<FaultName>): boolean {
  if (faults.has('mostly-missing') && !isRecorded(at, timezone)) return true;
  if (!faults.has('missing-minutes')) return false;
  const minute = Math.floor(at / minuteMs);
  return Math.floor(minute / 5) % 13 === 4 && minute % 5 !== 0;
}

function isRecorded(at: Millis, timezone: string): boolean {
  const day = dayContaining(at, timezone);
  const wall = localMinuteAt(day, Math.floor((at - day.start) / minuteMs));
  return (wall >= 480 && wall < 490) || (wall >= 720 && wall < 725);
}

function resetAtNoon(household: Household, now: Millis): Household {
  const day = dayContaining(now, household.timezone);
  const noon = millis(day.start + minuteAtLocalTime(day, 720) * minuteMs);
  if (now < noon || noon < household.since) return household;
  return {
    ...household,
    registers: (at) =>
      at < noon ? household.registers(at) : difference(household.registers(at), household.registers(noon)),
  };
}

function difference(later: Registers, earlier: Registers): Registers {
  return {
    importT1Kwh: later.importT1Kwh - earlier.importT1Kwh,
    importT2Kwh: later.importT2Kwh - earlier.importT2Kwh,
    exportT1Kwh: later.exportT1Kwh - earlier.exportT1Kwh,
    exportT2Kwh: later.exportT2Kwh - earlier.exportT2Kwh,
    solarT1Kwh: later.solarT1Kwh - earlier.solarT1Kwh,
    solarT2Kwh: later.solarT2Kwh - earlier.solarT2Kwh,
    solarOwnT1Kwh: later.solarOwnT1Kwh - earlier.solarOwnT1Kwh,
    solarOwnT2Kwh: later.solarOwnT2Kwh - earlier.solarOwnT2Kwh,
    garageT1Kwh: later.garageT1Kwh - earlier.garageT1Kwh,
    garageT2Kwh: later.garageT2Kwh - earlier.garageT2Kwh,
    garageOwnT1Kwh: later.garageOwnT1Kwh - earlier.garageOwnT1Kwh,
    garageOwnT2Kwh: later.garageOwnT2Kwh - earlier.garageOwnT2Kwh,
    gasM3: later.gasM3 - earlier.gasM3,
    waterM3: later.waterM3 - earlier.waterM3,
  };
}
