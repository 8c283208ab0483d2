/** The payload kind `balance`: the house as a whole, at one moment or over a period. */
import type { PayloadBase, PeriodInfo, SeriesPoint, Values } from './payload-parts';

/** What the points of a balance are: quarters or hours of a day, days of a month, months of a year. */
export type BalanceStep = 'PT15M' | 'PT1H' | 'P1D' | 'P1M';

/**
 * Which way a number was found. `registers`: difference of two counters, with minutes where a border has no reading;
 * `minutes`: sum of minutes; `delivered`: amounts that a monitor pushed. Of several ways in one number the least exact one.
 */
export type BalanceMethod = 'registers' | 'delivered' | 'minutes';

/**
 * `not_readable`: a meter does not answer; `not_measured`: nothing is known of that time; `not_simultaneous`: the readings are
 * of different moments; `too_old`: the meter has sent no new power; `inconsistent`: less than nothing, as with a battery or
 * a meter in the wrong role; `zero_divisor`: a ratio to 0 or less; `differs`: the number is there, but the monitor's own
 * month or year says something else; `not_offered`: it is 0, because the smart meter has never offered a counter of it.
 */
export type BalanceMissing =
  | 'not_readable'
  | 'not_measured'
  | 'not_simultaneous'
  | 'too_old'
  | 'inconsistent'
  | 'zero_divisor'
  | 'differs'
  | 'not_offered';

/** Aliases or keys of the meters that were counted, by role. */
export interface BalanceMeters {
  grid: string[];
  production: string[];
  gas: string[];
  water: string[];
}

/** The readings at the borders of a period; null where none stands for it. */
export interface BalanceCounter {
  /** Epoch ms and value. */
  start: [number, number] | null;
  /** Epoch ms and value. */
  end: [number, number] | null;
}

export interface BalancePeak {
  /** W, mean import of the quarter; null while it is running. */
  power_w: number | null;
  /** Epoch ms, first moment of the quarter. */
  start: number;
  /** Epoch ms, first moment after. */
  end: number;
  /** Of the running quarter: W, where the present power goes on; null where it was not followed from its beginning. */
  expected_w?: number | null;
}

/** Each part is null where no price or no number is known; in the currency of the prices. */
export interface BalanceCost {
  currency: string;
  import: number | null;
  export: number | null;
  gas: number | null;
  water: number | null;
  /** What is paid by the day. */
  fixed: number | null;
  /** import + gas + water + fixed − export, of those that have a price. */
  total: number | null;
  /** The total where export is set off against import, tariff by tariff. */
  netted: number | null;
  /** 0 to 1: how much of it was measured and has a price; of several media the least. */
  coverage: number;
}

/** The house as a whole. */
export interface BalancePayload extends PayloadBase {
  kind: 'balance';
  /** Of a balance made of deliveries: the values of the parameters in their path. Absent if the path has none. */
  installation?: string;
  /** What was asked for; absent for the present moment. */
  period?: PeriodInfo & { step: BalanceStep };
  meters: BalanceMeters;
  /**
   * Those of `meters` that could not be read. `io 4` is the I/O with that number: it counts, and has no alias by which this
   * connection can ask for it. Absent where every meter was read.
   */
  notReadable?: string[];
  values: Values;
  /** Ascending, up to the running one; absent for the present moment. */
  points?: SeriesPoint[];
  /** Field → how it was found. */
  method: Record<string, BalanceMethod>;
  /** Field → share of the past part of the period that was measured, 0 to 1. */
  coverage: Record<string, number>;
  /** The quarter of an hour with the highest mean import; null where no quarter was wholly measured. */
  peak: BalancePeak | null;
  /** Field → the readings at the borders. */
  counters: Record<string, BalanceCounter>;
  /** First moments of the points of which a share is not measured in its own time, epoch ms. */
  estimated: number[];
  /** Field → those of `estimated` at which its own amount is such a share: a field that it does not name has none. Absent where `estimated` is empty. */
  estimatedFields?: Record<string, number[]>;
  /** Absent where no prices were given. */
  cost?: BalanceCost;
  /** Field → why it is null. */
  missing: Record<string, BalanceMissing>;
  /** Of the present moment, where powers are too old: the time of the oldest, epoch ms. */
  stale?: { since: number };
  /** Nothing is missing in the part of the period that is past. */
  complete: boolean;
}
