/** The payload kind `balance`: the house as a whole, at one moment or over a period. */
import type { PayloadBase, PeriodInfo, SeriesPoint, Values } from './payload-parts';

/** Step of the points: minutes, quarters or hours of a day, days of a week or month, months of a year. */
export type BalanceStep = 'PT1M' | 'PT15M' | 'PT1H' | 'P1D' | 'P1M';

/**
 * Source of a number. `registers`: difference of two counters, with minutes if a border has no reading; `minutes`: sum of
 * minutes; `delivered`: amounts that a monitor pushed. A number with several sources has the least exact one.
 */
export type BalanceMethod = 'registers' | 'delivered' | 'minutes';

/**
 * `not_readable`: a meter does not answer; `not_measured`: there are no data of that time; `not_simultaneous`: the readings are
 * of different moments; `too_old`: the meter has sent no new power; `inconsistent`: below zero, as with a battery or a meter in
 * the wrong role; `zero_divisor`: a ratio to 0 or less; `differs`: the number is present, but the monitor's own month or year
 * differs; `not_offered`: it is 0, because the smart meter has never offered a counter of it; `not_by_hour`: it is a sum over hours,
 * with a battery or of a bill, and only longer times are known. Of a bill: `too_few_days`: less than 98 % of its days was measured
 * and has a price; `no_price`: a price for import is missing, or for export in a house that exports. Of a total (`cost.total`), which is
 * present: fewer than 98 % of the past days are known, or have a price. Of a bill: `hourly_price`: its prices
 * change by the hour; of a total also: the hours of most days are unknown. `not_by_tariff`: the hours of the tariffs are unknown. Of the minutes of a day: `not_kept`.
 */
export type BalanceMissing =
  | 'not_readable'
  | 'not_measured'
  | 'not_simultaneous'
  | 'too_old'
  | 'inconsistent'
  | 'unknown_meter'
  | 'zero_divisor'
  | 'differs'
  | 'changed'
  | 'not_offered'
  | 'too_few_days'
  | 'no_price'
  | 'hourly_price'
  | 'not_by_hour'
  | 'not_by_tariff'
  | 'not_kept';

/** Aliases or keys of the meters that were counted, by role. */
export interface BalanceMeters {
  grid: string[];
  production: string[];
  /** Absent for a house without a meter of this role. */
  battery?: string[];
  gas: string[];
  water: string[];
}

/** The readings at the borders of a period; null if there is none for a border. */
export interface BalanceCounter {
  /** Epoch ms and value. */
  start: [number, number] | null;
  /** Epoch ms and value. */
  end: [number, number] | null;
}

export interface BalancePeak {
  /** Mean import of the quarter, W; null for the current quarter. */
  power_w: number | null;
  /** Start of the quarter, epoch ms. */
  start: number;
  /** End of the quarter (exclusive), epoch ms. */
  end: number;
  /** For the current quarter: its expected mean if the current power continues, W; null if it was not followed from its start. */
  expected_w?: number | null;
  /**
   * In the current balance, where quarter-hour peaks are read: the highest known quarter of the month so far, W; null until
   * the month was read.
   */
  month_w?: number | null;
  /**
   * With `month_w`: the power that can be added in the rest of the quarter without a new peak of the month, W. Below 0: so much less
   * would be needed. Null in the last 60 s of the quarter, and while `month_w` is.
   */
  room_w?: number | null;
}

/** In the currency of the prices. A part is null if its price or its amount is unknown. */
export interface BalanceCost {
  currency: string;
  import: number | null;
  /** Income from export. */
  export: number | null;
  /** Costs of export: the supplier charges them on every exported kWh. */
  export_fee: number | null;
  gas: number | null;
  water: number | null;
  /** Fixed cost: the prices per day and per year for the past days of which some of the import is known. */
  fixed: number | null;
  /** Capacity tariff: of a month by its quarter-hour peak, of a year the sum of its months, of a day 0. */
  peak: number | null;
  /** import + gas + water + fixed + peak + export_fee − export, without parts that have no price. */
  total: number | null;
  /** The total if export is subtracted from import, as in the Netherlands until the end of 2026. */
  netted: number | null;
  /** Cost of import per kWh of the import that has a price; null without any. */
  per_kwh: number | null;
  /** 0 to 1: the share that was measured and has a price; the lowest of all media. */
  coverage: number;
  /** Past days with the current one; those of which some import is known; of these, those with a price. Absent before 0.2.0. */
  days?: { past: number; known: number; priced: number };
  /** True: the prices are those of an example. */
  example?: true;
}

