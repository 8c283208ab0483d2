/** MeasurementArrays, `[timestamp in ms, value]`, and the objects that hold one per channel (spec.md, MeasurementArray). */
import type {
  IoRecord,
  Measurement,
  Measurements,
  MonitorRecord,
  RealtimeResponse,
  Samples,
  SeriesResponse,
  TotalsResponse,
} from './responses';
import { memberPath, type Members, toInteger, toList, toMembers, toMoment, toText, ProtocolError } from './json';
import { earliestMoment, latestMoment, toMillis } from './time';
import { type MonitorId, toMonitorId } from './mac';

const withoutTime: Measurement = { time: null, value: null, flaw: 'no_timestamp' };
const unusable: Measurement = { time: null, value: null, flaw: 'not_finite' };

/**
 * One MeasurementArray. Never throws: what is no pair, or carries no number, is a measurement without a value, so that
 * one bad channel does not cost the others. Only `[0, 0]` is "no value": a value whose time is no moment between 2010 and
 * 2100 is kept, without a time.
 */
export function parseMeasurement(value: unknown): Measurement {
  if (!Array.isArray(value) || value.length < 2) return unusable;
  const [moment, reading] = value as readonly unknown[];
  if (typeof moment !== 'number') return unusable;
  const time = toMillis(moment);
  if (time === null && (reading === null || (moment === 0 && reading === 0))) return withoutTime;
  if (reading === null) return { time, value: null, flaw: 'no_recent_value' };
  if (typeof reading !== 'number' || !Number.isFinite(reading)) return { time, value: null, flaw: 'not_finite' };
  return { time, value: reading, flaw: null };
}

/**
 * Channel name → MeasurementArray.
 * @throws {ProtocolError} `object` at `path`
 */
export function parseMeasurements(value: unknown, path: string): Measurements {
  const parsed = new Map<string, Measurement>();
  for (const [channel, measurement] of toMembers(value, path)) parsed.set(channel, parseMeasurement(measurement));
  return parsed;
}

// The monitor list of a key and the root of a local monitor (spec.md A.1 and B).

/** A monitor of a key, with its uid as the service spells it: that is what its paths want. */
interface ListedMonitor extends MonitorRecord {
  readonly uid: string;
}

/** @throws {ProtocolError} where `data` is no list or a `uid` is no MAC */
export function parseMonitorList(answer: unknown): readonly ListedMonitor[] {
  return toList(toMembers(answer, '$').get('data'), '$.data').map((entry, index) => {
    const path = `$.data[${index}]`;
    const members = toMembers(entry, path);
    const uid = toText(members.get('uid'))?.trim() ?? '';
    return { ...describe(members, toId(uid, `${path}.uid`)), uid };
  });
}

/** @throws {ProtocolError} where `data` is no object or `mac` is no MAC: then it is no CEMM that answers */
export function parseLocalRoot(answer: unknown): MonitorRecord {
  const members = toMembers(toMembers(answer, '$').get('data'), '$.data');
  return describe(members, toId(members.get('mac'), '$.data.mac'));
}

function describe(members: Members, id: MonitorId): MonitorRecord {
  return {
    id,
    name: toText(members.get('name')),
    type: toText(members.get('type')),
    version: toText(members.get('version')),
    core: toText(members.get('core')),
  };
}

function toId(value: unknown, path: string): MonitorId {
  const id = toMonitorId(value);
  if (id === null) throw new ProtocolError(path, 'mac');
  return id;
}

// The activated I/Os of a monitor: remote list and record (spec.md A.2, A.3), and the list of the device itself.

/** @throws {ProtocolError} where `data` is no list, or a record lacks `io_id` or `type` */
export function parseIoList(answer: unknown): readonly IoRecord[] {
  return toList(toMembers(answer, '$').get('data'), '$.data').map((entry, index) => parseIo(entry, `$.data[${index}]`));
}

