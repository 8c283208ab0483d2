/**
 * Reads the body of a delivery. The content determines its shape, not the stated format. A bad record does not affect the
 * others. A body that was not understood completely is kept in `raw`.
 */
import { getOrSet } from '../checks/get-or-set';
import { isList, isRecord, type UnknownRecord } from '../checks/record';
import { type JsonPath, removeReservedKeys, ProtocolError, toReading } from './json';
import { type Millis, type Seconds, secondsToMillis, toSeconds } from '../time/units';

/** A part of the body that differs from the documented format. Never quotes a value. */
export interface DeliveryFlaw {
  readonly path: string;
  readonly expected: string;
}

/** One value record, or null in its place. */
export interface DeliveredRecord {
  readonly meter: string;
  readonly channel: string;
  readonly topic: string;
  /** Last update of the value; null if the record has no valid time. */
  readonly time: Millis | null;
  readonly value: number | null;
  /** `absent`: null in place of the record. `no_value`: a moment without a value. `no_timestamp`: `{time: 0, value: 0}`. */
  readonly reason: 'absent' | 'no_value' | 'not_finite' | 'no_timestamp' | null;
}

export interface DeliveredSample {
  readonly time: Millis;
  /** One per requested channel. */
  readonly values: readonly (number | null)[];
}

export interface DeliveryHead {
  /** The format named in the body; `timeseries` for the result of a Public API request, `unknown` without a name. */
  readonly format: string;
  /** The sending monitor's number. */
  readonly cemm: number | null;
  /** Start of the webhook; null if the body has none, or none between 2010 and 2100. */
  readonly time: Seconds | null;
  /** True if `time` is a number, but not between 2010 and 2100. */
  readonly timeIsAbsurd: boolean;
}

interface DeliveryRest {
  /** At most 20. */
  readonly flaws: readonly DeliveryFlaw[];
  /** The whole body, if a part of it was not understood. */
  readonly raw: Body | null;
}

type Body = UnknownRecord | readonly unknown[];

export type Delivery = DeliveryHead &
  DeliveryRest &
  (
    | { readonly shape: 'records'; readonly records: readonly DeliveredRecord[] }
    | { readonly shape: 'timeseries'; readonly samples: readonly DeliveredSample[] }
    | { readonly shape: 'unknown' }
  );

const mostFlaws = 20;
const longestName = 64;

/**
 * Reads any delivery from the result of parseUnchecked, and removes reserved names from it.
 * @throws {ProtocolError} `shallow_nesting` (as parseJson), or `an object or a list`
 */
export function readDelivery(body: unknown): Delivery {
  if (!isRecord(body) && !isList(body)) throw new ProtocolError('$', 'an object or a list');
  const unread = new Unread();
  for (const path of removeReservedKeys(body)) unread.flaw(path, 'a name that JavaScript does not reserve');
  if (isList(body)) return unknown(unreadableHead, unread, body);
  const { data } = body;
  if (isList(data)) {
    const samples = readSamples(data, unread);
    if (samples.length > 0 || data.length === 0) {
      const head = readHead(body, 'timeseries', unread);
      return { shape: 'timeseries', samples, ...head, ...unread.rest(body) };
    }
  } else if (isRecord(data)) {
    const records = readRecords(data, unread);
    if (records.length > 0 || unread.isEmpty || typeof body['format'] === 'string') {
      const head = readHead(body, 'unknown', unread);
      return { shape: 'records', records, ...head, ...unread.rest(body) };
    }
  } else unread.flaw(['data'], 'an object or an array');
  // Without a format, `time` need not be the start of the webhook.
  const head = typeof body['format'] === 'string' ? readHead(body, 'unknown', unread) : unreadableHead;
  return unknown({ ...head, cemm: readNumberOfMonitor(body['cemm']) }, unread, body);
}

const unreadableHead: DeliveryHead = { format: 'unknown', cemm: null, time: null, timeIsAbsurd: false };

function unknown(head: DeliveryHead, { flaws }: Unread, raw: Body): Delivery {
  return { shape: 'unknown', ...head, flaws, raw };
}

/** Collects the parts of a body that were not understood. */
class Unread {
  readonly flaws: DeliveryFlaw[] = [];
  isEmpty = true;

  flaw(path: JsonPath, expected: string): void {
    this.isEmpty = false;
    if (this.flaws.length < mostFlaws) this.flaws.push({ path: formatJsonPath(path), expected });
  }

  /** Undocumented members are not flaws, but the body is kept. */
  others(members: UnknownRecord, known: readonly string[]): void {
    if (hasOthers(members, known)) this.isEmpty = false;
  }

  rest(body: Body): DeliveryRest {
    return { flaws: this.flaws, raw: this.isEmpty ? null : body };
  }
}

