/** The formats of the node `cemm-format` behind one function (`docs/nodes/cemm-format.md`). */
import { isTimezone } from '../calendar/zone';
import { CemmError } from '../errors';
import type { Payload } from '../model/payload';
import { systemClock } from '../time/clock';
import type { formats } from '../checks/limits';
import { isAbsent, readMember } from '../checks/record';
import { chartOfBalance } from './balance-chart';
import { type ChartOptions, type ChartPoint, createChart } from './chart';
import type { FieldNames } from './chart-names';
import { type ChosenFields, readFieldList } from './chosen-fields';
import { HomeAssistant, statusMessage } from './home-assistant/home-assistant';
import type { Formatted } from './formatted';
import { historyOf, type HistoryMessage } from './home-assistant/history';
import { createHaNames } from './home-assistant/names';
import { readRemoval } from './home-assistant/removal';
import { type HistoryState, readHistory } from './home-assistant/history-state';
import { homeWizardOf } from './home-wizard';
import { type InfluxPoint, influxOf } from './influx';
import { formatInfluxLines } from './influx-lines';
import { createOpenMetrics } from './open-metrics';
import { type ListedPrice, priceListOf } from './price-list';
import { type PriceData, plannedPricesOf } from './prices';
import { readNumbers, readPayload, readPayloads } from '../model/read-payload';
import { type Row, formatRows } from './rows';
import { type SenmlRecord, senmlOf } from './senml';
import { type PlainValues, formatValues } from './values';

export type FormatName = (typeof formats)[number];

/** The properties of a Node-RED message that a formatter reads. */
export interface FormatInput {
  readonly payload: unknown;
  readonly topic?: unknown;
  /** `msg.parts`; only its `index` is used. */
  readonly parts?: unknown;
  /** Format `homeassistant-history`: field → base, which is subtracted from its readings. */
  readonly base?: unknown;
  /** Format `homeassistant-history`: state after the previous days. */
  readonly history?: unknown;
  /** Format `price-list`: the time zone of the house; default `Europe/Amsterdam`. */
  readonly timezone?: unknown;
  /** The request of an `http in` node: format `openmetrics` reads the header `accept`, format `homewizard` the path. */
  readonly req?: unknown;
}

/**
 * Converts one message. Returns the messages to send in order, possibly none.
 * @throws {CemmError} INPUT: no payload of this package. UNSUPPORTED: the format has no representation of the payload.
 */
export type Formatter<Content = unknown> = (message: FormatInput) => Formatted<Content>[];

/** The payload of the messages of each format. */
export interface FormattedPayloads {
  values: PlainValues;
  rows: readonly Row[];
  chart: readonly ChartPoint[];
  influx: readonly InfluxPoint[];
  'influx-lines': string;
  senml: readonly SenmlRecord[];
  homeassistant: string | object;
  'homeassistant-history': HistoryMessage;
  openmetrics: string;
  homewizard: object;
  prices: PriceData;
  'price-list': readonly ListedPrice[];
}

export interface FormatOptions {
  /** Names of fields, separated by commas; blank: the default fields of the format. */
  readonly fields?: string;
  /** Names for the lines of a chart and for sensors in Home Assistant; without them they have the name of the field. */
  readonly names?: FieldNames;
  /** Language of dates in the labels of a chart, such as `nl`; default `en-GB`. */
  readonly language?: string | undefined;
  /** Format `homeassistant`: seconds without a message after which a sensor becomes unavailable; null: never. */
  readonly expireAfter?: number | null;
  /** Format `homeassistant`: announces a button that sends a message to the topic `cemm/<monitor>/fetch`. */
  readonly fetchButton?: boolean;
  /** The current time, Unix ms; default: the clock of this computer. */
  readonly now?: () => number;
}

type CompleteOptions = ChartOptions & Required<Pick<FormatOptions, 'expireAfter' | 'fetchButton' | 'now'>>;

