/** Latest powers and meter readings of a meter, as MeasurementArrays with the time the meter gave them. */
import { millis, type Millis } from '../wire/time';
import type { Minute, Registers } from './house';
import { dayContaining, minuteAtWall, MINUTE_MS } from './local-days';
import { asMetered } from './metered-house';
import type { ElectricityMeter } from './meters';
import { gasTime, NO_VALUE, type Sample, type Scene } from './series';

export interface Readings {
  /** Time of the last telegram: a few seconds old, every 10 seconds (DSMR 4) or every second (DSMR 5). */
  readonly time: Millis;
  /** Of the minute in which the time lies; no value before the meters were in service. */
  readonly power: (value: (minute: Minute) => number) => Sample;
  readonly reading: (value: (registers: Registers) => number, time?: Millis) => Sample;
  /** With the time of the gas meter, which reports less often. */
  readonly gas: () => Sample;
}

/** How old a telegram is before the monitor shows it; `totals` of a local monitor are that much newer (vendor-facts 1.2). */
export const TELEGRAM_AGE_MS = 5000;

/** Readings that a monitor has at a moment, which may lie in the past (last reading of a day). */
export function readingsAt(scene: Scene, at: Millis): Readings {
  const house = asMetered(scene.house, scene.faults, scene.now);
  const pace = scene.dsmr === 4 ? 10_000 : 1000;
  const time = millis(Math.floor(at / pace) * pace);
  const reported = lastReport(scene);
  const known = (moment: Millis): boolean => moment >= house.since && moment <= scene.now;
  const reading: Readings['reading'] = (value, given = time) => {
    const moment = reported !== null && reported < given ? reported : given;
    return known(moment) ? [moment, value(house.registers(moment))] : NO_VALUE;
  };
  return {
    time,
    power: (value) => (known(time) ? [time, value(house.minute(time))] : NO_VALUE),
    reading,
    gas: () => (scene.faults.has('no-p1-gas') ? NO_VALUE : reading((registers) => registers.gasM3, gasTime(scene, at))),
  };
}

/** When the meters last reported what they counted (fault old-readings: at 20:00 of the day before). */
function lastReport({ house, now, faults }: Scene): Millis | null {
  if (!faults.has('old-readings')) return null;
  const yesterday = dayContaining(millis(dayContaining(now, house.timezone).start - 1), house.timezone);
  return millis(yesterday.start + minuteAtWall(yesterday, 20 * 60) * MINUTE_MS);
}

/** The four registers of a meter, as the channels t1 to t4 (spec.md B, Channels). */
export function registerChannels(
  meter: ElectricityMeter,
  reading: Readings['reading'],
  time?: Millis,
): Readonly<Record<'t1' | 't2' | 't3' | 't4', Sample>> {
  return {
    t1: reading((registers) => meter.registers(registers)[0], time),
    t2: reading((registers) => meter.registers(registers)[1], time),
    t3: reading((registers) => meter.registers(registers)[2], time),
    t4: reading((registers) => meter.registers(registers)[3], time),
  };
}
