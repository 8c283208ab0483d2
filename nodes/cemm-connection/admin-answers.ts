/** The fixed shapes of the admin routes' responses. The dialogs check them again. */

export interface MonitorEntry {
  /** `AA:BB:CC:DD:EE:FF` */
  readonly mac: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
}

export interface FoundEntry extends MonitorEntry {
  readonly host: string;
  /** True if the monitor's own root answered with the same MAC address. */
  readonly verified: boolean;
}

export interface ChannelEntry {
  readonly key: string;
  readonly label: string | null;
  readonly unit: string | null;
}

export interface MeterEntry {
  /** Open API alias, or meter key of the public API. */
  readonly alias: string;
  readonly label: string | null;
  /** Empty for an Open API, which is requested per meter. */
  readonly channels: readonly ChannelEntry[];
  readonly type: string | null;
  readonly role: string | null;
  /** Its most useful value, such as `power_w`; null if there is none. */
  readonly field: string | null;
  readonly value: number | null;
}

/** The directions that the counters of a meter without a role count. */
export const meterDirections = ['import', 'export', 'both'] as const;

export type MeterDirection = (typeof meterDirections)[number];

/** A meter for the meters of the house. */
export interface NamedMeterEntry extends MeterEntry {
  /** MAC address, installation or number; blank for the only monitor. */
  readonly monitor: string;
  readonly counts: MeterDirection | null;
}

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
export interface ListedTime {
  readonly start: number;
  readonly end: number;
}

/** The prices of the deployed connection that change by the hour or on a date, and those of today. */
export interface PriceListEntry {
  readonly currency: string;
  readonly isImport: boolean;
  readonly timezone: string;
  readonly now: number;
  readonly from: number;
  /** Null: the last price has no end. */
  readonly until: number | null;
  /** The first times without a price, and how many there are. */
  readonly holes: readonly ListedTime[];
  readonly holeCount: number;
  readonly day: readonly (ListedTime & { readonly value: number | null })[];
}

export const priceListStates = ['list', 'none', 'wrong', 'notDeployed'] as const;

export interface PriceListAnswer {
  readonly state: (typeof priceListStates)[number];
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

export interface CheckStep {
  readonly step: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly ms: number | null;
  readonly word: string | null;
  readonly values: Readonly<Record<string, number>>;
}

export interface CheckAnswer {
  readonly steps: readonly CheckStep[];
}
