/**
 * A simulated household as one row of the table in `houses.ts`: its meters and their responses, its sun and use, and its
 * events. Absent properties have the values of the first row.
 */
import { millis, type Millis, minuteMs } from '../time/units';
import type { FaultName } from './faults';
import { dayContaining, minuteAtLocalTime } from './house-day';

export const defaultTimezone = 'Europe/Amsterdam';

/** Measured quantity. The house has only quantities with a meter. */
export type Source = 'grid' | 'roof' | 'garage' | 'battery' | DeviceSource | 'gas' | 'water';

/** Devices with a meter of their own. The boiler is behind the meter of the heat pump. */
export const deviceSources = ['heatPump', 'car', 'boiler'] as const;
export type DeviceSource = (typeof deviceSources)[number];

/** A row of the meters in a connection: alias or key, and what the meter is. */
export interface DescribedMeter {
  readonly meter: string;
  readonly name?: string;
  readonly role: 'consumption' | 'production' | 'battery';
  readonly within?: string;
}

export interface HouseMeter {
  readonly of: Source;
  /** Alias in the local Open API. It decides the port of the I/O; a gas meter `pulse-N` counts pulses. */
  readonly alias: string;
  /** Alias in the remote Open API. Default: the meter is listed there, and no alias selects it. */
  readonly remote?: string;
  /** Key in webhooks and in the public API of a CEMM 3.0. Default: the meter is absent there. */
  readonly key?: string;
  /** Measured fraction. Default 1; two inverters can share a roof. */
  readonly share?: number;
  /** Smart meter: it has a gas meter and sends its reading. */
  readonly gas?: boolean;
  /** Smart meter: it never offers t3 and t4. */
  readonly noExport?: boolean;
  /** It counts in the low tariff only; t2 and `electric_energy_high` are `[0, 0]`. */
  readonly emptyHigh?: boolean;
  /**
   * Its power comes from 1000 pulses per kWh and has the time of the last pulse. `empty`: the power is `[0, 0]` after five
   * minutes without one.
   */
  readonly pulses?: 'last' | 'empty';
}

/** A moment of a row, computed from the start of the simulation and the time zone of the house. */
export type When = (start: Millis, timezone: string) => Millis;

export interface HouseEvent {
  /**
   * - `cut`: no power in the house, and no entries of the monitor.
   * - `snow`: on the panels.
   * - `silence`: meters do not report; the monitor keeps their last values and times.
   * - `offset`: the first register of a meter shows `by` more.
   * - `exchange`: all registers of a meter begin again at `by`, default 0.
   * - `replaced`: the inverter on the roof, by one at the meter of the garage, which counts nothing before; of the heat pump: its
   *   meter, by that of the boiler.
   * - `rollover`: the first register of a meter goes from 99,999.999 to 0.
   */
  readonly what: 'cut' | 'snow' | 'silence' | 'offset' | 'exchange' | 'replaced' | 'rollover';
  /** The affected meters. Default: all. */
  readonly of?: readonly Source[];
  readonly from: When;
  /** End. Default: never. */
  readonly to?: When;
  /** kWh or m³. */
  readonly by?: number;
}

export interface House {
  /** Description for `--help`. */
  readonly about: string;
  /** In the order of the lists of I/Os. */
  readonly meters?: readonly HouseMeter[];
  /** Rows of the table of meters in the connection. */
  readonly rows?: readonly DescribedMeter[];
  /** IANA name. */
  readonly timezone?: string;
  readonly dsmr?: 4 | 5;
  /** The tariff at a minute of local time after midnight. */
  readonly tariff?: (localMinute: number, isWeekend: boolean) => 1 | 2;
  /** Power of the panels, as a factor of the first row. */
  readonly sun?: number;
  /** W that each inverter takes at night. */
  readonly ownUseW?: number;
  /** The inverter on the roof never produces more than the house uses, and is the only one. */
  readonly exportLimit?: boolean;
  /** Electric use, as a factor of the first row. */
  readonly use?: number;
  /**
   * A battery of 5 kWh, with a meter only if `meters` has one. `stores`: it takes surplus and serves the house; `trades`: it buys
   * at night and sells from 17:00; `sells`: it takes surplus and sells from 17:00.
   */
  readonly battery?: 'stores' | 'trades' | 'sells';
  /** Minutes that the clock of the monitor is fast. */
  readonly clockMinutes?: number;
  /** First moment of the measurements. Default: from the options of the simulator. */
  readonly firstUse?: When;
  /** The minutes of a day are unordered, and some occur twice. */
  readonly isShuffled?: boolean;
  readonly faults?: readonly FaultName[];
  readonly events?: readonly HouseEvent[];
}

/** An event of one household, with its moments. */
export interface DatedEvent extends Pick<HouseEvent, 'what' | 'of' | 'by'> {
  readonly from: Millis;
  readonly to: Millis;
}

/** The events of a row with their moments, without those that ended before the measurements. */
export function datedEvents({ events = [] }: House, start: Millis, timezone: string, since: Millis): DatedEvent[] {
  return events
    .map(({ from, to, ...event }) => ({
      ...event,
      from: millis(Math.max(since, from(start, timezone))),
      to: to === undefined ? millis(Infinity) : to(start, timezone),
    }))
    .filter(({ from, to }) => from < to);
}

/** A moment `hours` before the start, at a whole minute. */
export function hoursAgo(hours: number): When {
  return (start) => millis(Math.floor(start / minuteMs - hours * 60) * minuteMs);
}

/** A local time on a day before the start; 0 is the day of the start. */
export function daysAgo(days: number, localTime: string): When {
  const [hour = 0, minute = 0] = localTime.split(':').map(Number);
  return (start, timezone) => {
    let day = dayContaining(start, timezone);
    for (let back = 0; back < days; back += 1) day = dayContaining(millis(day.start - 1), timezone);
    return millis(day.start + minuteAtLocalTime(day, hour * 60 + minute) * minuteMs);
  };
}