const namesOfBody = ['format', 'cemm', 'time', 'data'];
const namesOfMonitor = ['id'];
const namesOfRecord = ['time', 'value'];

function readHead(body: UnknownRecord, otherwise: string, unread: Unread): DeliveryHead {
  unread.others(body, namesOfBody);
  const { format, cemm, time } = body;
  const number = readNumberOfMonitor(cemm);
  if (number === null && cemm !== undefined) unread.flaw(['cemm'], 'an integer');
  if (isRecord(cemm)) unread.others(cemm, namesOfMonitor);
  const seconds = toSeconds(typeof time === 'number' ? Math.floor(time) : time);
  if (time !== undefined && seconds === null) unread.flaw(['time'], 'Unix time in seconds');
  if (format !== undefined && typeof format !== 'string') unread.flaw(['format'], 'a text');
  return {
    format: typeof format === 'string' ? format : otherwise,
    cemm: number,
    time: seconds,
    timeIsAbsurd: typeof time === 'number' && seconds === null,
  };
}

/** The monitor's number; a Public API request with `include=cemm` may return an object with an `id` instead. */
function readNumberOfMonitor(value: unknown): number | null {
  const number = isRecord(value) ? value['id'] : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function readRecords(data: UnknownRecord, unread: Unread): DeliveredRecord[] {
  const records: DeliveredRecord[] = [];
  for (const meter in data) {
    const channels = data[meter];
    if (!isRecord(channels)) {
      unread.flaw(['data', meter], 'an object of channels');
      continue;
    }
    for (const channel in channels) {
      const topics = channels[channel];
      if (!isRecord(topics)) {
        unread.flaw(['data', meter, channel], 'an object of topics');
        continue;
      }
      for (const topic in topics) {
        const read = readRecord(meter, channel, topic, topics[topic], unread);
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
  unread: Unread,
): DeliveredRecord | null {
  if (record === null) return { meter, channel, topic, time: null, value: null, reason: 'absent' };
  if (!isRecord(record)) {
    unread.flaw(['data', meter, channel, topic], 'a value record or null');
    return null;
  }
  unread.others(record, namesOfRecord);
  const { time, value } = record;
  if (time === 0 && value === 0) return { meter, channel, topic, time: null, value: null, reason: 'no_timestamp' };
  const isNumber = typeof value === 'number';
  if (!isNumber && value !== null) {
    unread.flaw(['data', meter, channel, topic, 'value'], 'a number');
    if (typeof value !== 'string') return null;
  }
  const seconds = toSeconds(time);
  if (seconds === null) unread.flaw(['data', meter, channel, topic, 'time'], 'Unix time in seconds');
  const at = seconds === null ? null : secondsToMillis(seconds);
  const reading = toReading(value);
  if (reading !== null) return { meter, channel, topic, time: at, value: reading, reason: null };
  const reason = value !== null ? 'not_finite' : at === null ? 'absent' : 'no_value';
  return { meter, channel, topic, time: at, value: null, reason };
}

/** `[[seconds, value, …], …]`, one sample per moment; entries without a moment or a value are left out. */
function readSamples(data: readonly unknown[], unread: Unread): DeliveredSample[] {
  const samples = new Map<Seconds, (number | null)[]>();
  for (let index = 0; index < data.length; index++) {
    // at() for speed, as in json.ts.
    const entry = data.at(index);
    const seconds = isList(entry) ? toSeconds(entry.at(0)) : null;
    if (!isList(entry) || seconds === null || entry.length < 2) {
      unread.flaw(['data', index], 'a list of Unix time in seconds and numbers');
      continue;
    }
    const values = getOrSet(samples, seconds, () => []);
    for (let column = 1; column < entry.length; column++) {
      const value = entry.at(column);
      const number = toReading(value);
      if (number === null && value !== null) unread.flaw(['data', index, column], 'a number');
      const before = values[column - 1] ?? null;
      // A number replaces null; the first of two numbers stays.
      if (before === null) values[column - 1] = number;
      else if (number !== null && number !== before) unread.flaw(['data', index, column], 'one value for each moment');
    }
  }
  return [...samples].map(([seconds, values]) => ({ time: secondsToMillis(seconds), values }));
}

/** `$.data["meter"][3]` */
function formatJsonPath(path: JsonPath): string {
  const steps = path.map((step, depth) => {
    if (typeof step === 'number') return `[${step}]`;
    const name = step.slice(0, longestName);
    return depth === 0 ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return `$${steps.join('')}`;
}

function hasOthers(members: UnknownRecord, known: readonly string[]): boolean {
  for (const name in members) if (!known.includes(name)) return true;
  return false;
}
