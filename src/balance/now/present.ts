/** The current powers of meters. A too old power does not count. */
import { largest } from '../../checks/extremes';
import type { BalanceMissing, RealtimePayload } from '../../model/payload';
import { oldAfterMs } from '../../model/realtime';
import { minuteMs } from '../../time/units';
import { hasPulses } from '../../model/meter-names';
import type { BalanceRole } from '../meters/amounts';
import type { HouseMeter } from '../meters/choice';
import { isPulsed as hasPulseInput } from '../../model/identity';

/** The roles with a current power. */
export type PowerRole = 'grid' | 'production' | 'battery' | 'consumption';

export function hasPower(role: BalanceRole | null): role is PowerRole {
  return role === 'grid' || role === 'production' || role === 'battery' || role === 'consumption';
}

/** A meter that counts, and its last reading. */
export interface MeterNow extends Omit<HouseMeter, 'role'> {
  readonly role: PowerRole;
  /** Null if the meter cannot be read. */
  readonly reading: RealtimePayload | null;
}

/** Jitter of telegrams and requests in a comparison of two clocks. */
const jitterMs = 15_000;
/** No interface has the number of pulses of a meter; this is the usual one. */
const pulsesPerKwh = 1000;
/** W. A lower power from pulses counts as 0. */
const leastPowerW = 10;
const fields: Readonly<Record<PowerRole, readonly string[]>> = {
  grid: ['power_import_w', 'power_export_w'],
  production: ['power_production_w'],
  battery: ['power_battery_w', 'power_w'],
  consumption: ['power_w'],
};

/** The last power of a meter. */
export interface SeenPower {
  /** Its own time, and this machine's time at its arrival, epoch ms. */
  readonly own: number;
  readonly at: number;
  /** Clock of this machine − clock of the monitor, ms; 0 until two powers have shown it. */
  readonly difference: number;
}

/** Meter → its last power. */
export type SeenPowers = Map<string, SeenPower>;

/** `ts` is null if it counts as simultaneous with any other: no pulse was due since. */
export type Power = { readonly value: number; readonly ts: number | null } | BalanceMissing;

export interface PresentInput {
  readonly meters: readonly MeterNow[];
  readonly intervalMs: number;
  /** Epoch ms. */
  readonly now: number;
}

/** The age of the last power of each meter, in ms. */
export class Present {
  /** The oldest time of a power that is too old, epoch ms. */
  since: number | null = null;
  private readonly limit: number;
  private readonly ages = new Map<string, number>();

  constructor(
    { meters, intervalMs, now }: PresentInput,
    private readonly seen: SeenPowers = new Map(),
  ) {
    this.limit = oldAfterMs(intervalMs);
    for (const meter of meters) {
      const own = findPowerTime(meter, seen.get(meter.name));
      if (own !== null) seen.set(meter.name, after(seen.get(meter.name), own, now));
    }
    // The time of a pulse does not show the clock; that of another meter does.
    const clocks = new Map(
      meters.flatMap((meter): [string, number][] => {
        const last = isPulsed(meter) ? undefined : seen.get(meter.name);
        return last === undefined ? [] : [[meter.name, estimateMonitorClock(last, now)]];
      }),
    );
    const clock = clocks.size === 0 ? now : largest(clocks.values());
    for (const { name } of meters) {
      const last = seen.get(name);
      if (last !== undefined) this.ages.set(name, (clocks.get(name) ?? clock) - last.own);
    }
  }

  powerOf(meter: MeterNow, field: string): Power {
    const { name, reading } = meter;
    const [last, age] = [this.seen.get(name), this.ages.get(name)];
    if (reading === null) return 'not_readable';
    const value = readSignedValue(meter, reading, field);
    const isPulse = isPulsed(meter);
    if (last === undefined || age === undefined || (value === null && !isPulse)) return 'not_measured';
    // Since the last pulse less than the energy of one has flowed.
    const most = 3_600_000_000 / (pulsesPerKwh * Math.max(age, 1));
    if (value !== null && isPulse && Math.abs(value) <= most) return { value, ts: null };
    if (value !== null && age <= this.limit) return { value, ts: last.own };
    const isAnotherNew = [...this.ages].some(([other, its]) => other !== name && its <= this.limit);
    if (isPulse && most < leastPowerW && isAnotherNew) return { value: 0, ts: null };
    this.since = Math.min(this.since ?? Infinity, last.own);
    return 'too_old';
  }
}

/** The meter of a battery without this role has `power_w` only, which is positive while it charges. */
function readSignedValue(
  { role, isReversed = false }: MeterNow,
  { values }: RealtimePayload,
  field: string,
): number | null {
  const taken = values['power_w'] ?? null;
  const ofBattery = role === 'battery' && taken !== null ? -taken : null;
  const value = values[field] ?? ofBattery;
  return value === null ? null : (isReversed ? -value : value) + 0;
}

function isPulsed({ name, reading }: MeterNow): boolean {
  return hasPulses(name) || (reading !== null && hasPulseInput(reading.meter));
}

/** The own time of a reading's power. A pulse meter without a power was present in any case. */
function findPowerTime(meter: MeterNow, last: SeenPower | undefined): number | null {
  const { reading, role } = meter;
  if (reading === null) return null;
  const { values, times, ts } = reading;
  const own = fields[role].flatMap((field) => ((values[field] ?? null) === null ? [] : (times[field] ?? ts)));
  if (own.length > 0) return largest(own);
  const isThere = isPulsed(meter) && Object.values(values).some((value) => value !== null);
  return isThere ? (last?.own ?? ts) : null;
}

/** The current time of the monitor's clock. A small difference is the transmission of a reading. */
function estimateMonitorClock({ own, difference }: SeenPower, now: number): number {
  return Math.max(own, Math.abs(difference) > minuteMs ? now - difference : now);
}

/** A clock difference shows if the time of a power advances like this machine's, with an offset. */
function after(last: SeenPower | undefined, own: number, at: number): SeenPower {
  if (last === undefined || own < last.own) return { own, at, difference: 0 };
  if (own === last.own) return last;
  const [moved, passed] = [own - last.own, at - last.at];
  const isSteady = moved <= 2 * passed + jitterMs && moved >= passed / 2 - jitterMs;
  return { own, at, difference: isSteady ? at - own : last.difference };
}