function parseIo(entry: unknown, path: string): IoRecord {
  const members = toMembers(entry, path);
  const ioId = toInteger(members.get('io_id'));
  if (ioId === null) throw new ProtocolError(`${path}.io_id`, 'integer');
  const type = toText(members.get('type'));
  if (type === null) throw new ProtocolError(`${path}.type`, 'text');
  return {
    ioId,
    port: toInteger(members.get('port')),
    type,
    portOption: toText(members.get('port_option')),
    fullId: toInteger(members.get('full_id')),
    alias: toText(members.get('alias')),
  };
}

// Answers with one measurement per channel: realtime of both Open APIs, and the remote totals (spec.md A.4, A.8, B).

/**
 * Realtime. A local monitor often sends `totals` beside `data`: meter readings with times of their own.
 * @throws {ProtocolError} where `data` is no object
 */
export function parseRealtime(answer: unknown): RealtimeResponse {
  const members = toMembers(answer, '$');
  return {
    ioId: toInteger(members.get('io_id')),
    data: parseMeasurements(members.get('data'), '$.data'),
    totals: parseExtra(members.get('totals')),
  };
}

/**
 * Meter readings of a day.
 * @throws {ProtocolError} where `data` is no object
 */
export function parseTotals(answer: unknown): TotalsResponse {
  const members = toMembers(answer, '$');
  return {
    ioId: toInteger(members.get('io_id')),
    time: toMoment(members.get('time')),
    data: parseMeasurements(members.get('data'), '$.data'),
  };
}

/** An extra that no specification promises: absent in any other shape. */
function parseExtra(value: unknown): Measurements | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? parseMeasurements(value, '$') : null;
}

// Day, month and year answers of both Open APIs: one pass over the samples, into columns (spec.md A.5 to A.7, B).

/**
 * @throws {ProtocolError} where `data` is no object or a channel is no list. A channel of null has no samples; an entry that
 *   is no pair is counted and left out.
 */
export function parseSeries(answer: unknown): SeriesResponse {
  const members = toMembers(answer, '$');
  const channels = new Map<string, Samples>();
  for (const [channel, entries] of toMembers(members.get('data'), '$.data')) {
    channels.set(channel, toSamples(entries === null ? [] : toList(entries, memberPath('$.data', channel))));
  }
  return { ioId: toInteger(members.get('io_id')), time: toMoment(members.get('time')), channels };
}

function toSamples(entries: readonly unknown[]): Samples {
  const times = new Float64Array(entries.length);
  const values = new Float64Array(entries.length);
  let count = 0;
  let withoutTime = 0;
  let malformed = 0;
  // By index and without an object per entry: a day has 1440 of them on every channel. at(), as in json.ts.
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (!isPair(entry)) {
      malformed++;
      continue;
    }
    const time = entry.at(0);
    const value = entry.at(1);
    if (typeof time !== 'number') {
      malformed++;
    } else if (time >= earliestMoment && time < latestMoment) {
      times[count] = time;
      values[count] = typeof value === 'number' && Number.isFinite(value) ? value : NaN;
      count++;
    } else {
      withoutTime++;
    }
  }
  return { times: times.subarray(0, count), values: values.subarray(0, count), withoutTime, malformed };
}

function isPair(entry: unknown): entry is readonly unknown[] {
  return Array.isArray(entry) && entry.length >= 2;
}

// "Ask again": what the remote service answers while it fetches the data from the monitor (spec.md R1).

/** The code of a promise; null where the body had none that could be read. Only compared, never sent, never shown. */
interface ServicePromise {
  readonly code: string | null;
}

/**
 * A status of 202 is a promise whatever the body is, and so is a `promise` member under any other success: the shape of
 * the body is not specified.
 * @param answer the parsed body, or undefined where it was no JSON
 * @returns null when it is no promise
 */
export function findPromise(status: number, answer: unknown): ServicePromise | null {
  const code = promiseMember(answer);
  if (code === undefined || code === null) return status === 202 ? { code: null } : null;
  return { code: JSON.stringify(code) };
}

function promiseMember(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'promise' in answer ? answer.promise : undefined;
}
