/** The stored properties of a series node. */
import { type MeterConfig, type SpanConfig, spanDefaults, type TypedValue } from '../lib/shared-config';

export type SeriesPeriod = 'day' | 'month' | 'year';

export const seriesPeriods: readonly SeriesPeriod[] = ['day', 'month', 'year'];

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
  /** How many of the most recent periods. */
  count: number;
  /** Additional data of the monitor, sent unchanged; blank = none. */
  include: string;
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
};