/** A formatter. `chart`, `homeassistant` and `homeassistant-history` keep state, so create one formatter per node. */
export function createFormatter<Name extends FormatName>(
  format: Name,
  options: FormatOptions = {},
): Formatter<FormattedPayloads[Name]> {
  const { fields = '', names = () => null, language = 'en-GB', expireAfter = null, fetchButton = false } = options;
  const { now = () => systemClock.now() } = options;
  return formatters[format]({ fields: readFieldList(fields), names, language, expireAfter, fetchButton, now });
}

const formatters: { readonly [Name in FormatName]: (options: CompleteOptions) => Formatter<FormattedPayloads[Name]> } =
  {
    values: makePlainFormatter(formatValues),
    rows: makePlainFormatter(formatRows),
    influx: makePlainFormatter(influxOf),
    'influx-lines':
      ({ fields }) =>
      ({ payload, topic }) =>
        formatInfluxLines(payload, topic, fields),
    senml: makePlainFormatter(senmlOf),
    chart: (options) => {
      const chart = createChart(options);
      return (message) => {
        const [payload, position] = [readPayload(message.payload), positionIn(message.parts)];
        const formatted =
          payload.kind === 'balance' ? chartOfBalance(payload, position, options) : chart(payload, position);
        return formatted.map(ownCopy);
      };
    },
    homeassistant: ({ names, language, ...options }) => {
      const homeAssistant = new HomeAssistant({ ...options, names: createHaNames(names, language) });
      return (message) => {
        const birth = statusMessage({ payload: message.payload, topic: message.topic });
        if (birth === 'offline') return [];
        const removal = readRemoval(message.payload);
        if (removal !== null) return homeAssistant.remove(removal);
        const messages =
          birth === null ? homeAssistant.payload(readPayload(message.payload)) : homeAssistant.allMessages();
        return messages.map(ownCopy);
      };
    },
    'homeassistant-history': ({ fields, names }) => {
      /** State after the last converted message of a sequence. */
      let going: { readonly id: unknown; readonly history: HistoryState } | null = null;
      return ({ payload, parts, base, history }) => {
        const id = readMember(parts, 'id');
        const begun = going !== null && !isAbsent(id) && going.id === id ? going.history : readHistory(history);
        const day = historyOf(readPayload(payload), fields, { base: readNumbers('base', base), history: begun }, names);
        going = day.history === null ? null : { id, history: day.history };
        return day.messages.map(ownCopy);
      };
    },
    openmetrics: ({ fields, now }) => {
      const metrics = createOpenMetrics(fields);
      return ({ payload, req }) => [
        metrics(readPayloads(payload), readMember(readMember(req, 'headers'), 'accept'), now()),
      ];
    },
    homewizard:
      ({ now }) =>
      ({ payload, req }) => [homeWizardOf(readPayloads(payload), readMember(req, 'path'), now())],
    prices: makePlainFormatter(plannedPricesOf),
    'price-list': () => (message) => priceListOf(message.payload, readTimezone(message.timezone)),
  };

function makePlainFormatter<Content>(
  format: (payload: Payload, fields: ChosenFields) => Formatted<Content>[],
): (options: { readonly fields: ChosenFields }) => Formatter<Content> {
  return ({ fields }) =>
    (message) =>
      format(readPayload(message.payload), fields);
}

/** A copy, because a flow may change the message and the formatter keeps parts of it. */
function ownCopy<Content>(message: Formatted<Content>): Formatted<Content> {
  return structuredClone(message);
}

/** @throws {CemmError} INPUT `price_list` */
function readTimezone(timezone: unknown): string {
  if (isAbsent(timezone)) return 'Europe/Amsterdam';
  if (typeof timezone === 'string' && isTimezone(timezone)) return timezone;
  throw new CemmError('INPUT', { reason: 'price_list', params: { path: 'timezone' } });
}

function positionIn(parts: unknown): number {
  const index = readMember(parts, 'index');
  return typeof index === 'number' ? index : 0;
}
