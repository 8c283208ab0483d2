/**
 * The library, usable without Node-RED. `docs/library.md` describes it. Clients, the parts of a connection and the protocol are
 * not exported: they may change in every version.
 */
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
  BalanceOptions,
  BillChoice,
  BillOptions,
  Cemm,
  Cemm3,
  DateChoice,
  HouseMeters,
  MeterOptions,
  MonitorOptions,
  PeriodChoice,
  RecentChoice,
  RequestOptions,
  WatchOptions,
} from './cemm';
export { discover, type DiscoverOptions } from './discover';
export type { FoundMonitor } from './discovery/candidates';
export { createWebhookReceiver } from './webhook-receiver';
export type { HmacKey } from './webhook/keys';
export type { NamedKey, WebhookReceiver, WebhookReceiverOptions } from './webhook-receiver';
export { startSimulator } from './start-simulator';
export type { Simulator, SimulatorOptions } from './simulator/simulator';
export {
  createFormatter,
  type FormatInput,
  type FormatName,
  type FormatOptions,
  type Formatter,
} from './formats/formatter';
export type {
  PriceEntryInput,
  PriceListInput,
  PricesInput as Prices,
  PriceValueInput,
  UnitPriceInput,
} from './prices-input';
export type { Formatted } from './formats/formatted';
export type { FieldNames } from './formats/chart-names';
export type { HistoryState, Numbers } from './formats/home-assistant/history-state';
export * from './model/payload';
export { CemmError, errorCodes, type EndpointName, type ErrorCode, type ErrorFacts } from './errors';
export { toMacText, toMonitorId, type MonitorId } from './protocol/mac';