/** A day, week, month or year; of a bill the days from one to another. */
export interface BalancePeriodInfo extends Omit<PeriodInfo, 'unit' | 'label'> {
  /** Length of the period. */
  unit: PeriodInfo['unit'] | 'week' | 'range';
  /** `2026-10-25`, `2026-W43` (ISO week), `2026-10` or `2026`; of a bill its first and last day, `2025-07-01/2026-06-30`. */
  label: string;
  /** Length of the points. */
  step: BalanceStep;
}

/** Savings of a battery of one size. */
export interface BalanceBattery {
  /** Usable capacity. */
  kwh: number;
  /** In the currency of the prices from 2027, or of the contract; null if it is not known. */
  saved: number | null;
}

/**
 * A consumer with a meter of its own: its row in the connection's meters has the role `consumption`. Devices are a part of the use of
 * the house and change no other number.
 */
export interface BalanceDevice {
  /** Alias or key. */
  meter: string;
  /** Its name in the meters of the connection; without one, its alias or key. */
  name: string;
  /** The meter of the device behind which it is; absent for none. */
  within?: string;
  /** For the current balance: its power, W; null if unknown. */
  power_w?: number | null;
  /** For a period: its use, kWh; null if unknown. */
  energy_kwh?: number | null;
  /** The measured share of the past part of the period, 0 to 1; of the current balance 1, or 0 if its power is unknown. */
  coverage: number;
  /**
   * Its share, hour by hour, of what the house paid for import and would have earned for its own production, in the currency of the
   * prices; null if unknown. Absent without prices, and for the current balance.
   */
  cost?: number | null;
  /** The share of its use that was own production of the same hour, 0 to 1; null if unknown. Absent without production, and for the current balance. */
  from_sun?: number | null;
  /** `power_w`, `energy_kwh`, `cost` or `from_sun` → why it is null. Absent if none is. */
  missing?: Record<string, BalanceMissing>;
}

/** A phase of the connection to the grid. */
export interface BalancePhase {
  /** Positive: import; null if the meter sends other values of the phase only. */
  power_w: number | null;
  /** Absent if the meter does not send it. */
  voltage_v?: number;
  /** Absent if the meter does not send it. */
  current_a?: number;
}

/** One step of a period: field → number or null. */
export type BalancePoint = SeriesPoint & {
  /** Device (`meter`) → its use in the step, kWh; null if unknown. Absent if the house has no devices. */
  devices?: Record<string, number | null>;
};

/** The part of a long period that is read. The last message of an answer has `done` = `all`. */
export interface BalanceProgress {
  /** Days that are read. */
  done: number;
  all: number;
  unit: 'day';
}

/** A month of a bill with contracts, in the currency of the contract. */
export interface BalanceContractMonth {
  /** Such as `2026-11`. */
  label: string;
  /** Cost without netting; null if it is not known. */
  total: number | null;
  /** The growth of `due` in this month: the months add up to it. Null if it is not known. */
  due: number | null;
}

/** A bill by one contract, over the whole period. */
export interface BalanceContract {
  name: string;
  /** Without netting; null if it is not known. */
  cost: BalanceCost | null;
  /** Amount that is paid: with netting where the contract has it, else the total. Null if it is not known. */
  due: number | null;
  /** Saving of 1 kWh a day moved to hours with a surplus, without netting; null if it is not known. */
  moved: number | null;
  /** Savings of a battery of each size, without netting. */
  batteries: BalanceBattery[];
  /** Ascending; a month that lies in the period in part counts in part. */
  per_month: BalanceContractMonth[];
  /** Field → why it is null; also why `due` is without netting. Absent if nothing is missing. */
  missing?: Record<string, BalanceMissing>;
}

/** The year of a contract: the days so far, and the days of the year before for the rest. Unknown days count as the others. */
export interface BalanceExpected {
  /** Cost without netting; null if it is not known. */
  total: number | null;
  /** Amount that is paid; null if it is not known. */
  due: number | null;
  based_on: { days_this_year: number; days_last_year: number };
}

