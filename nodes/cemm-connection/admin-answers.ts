/** The fixed shapes of what the admin routes answer; the dialogs read them again with care. */

export interface MonitorEntry {
  /** `AA:BB:CC:DD:EE:FF` */
  readonly mac: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
}

export interface FoundEntry extends MonitorEntry {
  readonly host: string;
  /** Its own root answered with the same MAC. */
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
  /** None of an Open API, which is asked by the meter as a whole. */
  readonly channels: readonly ChannelEntry[];
  readonly type: string | null;
  readonly role: string | null;
  /** Its most telling value, such as `power_w`; null where there is none. */
  readonly field: string | null;
  readonly value: number | null;
}

/** `error`: one of the words of src/diagnostics/check-steps.ts, null where there was none. */
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
