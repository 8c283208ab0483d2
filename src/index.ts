/** The library: usable alone, without Node-RED. */
export * from './model/payload';
export { CalendarError, type CalendarReason } from './calendar/calendar-error';
export type { Period, PeriodUnit } from './calendar/period';
export {
  MOST_PERIODS,
  namedPeriod,
  nextPeriod,
  periodContaining,
  periodFromLabel,
  periodsBetween,
  previousPeriod,
  requestTime,
} from './calendar/periods';
export { expectedSlots } from './calendar/slots';
export { parseDate } from './calendar/parse-date';
export { isTimezone } from './calendar/zone';
export { availability, type AvailabilityInput } from './model/availability';
export { fieldOf, type Field, type FieldContext } from './model/fields';
export { describeMeter, describeMonitor, idOf, topicOf } from './model/identity';
export { compareReadings, type MeterReset } from './model/meter-reset';
export { normalizePublicSeries, type PublicSeriesInput } from './model/public-series';
export { normalizeRealtime, type RealtimeInput } from './model/realtime';
export { roleOf } from './model/roles';
export { normalizeSeries, type SeriesInput } from './model/series';
export { normalizeTotals, type TotalsInput } from './model/totals';
export { readingsOfNow } from './model/device-totals';
