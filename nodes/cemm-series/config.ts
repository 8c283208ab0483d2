/** The stored properties of a series node. */
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';
import { intervalField, meterFields, spanFields, typedTwin } from '../lib/stored/shared-config';

export const seriesPeriods = ['day', 'month', 'year'] as const;

/** The documented resolutions; others are sent unchanged. */
export const knownResolutions = ['day'] as const;
export const knownIncludes = ['cemm'] as const;

const open = { connection: 'open' } as const;
const ofPublic = { connection: 'public' } as const;

export const seriesFields = {
  name: nameField,
  ...meterFields,
  alias: { ...meterFields.alias, ...open },
  interval: intervalField,
  /** One of seriesPeriods, or the expression of the typed input. */
  period: { is: 'text', typed: [], values: seriesPeriods, default: 'day', ...open },
  periodType: typedTwin,
  ...spanFields(open),
  /**
   * Key of the meter. This and the following properties are for a public connection (CEMM 3.0), instead of alias, period,
   * span and dates.
   */
  meter: { is: 'text', typed: [], check: 'key', blank: true, default: '', ...ofPublic },
  meterType: typedTwin,
  /** Key or number of the channel. */
  channel: { is: 'text', typed: [], check: 'channel', missing: 'check.channelMissing', default: '', ...ofPublic },
  channelType: typedTwin,
  /** Sent to the monitor unchanged. */
  resolution: { is: 'text', check: 'word', default: 'day', ...ofPublic },
  /** Number of the most recent periods. */
  count: { is: 'number', check: 'count', default: 7, ...ofPublic },
  /** Additional data of the monitor, sent unchanged; blank = none. */
  include: { is: 'text', check: 'word', blank: true, default: 'cemm', ...ofPublic },
  version: { is: 'number', default: 2 },
} as const;

export type SeriesConfig = ConfigOf<typeof seriesFields>;
export const seriesDefaults = defaultsOf(seriesFields);

/** Kinds of payload that the output sends. */
export const seriesOutputs = [['series']] as const;
