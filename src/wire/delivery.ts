/**
 * What a monitor pushes (spec.md C, Webhook payload and Webhook delivery), after parsing: the shapes are told apart by
 * what they hold, never by what they claim, and one bad record costs that record alone.
 */
import { toSeconds, secondsToMillis, type Millis, type Seconds } from './time';
import { WireError } from './wire-error';

/** A place in the body that is not what the specification describes; it never quotes a value. */
export interface DeliveryFlaw {
  readonly path: string;
  readonly expected: string;
}

/** One value record, or the null in its place. */
export interface DeliveredRecord {
  readonly meter: string;
  readonly channel: string;
  readonly topic: string;
  /** When the value was last updated; null where the record gives no moment. */
  readonly time: Millis | null;
  /** Null: `absent` (null on the wire), not finite, or `{time: 0, value: 0}`, which is "no value". */
  readonly value: number | null;
  readonly reason: 'absent' | 'not_finite' | 'no_timestamp' | null;
}

export interface DeliveredSample {
  readonly time: Millis;
  readonly value: number | null;
}

interface DeliveryHead {
  /** What the body calls itself; `timeseries` for the result of a Public API request, `unknown` where it says nothing. */
  readonly format: string;
  /** The sending monitor's number. */
  readonly cemm: number | null;
  /** When the webhook was started; null where the body says none, or nothing between 2010 and 2100. */
  readonly time: Seconds | null;
  /** True where `time` is a number, but no moment between 2010 and 2100. */
  readonly timeIsAbsurd: boolean;
  /** At most 20. */
  readonly flaws: readonly DeliveryFlaw[];
}

export type Delivery =
  | (DeliveryHead & { readonly shape: 'records'; readonly records: readonly DeliveredRecord[] })
  | (DeliveryHead & { readonly shape: 'timeseries'; readonly samples: readonly DeliveredSample[] })
  | (DeliveryHead & { readonly shape: 'unknown'; readonly body: Readonly<Record<string, unknown>> });

const mostFlaws = 20;
const longestName = 64;

/**
 * Reads a delivery out of parsed JSON (parseJson has refused prototype keys and deep nests).
 * @throws {WireError} where it cannot be one: no object, or an object with neither `format` nor `data`.
 */
export function readDelivery(body: unknown): Delivery {
  if (!isObject(body)) throw new WireError('$', 'an object');
  const data = body['data'];
  if (typeof body['format'] !== 'string' && data === undefined) throw new WireError('$', 'format or data');
  const flaws = new Flaws();
  if (Array.isArray(data)) {
    const samples = readSamples(data, flaws);
    return { shape: 'timeseries', samples, ...readHead(body, flaws, 'timeseries') };
  }
  if (isObject(data)) {
    const records = readRecords(data, flaws);
    return { shape: 'records', records, ...readHead(body, flaws, 'unknown') };
  }
  flaws.add('$.data', 'an object or an array');
  return { shape: 'unknown', body, ...readHead(body, flaws, 'unknown') };
}

class Flaws {
  readonly list: DeliveryFlaw[] = [];

  add(path: string, expected: string): void {
    if (this.list.length < mostFlaws) this.list.push({ path, expected });
  }
}

function readHead(body: Readonly<Record<string, unknown>>, flaws: Flaws, otherwise: string): DeliveryHead {
  const { format, time } = body;
  const cemm = readNumberOfMonitor(body['cemm'], flaws);
  const seconds = toSeconds(typeof time === 'number' ? Math.floor(time) : time);
  if (time !== undefined && seconds === null) flaws.add('$.time', 'Unix time in seconds');
  return {
    format: typeof format === 'string' ? format : otherwise,
    cemm,
    time: seconds,
    timeIsAbsurd: typeof time === 'number' && seconds === null,
    flaws: flaws.list,
  };
}

/** The monitor's number; a Public API request with `include=cemm` may give an object with an `id` instead. */
function readNumberOfMonitor(value: unknown, flaws: Flaws): number | null {
  if (value === undefined) return null;
  const number = isObject(value) ? value['id'] : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  flaws.add('$.cemm', 'an integer');
  return null;
}

function readRecords(data: Readonly<Record<string, unknown>>, flaws: Flaws): DeliveredRecord[] {
  const records: DeliveredRecord[] = [];
  for (const meter of Object.keys(data)) {
    const channels = data[meter];
    if (!isObject(channels)) {
      flaws.add(pathOf(meter), 'an object of channels');
      continue;
    }
    for (const channel of Object.keys(channels)) {
      const topics = channels[channel];
      if (!isObject(topics)) {
        flaws.add(pathOf(meter, channel), 'an object of topics');
        continue;
      }
      for (const topic of Object.keys(topics)) {
        const read = readRecord(meter, channel, topic, topics[topic], flaws);
        if (read !== null) records.push(read);
      }
    }
  }
  return records;
}

function readRecord(
  meter: string,
  channel: string,
  topic: string,
  record: unknown,
  flaws: Flaws,
): DeliveredRecord | null {
  if (record === null) return { meter, channel, topic, time: null, value: null, reason: 'absent' };
  if (!isObject(record)) {
    flaws.add(pathOf(meter, channel, topic), 'a value record or null');
    return null;
  }
  const { time, value } = record;
  if (typeof value !== 'number' && value !== null) {
    flaws.add(`${pathOf(meter, channel, topic)}.value`, 'a number');
    return null;
  }
  if (time === 0 && value === 0) return { meter, channel, topic, time: null, value: null, reason: 'no_timestamp' };
  const seconds = toSeconds(time);
  if (seconds === null) flaws.add(`${pathOf(meter, channel, topic)}.time`, 'Unix time in seconds');
  const at = seconds === null ? null : secondsToMillis(seconds);
  if (value === null) return { meter, channel, topic, time: at, value: null, reason: 'absent' };
  return Number.isFinite(value)
    ? { meter, channel, topic, time: at, value, reason: null }
    : { meter, channel, topic, time: at, value: null, reason: 'not_finite' };
}

/** `[[seconds, value], …]`; entries that are no such pair are left out. */
function readSamples(data: readonly unknown[], flaws: Flaws): DeliveredSample[] {
  const samples: DeliveredSample[] = [];
  data.forEach((entry, index) => {
    const [time, value] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    const seconds = toSeconds(time);
    if (seconds === null || (typeof value !== 'number' && value !== null)) {
      flaws.add(`$.data[${index}]`, 'a pair of Unix time in seconds and number');
      return;
    }
    const usable = value !== null && Number.isFinite(value);
    samples.push({ time: secondsToMillis(seconds), value: usable ? value : null });
  });
  return samples;
}

function pathOf(...names: readonly string[]): string {
  return `$.data${names.map((name) => `[${JSON.stringify(name.slice(0, longestName))}]`).join('')}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
