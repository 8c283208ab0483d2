/** Makes the payloads of kind `webhook` and `problem` (docs/payload.md) from deliveries and refused requests. */
import type { DeliveredSample, Delivery, DeliveryHead } from '../protocol/delivery';
import { type InParts, runAtOnce } from '../time/pause';
import { millis, type Millis, secondsToMillis } from '../time/units';
import type { DeliveryInfo, MonitorInfo, ProblemPayload, SeriesPoint, Values, WebhookPayload } from './payload';
import { payloadHead } from './identity';
import { catalogueWithRows, deliveredMeters } from './delivered-meters';
import { type MeterTable, type MonitorRows, noTable } from './meter-table';
import { type DeliveryCatalogue, fieldWithUnit, roleInCatalogue } from './public-meters';
import { ReadingNormalizer } from './delivery-readings';
import { dueUpTo, type WebhookInterval } from './webhook-topics';

/** Data of a receiver about the installation that sends to its path. */
export interface DeliveryContext {
  /** IANA zone of the installation. */
  readonly timezone: string;
  /** The path of the request: identifies the sender if the body does not. */
  readonly path: string;
  /** The installation in the URL, for a path with parameters. */
  readonly installation?: string | undefined;
  /** The channels of the monitor; empty when they are not known. */
  readonly catalogue: DeliveryCatalogue;
  /** The monitor of the connection: sender of deliveries without a number, or with its number. */
  readonly monitor: MonitorInfo | null;
  /** The meters of the connection; absent: none is described. */
  readonly meters?: MeterTable;
  /** The connection is known to have several monitors: rows of its meters without a monitor do not count. */
  readonly hasSeveral?: boolean;
  /** Meter and channel of a Public API delivery, which its body does not name. */
  readonly subject: { readonly meter: string; readonly channel: string };
  readonly interval: WebhookInterval | null;
}

/** The context of a path of which nothing else is known. */
export function contextOfPath(path: string, timezone: string): DeliveryContext {
  return { timezone, path, catalogue: new Map(), monitor: null, interval: null, subject: { meter: '', channel: '' } };
}

/** Data of a receiver about one request. */
export interface DeliveryArrival {
  readonly at: Millis;
  readonly latencyMs: number;
  readonly bytes: number;
  /** From deliveryId. */
  readonly id: string;
  readonly verified: Readonly<DeliveryInfo['verified']>;
  readonly keyUsed: 'current' | 'previous' | null;
  readonly replayCheck: DeliveryInfo['replayCheck'];
}

/** Normalizing more readings than this at once takes milliseconds. */
const mostAtOnce = 500;

/** Turns deliveries into payloads. One per receiver, because it caches the shared parts of its deliveries. */
export class DeliveryNormalizer {
  private readonly readings = new ReadingNormalizer();
  private readonly described = new DescribedCatalogues();

  /** Every delivery has a payload. */
  payload(delivery: Delivery, context: DeliveryContext, arrival: DeliveryArrival): WebhookPayload {
    return runAtOnce(this.payloadInParts(delivery, context, arrival));
  }

  /** The same payload, with a pause after each part of the readings. */
  *payloadInParts(delivery: Delivery, context: DeliveryContext, arrival: DeliveryArrival): InParts<WebhookPayload> {
    const payload = payloadWithoutRecords(delivery, context, arrival);
    if (delivery.shape === 'unknown') return payload;
    const rows = findRows(payload, context);
    if (delivery.shape === 'timeseries') return { ...payload, ...seriesOf(delivery.samples, context, rows) };
    const { records, time } = delivery;
    const catalogue = this.described.of(context.catalogue, rows);
    const append = this.readings.appendTo(payload, { ...context, catalogue }, convertDeliveryTime(time) ?? arrival.at);
    for (let from = 0; from < records.length; from += mostAtOnce) {
      append(records.slice(from, from + mostAtOnce));
      yield;
    }
    return payload;
  }
}

