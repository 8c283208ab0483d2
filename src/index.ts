/**
 * The library, usable without Node-RED. `docs/library.md` describes it. Clients, the parts of a connection and the protocol are
 * not exported: they may change in every version.
 */
export { connect } from './library/connect';
export type {
  Cemm3ConnectOptions,
  CommonConnectOptions,
  ConnectOptions,
  DemoConnectOptions,
  DiscoverOptions,
  LocalConnectOptions,
  RemoteConnectOptions,
} from './library/connect-options';
export type {
  AllMetersOptions,
  BalanceOptions,
  BillChoice,
  BillOptions,
  Cemm,
  Cemm3,
  DateChoice,
  HouseMeters,
  MeterOptions,
  MonitorOptions,
  NowChoice,
  PeriodChoice,
  RangeChoice,
  RecentChoice,
  RequestOptions,
  WatchOptions,
  WeekChoice,
} from './library/cemm';
export type { PeriodUnit, SeriesUnit } from './calendar/units';
export { discover } from './library/discover';
export type { FoundMonitor } from './discovery/candidates';
export { createWebhookReceiver, sign } from './library/webhook-receiver';
export type { HmacKey } from './webhook/keys';
export type {
  Installation,
  InstallationKey,
  KeyOfInstallation,
  NamedKey,
  WebhookReceiver,
  WebhookReceiverOptions,
} from './library/webhook-receiver';
export { startSimulator } from './library/start-simulator';
export type { Simulator, SimulatorOptions } from './simulator/simulator';
export { createFormatter } from './library/create-formatter';
export type { FormatInput, FormatName, FormatOptions, FormattedPayloads, Formatter } from './formats/formatter';
export type { ContractInput as Contract } from './balance/prices/contract-rows';
export type { RowRole as MeterRowRole, StoredMeterRow as MeterRow } from './model/meter-rows';
export type {
  PriceEntryInput,
  PriceListInput,
  PriceZoneInput,
  ZonedPriceInput,
  PricesInput as Prices,
  PriceValueInput,
  UnitPriceInput,
} from './balance/prices/prices-input';
export type { Formatted } from './formats/formatted';
export type { ChartPoint } from './formats/chart';
export type { HistoryMessage, ImportStatistics, StatisticsRow } from './formats/home-assistant/history';
export type { InfluxPoint } from './formats/influx';
export type { ListedPrice } from './formats/price-list';
export type { PlannedPrice, PriceData } from './formats/prices';
export type { Row } from './formats/rows';
export type { SenmlRecord } from './formats/senml';
export type { PlainValues } from './formats/values';
export type { FieldNames } from './formats/chart-names';
export type { HistoryState, Numbers } from './formats/home-assistant/history-state';
export * from './model/payload';
export { CemmError, errorCodes, type EndpointName, type ErrorCode, type ErrorFacts } from './errors';
export { toMacText } from './library/mac-text';
export { toMonitorId, type MonitorId } from './protocol/mac';
