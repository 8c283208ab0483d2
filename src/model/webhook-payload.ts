/** A delivery as the normalized payload of contract.md section 2, kind `webhook`. */
import type { Delivery, DeliveredSample } from '../wire/delivery';
import type { DeliveryCatalogue } from '../wire/delivery-catalogue';
import { millis, secondsToMillis, type Millis } from '../wire/time';
import type { DeliveryInfo, MonitorInfo, Role, SeriesPoint, Values, WebhookPayload } from './payload';
import { fieldWithUnit } from './public-field';
import { roleOfWords } from './public-role';
import { currentValues, readingsOf } from './webhook-readings';
import { dueUpTo, type WebhookInterval } from './webhook-slots';

/** What the receiver knows of the installation behind a path. */
export interface DeliveryMeaning {
  /** IANA zone of the installation. */
  readonly timezone: string;
  /** The path it was sent to: names the sender where the body does not. */
  readonly path: string;
  /** From a path with parameters: which installation of a fleet it was sent for. */
  readonly installation?: string | undefined;
  /** What the monitor itself says about its channels; empty where nobody asked it. */
  readonly catalogue: DeliveryCatalogue;
  /** The monitor that deliveries without further identity are from, and the one whose `cemm` number is known. */
  readonly monitor: MonitorInfo | null;
  /** What a Public API delivery is about: its body does not say. */
  readonly subject: { readonly meter: string; readonly channel: string };
  readonly interval: WebhookInterval | null;
}

/** What the receiver knows of one call. */
export interface DeliveryArrival {
  readonly at: Millis;
  readonly latencyMs: number;
  readonly bytes: number;
  /** As deliveryId makes it. */
  readonly id: string;
  readonly verified: Readonly<DeliveryInfo['verified']>;
  readonly keyUsed: 'current' | 'previous' | null;
  readonly replayCheck: DeliveryInfo['replayCheck'];
}

/** Half a minute before a slot belongs to it, so that two receivers whose clocks differ a little make one id. */
const slotTolerance = 30_000;

/**
 * The same for every receiver of the same bytes: `wh:<cemm>:<time>:<first 16 hex of SHA-256>`. A body without a time of its
 * own takes the slot of the webhook's interval (a minute where that is not known) in which it arrived, one without a monitor
 * number the path with the installation in it.
 */
export function deliveryId(delivery: Delivery, meaning: DeliveryMeaning, at: Millis, digest: string): string {
  const near = millis(at + slotTolerance);
  const seconds = delivery.time ?? dueUpTo(near, meaning.interval ?? '1m', meaning.timezone) / 1000;
  return `wh:${delivery.cemm ?? meaning.path}:${seconds}:${digest.slice(0, 16)}`;
}

/** Total: whatever readDelivery let through has a payload. */
export function webhookPayload(delivery: Delivery, meaning: DeliveryMeaning, arrival: DeliveryArrival): WebhookPayload {
  const started = delivery.time === null ? null : secondsToMillis(delivery.time);
  const ts = started ?? newestSample(delivery) ?? arrival.at;
  const payload: WebhookPayload = {
    schema: 'cemm/1',
    kind: 'webhook',
    id: arrival.id,
    ts,
    time: new Date(ts).toISOString(),
    monitor: monitorOf(delivery, meaning),
    source: { transport: 'webhook', fetchedAt: arrival.at, latencyMs: arrival.latencyMs, requests: 1, promises: 0 },
    delivery: infoOf(delivery, arrival, started),
    readings: [],
    values: {},
  };
  if (meaning.installation !== undefined) payload.installation = meaning.installation;
  if (delivery.raw !== null) payload.raw = delivery.raw;
  switch (delivery.shape) {
    case 'records':
      payload.readings = readingsOf(delivery.records, meaning.catalogue, started ?? arrival.at, meaning.timezone);
      payload.values = currentValues(payload.readings);
      return payload;
    case 'timeseries':
      return { ...payload, ...seriesOf(delivery.samples, meaning) };
    case 'unknown':
      return payload;
  }
}

/** More readings than this take milliseconds. */
const readingsPerPart = 500;

/** The samples of a series count as readings. */
export function countReadings(delivery: Delivery): number {
  if (delivery.shape === 'records') return delivery.records.length;
  return delivery.shape === 'timeseries' ? delivery.samples.length : 0;
}

export function isLong(delivery: Delivery): boolean {
  return delivery.shape === 'records' && delivery.records.length > readingsPerPart;
}

/** The same as webhookPayload, with a pause after every part of the readings. */
export function* webhookPayloadInParts(
  delivery: Delivery,
  meaning: DeliveryMeaning,
  arrival: DeliveryArrival,
): Generator<undefined, WebhookPayload, undefined> {
  if (delivery.shape !== 'records') return webhookPayload(delivery, meaning, arrival);
  const started = delivery.time === null ? arrival.at : secondsToMillis(delivery.time);
  const payload = webhookPayload({ ...delivery, records: [] }, meaning, arrival);
  for (let from = 0; from < delivery.records.length; from += readingsPerPart) {
    const part = delivery.records.slice(from, from + readingsPerPart);
    payload.readings.push(...readingsOf(part, meaning.catalogue, started, meaning.timezone));
    yield;
  }
  payload.values = currentValues(payload.readings);
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

function monitorOf(delivery: Delivery, meaning: DeliveryMeaning): MonitorInfo {
  const { monitor } = meaning;
  const isSame =
    monitor !== null && (delivery.cemm === null || monitor.cemm === undefined || monitor.cemm === delivery.cemm);
  const info: MonitorInfo = isSame ? { ...monitor } : { id: null };
  if (delivery.cemm !== null) info.cemm = delivery.cemm;
  return info;
}

function seriesOf(
  samples: readonly DeliveredSample[],
  { catalogue, subject }: DeliveryMeaning,
): Pick<WebhookPayload, 'points' | 'meter'> {
  const role = subject.meter === '' ? null : roleOfMeter(catalogue, subject.meter);
  const sorted = [...samples].sort((a, b) => a.time - b.time);
  const channels = catalogue.get(subject.meter)?.channels;
  const context = isFine(sorted) ? 'PT5M' : 'reading';
  const columns = samples.reduce((most, { values }) => Math.max(most, values.length), 1);
  const fields = columnNames(subject.channel, columns, (channel) => {
    return fieldWithUnit(channel, role, context, channels?.get(channel)?.unit ?? null).name;
  });
  return {
    points: sorted.map(({ time, values }): SeriesPoint => {
      const named: Values = Object.fromEntries(fields.map((field, column) => [field, values[column] ?? null] as const));
      return { ...named, ts: time };
    }),
    ...(subject.meter === '' ? {} : { meter: { key: subject.meter, role } }),
  };
}

/** Fields of the columns of a series, from the comma list of its channels; `value` and `value_2` where that has none. */
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

/** Samples less than half an hour apart: gas comes as a flow then (contract.md, Fields and units). */
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

function roleOfMeter(catalogue: DeliveryCatalogue, key: string): Role | null {
  const meter = catalogue.get(key);
  return roleOfWords(meter?.role, meter?.type);
}
