/**
 * The simulated house: one set of numbers behind every interface of the simulator. Powers are whole watts per minute and
 * registers are their exact integral (kept in watt-minutes), so every answer can be checked against every other.
 */
import type { Millis } from '../wire/time';

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

export interface House {
  readonly timezone: string;
  readonly seed: number;
  /** The meters went into service at this moment; before it there are no data. */
  readonly since: Millis;
  /** The minute that contains the moment. */
  minute(at: Millis): Minute;
  /** Readings at the moment; within a minute they grow linearly. */
  registers(at: Millis): Registers;
}