/** Deliveries of one monitor after another use one catalogue, so its templates stay. */
class DescribedCatalogues {
  private latest: { of: DeliveryCatalogue; rows: string; catalogue: DeliveryCatalogue } | null = null;

  of(catalogue: DeliveryCatalogue, rows: MonitorRows): DeliveryCatalogue {
    if (rows.all.length === 0) return catalogue;
    const key = JSON.stringify(rows.all);
    const { latest } = this;
    if (latest?.of === catalogue && latest.rows === key) return latest.catalogue;
    this.latest = { of: catalogue, rows: key, catalogue: catalogueWithRows(catalogue, rows) };
    return this.latest.catalogue;
  }
}

/** A path with an installation is about many houses: their rows name it. */
function findRows(
  { monitor, installation }: WebhookPayload,
  { meters = noTable, hasSeveral }: DeliveryContext,
): MonitorRows {
  const { id, cemm } = monitor;
  const isOnly = hasSeveral !== true && (id !== null || installation === undefined);
  return meters.rowsOf({ id, installation, ...(cemm !== undefined && { cemm }) }, isOnly);
}

function convertDeliveryTime(time: DeliveryHead['time']): Millis | null {
  return time === null ? null : secondsToMillis(time);
}

/** The half minute before a slot belongs to it, so that receivers with slightly different clocks make the same id. */
const slotTolerance = 30_000;

/**
 * The same for every receiver of the same bytes: `wh:<cemm>:<time>:<first 16 hex of SHA-256>`. A body without a time
 * uses the start of the slot in which it arrived (a minute when the interval of the webhook is not known), one without
 * a monitor number the path with the installation.
 */
export function deliveryId(delivery: Delivery, context: DeliveryContext, at: Millis, digest: string): string {
  const near = millis(at + slotTolerance);
  const seconds = delivery.time ?? dueUpTo(near, context.interval ?? '1m', context.timezone) / 1000;
  return `wh:${delivery.cemm ?? context.path}:${seconds}:${digest.slice(0, 16)}`;
}

/** Every number of a series counts. */
export function countReadings(delivery: Delivery): number {
  if (delivery.shape === 'records') return delivery.records.length;
  return delivery.shape === 'unknown' ? 0 : delivery.samples.reduce((sum, { values }) => sum + values.length, 0);
}

export function isLong(delivery: Delivery): boolean {
  return delivery.shape === 'records' && delivery.records.length > mostAtOnce;
}

function payloadWithoutRecords(delivery: Delivery, context: DeliveryContext, arrival: DeliveryArrival): WebhookPayload {
  const started = convertDeliveryTime(delivery.time);
  const ts = started ?? newestSample(delivery) ?? arrival.at;
  const payload: WebhookPayload = {
    ...payloadHead('webhook', arrival.id, ts, monitorOf(delivery, context)),
    source: { transport: 'webhook', fetchedAt: arrival.at, latencyMs: arrival.latencyMs, requests: 1, promises: 0 },
    delivery: infoOf(delivery, arrival, started),
    readings: [],
    values: {},
  };
  if (context.installation !== undefined) payload.installation = context.installation;
  const keys = delivery.shape === 'records' ? delivery.records.map(({ meter }) => meter) : [];
  const rows = findRows(payload, context);
  const meters = rows.all.length === 0 ? null : deliveredMeters(keys, rows);
  if (meters !== null) payload.meters = meters;
  if (delivery.raw !== null) payload.raw = delivery.raw;
  return payload;
}

function infoOf(delivery: Delivery, arrival: DeliveryArrival, started: Millis | null): DeliveryInfo {
  const info: DeliveryInfo = {
    format: delivery.format,
    verified: [...arrival.verified],
    ageMs: started === null ? null : arrival.at - started,
    bytes: arrival.bytes,
    replayCheck: arrival.replayCheck,
  };
  if (arrival.keyUsed !== null) info.keyUsed = arrival.keyUsed;
  if (delivery.flaws.length > 0) info.flaws = delivery.flaws.map((flaw) => ({ ...flaw }));
  return info;
}

