/** The household as its meters and its monitor report it, with the faults that change times and readings. */
import { hourMs, millis, type Millis, minuteMs } from '../time/units';
import type { SimulatedClock } from './simulated-clock';
import type { FaultName } from './faults';
import type { DatedEvent, House, Source } from './house';
import type { Household } from './household';
import { type Registers, registersOf } from './register-sums';
import { dayContaining, minuteAtLocalTime, localMinuteAt } from './house-day';

/** The clock of the monitor (fault `clock-off`: two hours slow). */
export function monitorNow(clock: SimulatedClock, faults: ReadonlySet<FaultName>, { clockMinutes = 0 }: House): Millis {
  return millis(clock.now() + clockMinutes * minuteMs - (faults.has('clock-off') ? 2 * hourMs : 0));
}

const sources = Object.keys(registersOf) as readonly Source[];

function isAbout({ of }: DatedEvent, source: Source): boolean {
  return of?.includes(source) ?? true;
}

/** The event in which a meter does not report at a moment. */
export function quietAt({ events }: Household, source: Source, at: Millis): DatedEvent | undefined {
  return events.find(
    (event) =>
      (event.what === 'silence' || event.what === 'cut') && isAbout(event, source) && at >= event.from && at < event.to,
  );
}

/** The last moment up to `at` at which a meter reported. */
export function lastHeard(household: Household, source: Source, at: Millis): Millis {
  return quietAt(household, source, at)?.from ?? at;
}

/** Readings of the meters (faults `stuck-register`, since the start of the current day, and `meter-reset`). */
export function asMetered(household: Household, faults: ReadonlySet<FaultName>, now: Millis): Household {
  const counted = asCounted(household, faults, now);
  const shown =
    household.events.length === 0 ? counted : { ...counted, registers: (at: Millis) => shownAt(counted, at) };
  return faults.has('meter-reset') ? resetAtNoon(shown, now) : shown;
}

/**
 * Registers for amounts per hour, day and month (fault `stuck-register` and meters that do not report only: a monitor adds up
 * differences, so a reset of the meter does not change them).
 */
export function asCounted(household: Household, faults: ReadonlySet<FaultName>, now: Millis): Household {
  const heard =
    household.events.length === 0 ? household : { ...household, registers: (at: Millis) => heardAt(household, at) };
  if (!faults.has('stuck-register')) return heard;
  const stuckAt = millis(Math.max(household.since, dayContaining(now, household.timezone).start));
  return { ...heard, registers: (at) => heard.registers(at < stuckAt ? at : stuckAt) };
}

/** The registers that the monitor has: those of each meter when it last reported. */
function heardAt(household: Household, at: Millis): Registers {
  const heard = { ...household.registers(at) };
  for (const source of sources) {
    const last = lastHeard(household, source, at);
    if (last === at) continue;
    const then = household.registers(last);
    for (const field of registersOf[source]) heard[field] = then[field];
  }
  return heard;
}

const rolloverKwh = 100_000;

/** The registers as the meters show them, with the events that change a counter and nothing that flows. */
function shownAt(household: Household, at: Millis): Registers {
  const shown: Record<keyof Registers, number> = { ...household.registers(at) };
  for (const source of sources) {
    const [first] = registersOf[source];
    for (const event of household.events) {
      const seen = lastHeard(household, source, at);
      const isOver = seen < event.from || seen >= event.to;
      if (!isAbout(event, source) || (isOver && event.what !== 'rollover')) continue;
      const then = household.registers(event.from);
      if (event.what === 'offset') shown[first] += event.by ?? 0;
      if (event.what === 'rollover') shown[first] += (seen < event.from ? rolloverKwh : 0) - then[first];
      if (event.what === 'exchange')
        for (const field of registersOf[source]) shown[field] += (event.by ?? 0) - then[field];
    }
  }
  return shown;
}

/**
 * True for minutes without an entry. Fault `mostly-missing`: all but a few minutes of each day. Fault `missing-minutes`: about
 * one minute in twenty, in gaps of up to five, the same ones in each response.
 */
export function isMissing(
  at: Millis,
  household: Household,
  faults: ReadonlySet<FaultName>,
  source: Source = 'grid',
): boolean {
  if (quietAt(household, source, at) !== undefined) return true;
  if (faults.has('mostly-missing') && !isRecorded(at, household.timezone)) return true;
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
  const counted: Record<keyof Registers, number> = { ...later };
  for (const field of Object.values(registersOf).flat()) counted[field] -= earlier[field];
  return counted;
}