/** The house as a whole. */
export interface BalancePayload extends PayloadBase {
  kind: 'balance';
  /** For a balance of deliveries: the values of the parameters in their path. Absent if the path has none. */
  installation?: string;
  /** Time zone of the house, IANA name; absent in payloads of 0.1.0 that a flow has kept. */
  timezone?: string;
  /** The requested period; absent for the current balance. */
  period?: BalancePeriodInfo;
  meters: BalanceMeters;
  /** Alias or key → name in the meters of the connection. Absent if no counted meter has one. */
  names?: Record<string, string>;
  /**
   * Counted meters that could not be read. `io 4` is the I/O with that number: it counts, but has no alias for requests over this
   * connection. Absent if every meter was read.
   */
  notReadable?: string[];
  /**
   * Keys or aliases of meters that may be an inverter or a battery, and whose role is not known: the use of the house is null as long as
   * they are in no list. Absent without such a meter.
   */
  unknownMeters?: string[];
  values: Values;
  /**
   * Ascending, up to the current one; absent for the current balance. Of the question `prices`: `ts`, `end`, `price_import` and
   * `price_export` (without its fee) of each slot, also of later ones, null where there is no single price.
   */
  points?: BalancePoint[];
  /** Field → source of its value. */
  method: Record<string, BalanceMethod>;
  /** Field → measured share of the past part of the period, 0 to 1. */
  coverage: Record<string, number>;
  /** In the order of the meters of the connection. Absent if the house has none. */
  devices?: BalanceDevice[];
  /** For the current balance: L1 to L3, as far as the meter of the grid sends them. Absent if it sends none. */
  phases?: BalancePhase[];
  /** The quarter hour with the highest mean import; null if no quarter was measured completely. */
  peak: BalancePeak | null;
  /** Field → the readings at the borders. */
  counters: Record<string, BalanceCounter>;
  /** Starts of the points with a share that was not measured in its own time, epoch ms. */
  estimated: number[];
  /**
   * Field → the moments of `estimated` at which its own value has such a share; a field without an entry has none. Absent if
   * `estimated` is empty.
   */
  estimatedFields?: Record<string, number[]>;
  /** Absent without prices. */
  cost?: BalanceCost;
  /**
   * For a bill: the cost at the prices until 2026, whose `netted` is the bill, and at those from 2027, whose `total` is the bill.
   * Null if it is not known; `missing` has the reason (`bills.0`, `bills.1`).
   */
  bills?: [BalanceCost | null, BalanceCost | null];
  /** For a bill: what 1 kWh a day moved to hours with a surplus would have saved, at the prices from 2027; null if it is not known. */
  moved?: number | null;
  /** For a bill: what a battery of each size would have saved. */
  batteries?: BalanceBattery[];
  /** For a bill with contracts: the house by each of them, in the order of the question. */
  contracts?: BalanceContract[];
  /** For a bill with contracts: the name of the one with the lowest `due`; null if one of them is not known. */
  best?: string | null;
  /** For a bill with contracts: the year of the first one that runs; null with fewer than 300 known days, and for lists by the hour. */
  expected?: BalanceExpected | null;
  /** Start of the first day of which some of the import is known, epoch ms; absent if that is the first day of the period. */
  since?: number;
  /** For a bill: the share of its days that was measured, 0 to 1; a day that was measured in part counts in part. */
  share?: number;
  /** Language of the node that sent it, for numbers and dates, such as `nl-NL`. Absent in the library. */
  language?: string;
  /** The property `question` of the message that asked for this balance. */
  question?: string | number;
  /** Field → why it is null. */
  missing: Record<string, BalanceMissing>;
  /**
   * For a year, asked with `hours`, in its last answer: `energy_import_kwh` and `energy_export_kwh` → Wh of each clock hour that is over,
   * from the start of the year, in whole numbers; null if the hour is not known. An hour that occurs twice has two entries. Absent if not
   * asked. Over the internet only days that are kept have hours.
   */
  hours?: Record<string, (number | null)[]>;
  /** For a long period, asked with `progress`: the part of its days that is read. Absent if not asked. */
  progress?: BalanceProgress;
  /** For the current balance with powers that are too old: the time of the oldest, epoch ms. */
  stale?: { since: number };
  /** True if nothing is missing in the past part of the period. */
  complete: boolean;
}
