/** The library: usable alone, without Node-RED. `docs/library.md` shows it. */
export { connect } from './connect';
export type {
  Cemm3ConnectOptions,
  CommonConnectOptions,
  ConnectOptions,
  DemoConnectOptions,
  LocalConnectOptions,
  RemoteConnectOptions,
} from './connect';
export type {
  AllMetersOptions,
  Cemm,
  Cemm3,
  DateChoice,
  MeterOptions,
  MonitorOptions,
  PeriodChoice,
  RecentChoice,
  RequestOptions,
  WatchOptions,
} from './cemm';
export { discover, type DiscoverOptions } from './discover';
export { createWebhookReceiver } from './webhook-receiver';
export type { NamedKey, WebhookReceiver, WebhookReceiverOptions } from './webhook-receiver';
export { startSimulator } from './start-simulator';
export type { Simulator, SimulatorOptions } from './simulator/simulator';
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
export { describeMeter, describeMonitor, idOf, topicOf, type IdPrefix, type Origin } from './model/identity';
export { compareReadings, type MeterReset } from './model/meter-reset';
export { normalizePublicSeries, type PublicSeriesInput } from './model/public-series';
export { normalizeRealtime, type RealtimeInput } from './model/realtime';
export { roleOf } from './model/roles';
export { normalizeSeries, type SeriesInput } from './model/series';
export { normalizeTotals, type TotalsInput } from './model/totals';
export { readingsOfNow } from './model/device-totals';
export { CemmError, errorCodes, type EndpointName, type ErrorCode, type ErrorFacts } from './clients/errors';
export type { Resolve } from './clients/address-rules';
export type { Answer, AskLimits, AskOptions, ListOptions, MeterRef, MonitorClient, SeriesUnit } from './clients/client';
export type { Clock } from './clients/clock';
export type { Failure } from './clients/failure';
export type { Http, HttpOutcome, HttpRequest } from './clients/http';
export { createLocalClient, type LocalClient, type LocalClientOptions } from './clients/local-client';
export {
  createPublicClient,
  type MetMonitor,
  type PublicClient,
  type PublicClientOptions,
} from './clients/public-client';
export type { TimeseriesQuestion } from './clients/public-question';
export { createRemoteClient, type RemoteClientOptions } from './clients/remote-client';
export { createInstallation, type InstallationOptions } from './installation/create-installation';
export { createPublicInstallation, type PublicInstallationOptions } from './installation/public-installation';
export type { FollowingParts } from './installation/following';
export type {
  Ask,
  AskRealtime,
  ChannelTarget,
  Installation,
  KnownMonitor,
  MeterList,
  MeterTarget,
  MonitorList,
  RealtimeListener,
  RealtimeTarget,
} from './installation/installation';
export { parseShard, partOf, type Shard } from './installation/shard';
export type { FoundMonitor } from './discovery/candidates';
export { search, type Confirm, type SearchOptions, type SearchResult } from './discovery/search';
export type { Subnet } from './discovery/subnets';
export { checkConnection, type Checked, type CheckOptions } from './connection-check/check-connection';
export type { LadderStep, Rung } from './connection-check/ladder';
export { FormatError, type FormatErrorCode, type FormatErrorReason } from './formats/format-error';
export type { Formatted } from './formats/formatted';
export { createFormatter, type FormatInput, type Formatter, type FormatName } from './formats/formatter';
export type { HmacKey } from './webhook/proof';
export type {
  Flaw,
  IoRecord,
  Measurement,
  Measurements,
  MonitorRecord,
  RealtimeAnswer,
  Samples,
  SeriesAnswer,
  TotalsAnswer,
} from './wire/answers';
export { toMacText, toMonitorId, type MonitorId } from './wire/mac';
export type { PublicChannel, PublicMeter, PublicMonitor } from './wire/public-answers';
export { millis, toMillis, toSeconds, type Millis, type Seconds } from './wire/time';
