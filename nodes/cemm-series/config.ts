/** The stored properties of a series node. */
import type { FieldRules } from '../lib/field-rules';
import {
  intervalField,
  type MeterConfig,
  meterFields,
  type SpanConfig,
  spanDefaults,
  spanFields,
  type TypedValue,
  typedTwin,
} from '../lib/shared-config';

export const seriesPeriods = ['day', 'month', 'year'] as const;

export type SeriesPeriod = (typeof seriesPeriods)[number];

export interface SeriesConfig extends MeterConfig, SpanConfig {
  name: string;
  /** Seconds between two requests; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
  /** One of seriesPeriods, or the expression of the typed input. */
  period: string;
  periodType: TypedValue;
  /**
   * Key of the meter. This and the following properties are for a public connection (CEMM 3.0), instead of alias,
   * period, span and dates.
   */
  meter: string;
  meterType: TypedValue;
  /** Key or number of the channel. */
  channel: string;
  channelType: TypedValue;
  /** Sent to the monitor unchanged. */
  resolution: string;
  /** Number of the most recent periods. */
  count: number;
  /** Additional data of the monitor, sent unchanged; blank = none. */
  include: string;
  /** Version of the stored properties. */
  version: number;
}

/** The documented resolutions; others are sent unchanged. */
export const knownResolutions = ['day'] as const;
export const knownIncludes = ['cemm'] as const;

export const seriesDefaults: SeriesConfig = {
  name: '',
  connection: '',
  monitor: '',
  monitorType: 'str',
  alias: '',
  aliasType: 'str',
  role: 'auto',
  interval: 0,
  period: 'day',
  periodType: 'str',
  ...spanDefaults,
  meter: '',
  meterType: 'str',
  channel: '',
  channelType: 'str',
  resolution: 'day',
  count: 7,
  include: 'cemm',
  version: 2,
};

/** A function, to keep it out of dialogs that do not need it. */
export function seriesFields(): FieldRules<SeriesConfig> {
  const open = { connection: 'open' } as const;
  const ofPublic = { connection: 'public' } as const;
  const meter = meterFields(false);
  return {
    name: { is: 'text' },
    ...meter,
    connection: { is: 'text', refersTo: 'cemm-connection', needed: true },
    alias: { ...meter.alias, ...open },
    interval: intervalField,
    period: { is: 'text', typed: [], values: seriesPeriods, ...open },
    periodType: typedTwin,
    ...spanFields(open),
    meter: { is: 'text', typed: [], check: 'key', blank: true, ...ofPublic },
    meterType: typedTwin,
    channel: { is: 'text', typed: [], check: 'channel', missing: 'check.channelMissing', ...ofPublic },
    channelType: typedTwin,
    resolution: { is: 'text', check: 'word', ...ofPublic },
    count: { is: 'number', check: 'count', ...ofPublic },
    include: { is: 'text', check: 'word', blank: true, ...ofPublic },
    version: { is: 'number' },
  };
}

/** Kinds of payload that the output sends. */
export const seriesOutputs = [['series']] as const;
