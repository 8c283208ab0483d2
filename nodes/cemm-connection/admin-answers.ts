/** The fixed shapes of the admin routes' responses. The dialogs read them by these, too. */
import {
  flag,
  listReader,
  number,
  objectReader,
  wordReader,
  orElse,
  orNull,
  type ReadBy,
  type Reader,
  text,
} from '../lib/answer-readers';

const monitor = {
  /** `AA:BB:CC:DD:EE:FF` */
  mac: text,
  name: orNull(text),
  type: orNull(text),
  version: orNull(text),
} as const;
export const monitorEntry = objectReader(monitor);
export type MonitorEntry = ReadBy<typeof monitorEntry>;

export const foundEntry = objectReader({
  ...monitor,
  host: text,
  /** True if the monitor's own root answered with the same MAC address. */
  verified: flag,
});
export type FoundEntry = ReadBy<typeof foundEntry>;

const channelEntry = objectReader({ key: text, label: orNull(text), unit: orNull(text) });
export type ChannelEntry = ReadBy<typeof channelEntry>;

const meter = {
  /** Open API alias, or meter key of the public API. */
  alias: text,
  label: orNull(text),
  /** Empty for an Open API, which is requested per meter. */
  channels: listReader(channelEntry),
  type: orNull(text),
  role: orNull(text),
  /** Its most useful value, such as `power_w`; null if there is none. */
  field: orNull(text),
  value: orNull(number),
} as const;
export const meterEntry = objectReader(meter);
export type MeterEntry = ReadBy<typeof meterEntry>;

/** The directions that the counters of a meter without a role count. */
const direction = wordReader('import', 'export', 'both');
export type MeterDirection = ReadBy<typeof direction>;

/** A meter for the meters of the house. */
export const namedMeterEntry = objectReader({
  ...meter,
  /** MAC address, installation or number; blank for the only monitor. */
  monitor: orElse(text, ''),
  counts: orNull(direction),
});
export type NamedMeterEntry = ReadBy<typeof namedMeterEntry>;

export interface HouseMetersAnswer {
  readonly meters: readonly NamedMeterEntry[];
  readonly error: string | null;
}

/** `error`: a result code of src/diagnostics/check-steps.ts, null without an error. */
export interface FindAnswer {
  readonly monitors: readonly FoundEntry[];
  readonly error: string | null;
}

export interface MonitorsAnswer {
  readonly monitors: readonly MonitorEntry[];
  readonly error: string | null;
}

export interface MetersAnswer {
  readonly meters: readonly MeterEntry[];
  readonly error: string | null;
}

/** A report of the monitor, and how many of its requests of a user were read or failed. */
export interface ReportAnswer {
  readonly file: string | null;
  readonly read: number;
  readonly failed: number;
  readonly error: string | null;
}

/** The monitor that answers at the address, whichever was expected there; null if none does. */
export interface NewMonitorAnswer {
  /** `AA:BB:CC:DD:EE:FF` */
  readonly mac: string | null;
  /** True if the deployed connection expects it from now on; otherwise it counts after a deploy. */
  readonly isUsed: boolean;
  readonly error: string | null;
}

/** A time of a list of prices, half-open, epoch ms. */
const time = { start: number, end: number } as const;
const listedTime = objectReader(time);
export type ListedTime = ReadBy<typeof listedTime>;

/** The prices of the deployed connection that change by the hour or on a date, and those of today. */
export const priceListEntry = objectReader({
  currency: text,
  isImport: flag,
  timezone: text,
  now: number,
  from: number,
  /** Null: the last price has no end. */
  until: orNull(number),
  /** The first times without a price, and how many there are. */
  holes: listReader(listedTime),
  holeCount: orElse(number, 0),
  day: listReader(objectReader({ ...time, value: orNull(number) })),
});
export type PriceListEntry = ReadBy<typeof priceListEntry>;

export const priceListState = wordReader('list', 'none', 'wrong', 'notDeployed');

export interface PriceListAnswer {
  readonly state: ReadBy<typeof priceListState>;
  readonly list: PriceListEntry | null;
  /** The fault; null if there is none. */
  readonly place: string | null;
}

/** Past days of all monitors in the user folder. */
export interface KeptAnswer {
  readonly months: number;
  readonly bytes: number;
}

/** The past that the deployed connection has read in the background. */
export interface ReadBackAnswer {
  /** Such as `2025-03`; null: nothing was read so far. */
  readonly month: string | null;
  /** `off`: the deployed connection does not read back; `waiting`: it has not begun. */
  readonly state: 'off' | 'waiting' | 'reading' | 'done';
}

/** Numbers by name. */
const numbers: Reader<Readonly<Record<string, number>>> = (value) =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter((pair): pair is [string, number] => typeof pair[1] === 'number'),
  );

export const checkStep = objectReader({
  step: text,
  state: wordReader('ok', 'failed', 'skipped'),
  ms: orNull(number),
  word: orNull(text),
  values: numbers,
});
export type CheckStep = ReadBy<typeof checkStep>;

export interface CheckAnswer {
  readonly steps: readonly CheckStep[];
}
