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
export { CemmError, errorCodes, type ErrorCode } from './clients/errors';
export type { Answer, AskOptions, MonitorClient } from './clients/client';
export { createLocalClient, type LocalClientOptions } from './clients/local-client';
export { createPublicClient, type PublicClient, type PublicClientOptions } from './clients/public-client';
export { createRemoteClient, type RemoteClientOptions } from './clients/remote-client';
export { createInstallation, type InstallationOptions } from './installation/create-installation';
export { createPublicInstallation, type PublicInstallationOptions } from './installation/public-installation';
export type { Installation } from './installation/installation';
export { parseShard, partOf, type Shard } from './installation/shard';
export { search, type SearchOptions, type SearchResult } from './discovery/search';
export { checkConnection, type Checked, type CheckOptions } from './connection-check/check-connection';
export type { ReceiverRules } from './webhook/judge';
export { createReceiver, type Receiver, type ReceiverOutlets } from './webhook/receiver';
export { createFormatter, type Formatter, type FormatName } from './formats/formatter';
export { startSimulator } from './simulator/start-simulator';
export type { Simulator, SimulatorOptions } from './simulator/simulator';