function monitorOf(delivery: Delivery, context: DeliveryContext): MonitorInfo {
  const { monitor } = context;
  const isSame =
    monitor !== null && (delivery.cemm === null || monitor.cemm === undefined || monitor.cemm === delivery.cemm);
  const info: MonitorInfo = isSame ? { ...monitor } : { id: null };
  if (delivery.cemm !== null) info.cemm = delivery.cemm;
  return info;
}

function seriesOf(
  samples: readonly DeliveredSample[],
  { catalogue, subject }: DeliveryContext,
  rows: MonitorRows,
): Pick<WebhookPayload, 'points' | 'meter'> {
  const own = subject.meter === '' ? null : roleInCatalogue(catalogue.get(subject.meter));
  const meter = rows.describe({ key: subject.meter, role: own });
  const { role } = meter;
  const sorted = [...samples].sort((a, b) => a.time - b.time);
  const channels = catalogue.get(subject.meter)?.channels;
  const step = isFine(sorted) ? 'PT5M' : 'reading';
  const columns = samples.reduce((most, { values }) => Math.max(most, values.length), 1);
  const fields = columnNames(subject.channel, columns, (channel) => {
    return fieldWithUnit(channel, role, step, channels?.get(channel)?.unit ?? null).name;
  });
  return {
    points: sorted.map(({ time, values }): SeriesPoint => {
      const named: Values = Object.fromEntries(fields.map((field, column) => [field, values[column] ?? null] as const));
      return { ...named, ts: time };
    }),
    ...(subject.meter === '' ? {} : { meter }),
  };
}

/** Fields of the columns of a series, from the comma list of its channels; `value` and `value_2` for missing names. */
function columnNames(channels: string, count: number, fieldOf: (channel: string) => string): string[] {
  const listed = channels.split(',').map((channel) => channel.trim());
  const names = new Set<string>();
  for (let column = 0; column < count; column++) {
    const channel = listed[column] ?? '';
    let name = channel === '' ? `value${column === 0 ? '' : `_${column + 1}`}` : fieldOf(channel);
    while (names.has(name)) name += '_raw';
    names.add(name);
  }
  return [...names];
}

/** True if samples are less than half an hour apart: gas is then a flow (docs/fields.md). */
function isFine(sorted: readonly DeliveredSample[]): boolean {
  return sorted.some((sample, index) => {
    const before = sorted[index - 1];
    return before !== undefined && sample.time > before.time && sample.time - before.time < 1_800_000;
  });
}

function newestSample(delivery: Delivery): Millis | null {
  if (delivery.shape !== 'timeseries' || delivery.samples.length === 0) return null;
  return delivery.samples.reduce((newest, { time }) => (time > newest ? time : newest), millis(0));
}

/** Refused requests of one kind, or a missed delivery. */
export interface Problem {
  /** The `error` word of the response, or `missed`. */
  readonly reason: string;
  readonly count: number;
  /** Address that sent the requests. */
  readonly remote: string | null;
  readonly at: Millis;
  /** The installation of a fleet; left out when it is not certain. */
  readonly installation?: string | undefined;
  /** For `missed`. */
  readonly slot?: { readonly start: Millis; readonly end: Millis };
}

/** `ts` is the end of the missed slot, or the moment of the latest refused request. */
export function problemPayload(problem: Problem, path: string, monitor: MonitorInfo | null): ProblemPayload {
  const { reason, count, remote, at, slot, installation } = problem;
  const ts = slot?.end ?? at;
  const from = installation === undefined ? path : `${path}:${installation}`;
  const id = slot ? `wp:${from}:missed:${slot.start}:${slot.end}` : `wp:${from}:${reason}:${remote ?? ''}:${at}`;
  return {
    ...payloadHead('problem', id, ts, monitor ?? { id: null }),
    ...(installation === undefined ? {} : { installation }),
    source: { transport: 'webhook', fetchedAt: at, latencyMs: 0, requests: slot ? 0 : count, promises: 0 },
    reason,
    count,
    remote,
    ...(slot ? { slot: { start: slot.start, end: slot.end } } : {}),
  };
}
