/** The stored properties of a series node (contract.md section 1). */
import type { DateType } from '../shared/date-config';
import type { MeterConfig } from '../shared/meter-config';

export type SeriesPeriod = 'day' | 'month' | 'year';

export const seriesPeriods: readonly SeriesPeriod[] = ['day', 'month', 'year'];

/** `one` period, a `range` of periods, or only the samples that are `new` since the last message. */
export type SeriesSpan = 'one' | 'range' | 'new';

export const seriesSpans: readonly SeriesSpan[] = ['one', 'range', 'new'];

export interface SeriesConfig extends MeterConfig {
  name: string;
  /** Seconds between two questions; 0 = only on input. Floor 5 local, 10 remote. */
  interval: number;
  period: SeriesPeriod;
  span: SeriesSpan;
  /** For `one`. */
  date: string;
  dateType: DateType;
  /** For `range`, inclusive. */
  from: string;
  fromType: DateType;
  /** For `range`, inclusive. */
  to: string;
  toType: DateType;
}

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
  span: 'one',
  date: '',
  dateType: 'current',
  from: '',
  fromType: 'previous',
  to: '',
  toType: 'current',
};
