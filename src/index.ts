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
export { CalendarError, type CalendarReason } from './calendar/zone';
export type { Period, PeriodUnit } from './calendar/periods';
export {
  mostPeriods,
  namedPeriod,
  nextPeriod,
  periodContaining,
  periodFromLabel,
  periodsBetween,
  previousPeriod,
  requestTime,
} from './calendar/periods';
export { expectedSlots } from './calendar/slots';
export { parseDate } from './calendar/dates';
export { isTimezone } from './calendar/zone';
export { availabilityPayload, type AvailabilityInput } from './model/monitor-payloads';
export { fieldOf, type Field, type FieldContext } from './model/fields';
export { describeMeter, describeMonitor, idOf, topicOf, type IdPrefix, type Origin } from './model/identity';
export { compareReadings, type MeterReset } from './model/totals';
export { normalizePublicSeries, type PublicSeriesInput } from './model/public-series';
export { normalizeRealtime, type RealtimeInput } from './model/realtime';
export { roleOf } from './model/identity';
export { normalizeSeries, type SeriesInput } from './model/series';
export { normalizeTotals, type TotalsInput } from './model/totals';
export { readingsOfNow } from './model/realtime';
export { CemmError, errorCodes, type EndpointName, type ErrorCode, type ErrorFacts } from './errors';
export type { Resolve } from './clients/address';
export type {
  ClientResponse,
  ConcurrencyLimits,
  IdentifiedMonitor,
  MeterRef,
  MonitorClient,
  MonitorRequest,
  MonitorRequests,
  OpenApiKind,
  OpenApiRequests,
  PublicApiKind,
  PublicApiRequests,
  PublicClient,
  RequestKind,
  RequestOf,
  SendOptions,
  SeriesUnit,
  TimeseriesRequest,
  ValueOf,
} from './clients/client';
export type { Clock } from './clock';
export type { Failure } from './errors';
export type { Http, HttpOutcome, HttpRequest } from './clients/http';
export { createLocalClient, type LocalClient, type LocalClientOptions } from './clients/local-client';
export { createPublicClient, type PublicClientOptions } from './clients/public-client';
export { createRemoteClient, type RemoteClientOptions } from './clients/remote-client';
export { createOpenApiConnection, type OpenApiConnectionOptions } from './connection/open-api-connection';
export { createPublicConnection, type PublicConnectionOptions } from './connection/public-connection';
export type { BalanceRole } from './balance/amounts';
export type { MeterChoice } from './balance/choice';
export { parsePrices, type Money, type ParsedPrices, type Price, type PriceEntry, type Prices } from './balance/prices';
export type { BalanceTarget, CounterStore, PeriodBalanceTarget, ReadBalanceOptions } from './connection/balance-reader';
export type { BalanceListener, NowTarget } from './connection/balance-watch';
export type { Balances } from './connection/balances';
export type { RelocationParts } from './connection/relocation';
export type {
  ReadOptions,
  ReadRealtimeOptions,
  ChannelTarget,
  MonitorConnection,
  KnownMonitor,
  MeterList,
  MeterTarget,
  MonitorList,
  RealtimeListener,
  RealtimeTarget,
} from './connection/connection';
export { parseShard, partOf, type Shard } from './connection/shard';
export type { FoundMonitor } from './discovery/candidates';
export { search, type VerifyMonitor, type SearchOptions, type SearchResult } from './discovery/search';
export type { Subnet } from './discovery/search';
export { checkConnection, type CheckedConnection, type CheckOptions } from './diagnostics/connection-check';
export type { CheckStepName, CheckStepResult } from './diagnostics/check-steps';
export { FormatError, type FormatErrorCode, type FormatErrorReason } from './formats/formatter';
export type { Formatted } from './formats/formatter';
export {
  createFormatter,
  type FormatInput,
  type FormatOptions,
  type Formatter,
  type FormatName,
} from './formats/formatter';
export type { FieldNames } from './formats/chart-names';
export type { HmacKey } from './webhook/keys';
export type {
  Flaw,
  IoRecord,
  Measurement,
  Measurements,
  MonitorRecord,
  RealtimeResponse,
  Samples,
  SeriesResponse,
  TotalsResponse,
} from './protocol/responses';
export { toMacText, toMonitorId, type MonitorId } from './protocol/mac';
export type { PublicChannel, PublicMeter, PublicMonitor } from './protocol/responses';
export { millis, toMillis, toSeconds, type Millis, type Seconds } from './protocol/time';
