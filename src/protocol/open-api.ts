/**
 * Parsers for the responses of the remote Open API (http://developer.cemm.nl/api-en/) and the local Open API
 * (http://developer.cemm.nl/local-open-api/).
 */
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
import {
  memberPath,
  type Members,
  toInteger,
  toList,
  toMembers,
  toMoment,
  toReading,
  toText,
  ProtocolError,
} from './json';
import { isRecord } from '../checks/record';
import { earliestMoment, latestMoment, toMillis } from '../time/units';
import { type MonitorId, toMonitorId } from './mac';

const withoutTime: Measurement = { time: null, value: null, flaw: 'no_timestamp' };
const unusable: Measurement = { time: null, value: null, flaw: 'not_finite' };

/**
 * Parses `[time in ms, value]`. Never throws, so that one invalid channel does not affect the others: an entry that is not
 * a pair or has no number gives a measurement without a value. A value whose time is not between 2010 and 2100 is kept
 * without a time, unless it is `[0, 0]`, which means "no value".
 */
export function parseMeasurement(value: unknown): Measurement {
  if (!Array.isArray(value) || value.length < 2) return unusable;
  const [moment, reading] = value as readonly unknown[];
  if (typeof moment !== 'number') return unusable;
  const time = toMillis(moment);
  if (time === null && (reading === null || (moment === 0 && reading === 0))) return withoutTime;
  if (reading === null) return { time, value: null, flaw: 'no_recent_value' };
  const number = toReading(reading);
  return { time, value: number, flaw: number === null ? 'not_finite' : null };
}

/**
 * Parses an object with one measurement per channel.
 * @param path place of `value` in the response, for the error
 * @throws {ProtocolError} `object` if `value` is not an object
 */
export function parseMeasurements(value: unknown, path: string): Measurements {
  const parsed = new Map<string, Measurement>();
  for (const [channel, measurement] of toMembers(value, path)) parsed.set(channel, parseMeasurement(measurement));
  return parsed;
}

/** A monitor of a key. `uid` is the MAC address as the service spells it, because its paths need that spelling. */
interface ListedMonitor extends MonitorRecord {
  readonly uid: string;
}

/**
 * Parses the monitors of a key (remote Open API).
 * @throws {ProtocolError} if `data` is not a list or a `uid` is not a MAC address
 */
export function parseMonitorList(response: unknown): readonly ListedMonitor[] {
  return toList(toMembers(response, '$').get('data'), '$.data').map((entry, index) => {
    const path = `$.data[${index}]`;
    const members = toMembers(entry, path);
    const uid = toText(members.get('uid'))?.trim() ?? '';
    return { ...readMonitorRecord(members, toId(uid, `${path}.uid`)), uid };
  });
}

/**
 * Parses the root of the local Open API.
 * @throws {ProtocolError} if `data` is not an object or `mac` is not a MAC address: the device is not a CEMM
 */
export function parseLocalRoot(response: unknown): MonitorRecord {
  const members = toMembers(toMembers(response, '$').get('data'), '$.data');
  return readMonitorRecord(members, toId(members.get('mac'), '$.data.mac'));
}

function readMonitorRecord(members: Members, id: MonitorId): MonitorRecord {
  return {
    id,
    name: toText(members.get('name')),
    type: toText(members.get('type')),
    version: toText(members.get('version')),
    core: toText(members.get('core')),
  };
}

/** @throws {ProtocolError} `mac` */
export function toId(value: unknown, path: string): MonitorId {
  const id = toMonitorId(value);
  if (id === null) throw new ProtocolError(path, 'mac');
  return id;
}

/**
 * Parses the activated I/Os of a monitor, or the I/O of one alias (both Open APIs).
 * @throws {ProtocolError} if `data` is not a list, or an I/O has no `io_id` or `type`
 */
export function parseIoList(response: unknown): readonly IoRecord[] {
  return toList(toMembers(response, '$').get('data'), '$.data').map((entry, index) =>
    parseIo(entry, `$.data[${index}]`),
  );
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

/**
 * Parses `realtime` (both Open APIs). Local monitors often send `totals` beside `data`, although the vendor's page does not
 * mention it: meter readings with their own times.
 * @throws {ProtocolError} if `data` is not an object
 */
export function parseRealtime(response: unknown): RealtimeResponse {
  const members = toMembers(response, '$');
  const totals = members.get('totals');
  return {
    ioId: toInteger(members.get('io_id')),
    data: parseMeasurements(members.get('data'), '$.data'),
    totals: isRecord(totals) ? parseMeasurements(totals, '$') : null,
  };
}

/**
 * Parses `totals` (remote Open API), the meter readings of a day.
 * @throws {ProtocolError} if `data` is not an object
 */
export function parseTotals(response: unknown): TotalsResponse {
  const members = toMembers(response, '$');
  return {
    ioId: toInteger(members.get('io_id')),
    time: toMoment(members.get('time')),
    data: parseMeasurements(members.get('data'), '$.data'),
  };
}

/**
 * Parses `data/day`, `data/month` and `data/year` (both Open APIs). A channel that is null has no samples.
 * @throws {ProtocolError} if `data` is not an object or a channel is not a list
 */
export function parseSeries(response: unknown): SeriesResponse {
  const members = toMembers(response, '$');
  const channels = new Map<string, Samples>();
  for (const [channel, entries] of toMembers(members.get('data'), '$.data')) {
    channels.set(channel, toSamples(entries === null ? [] : toList(entries, memberPath('$.data', channel))));
  }
  return { ioId: toInteger(members.get('io_id')), time: toMoment(members.get('time')), channels };
}

/** @param unitMs length of the unit of the times: the Open APIs send milliseconds, the public API seconds */
export function toSamples(entries: readonly unknown[], unitMs: 1 | 1000 = 1): Samples {
  const times = new Float64Array(entries.length);
  const values = new Float64Array(entries.length);
  let count = 0;
  let withoutTime = 0;
  let malformed = 0;
  // No object per entry, because a day has 1440 of them per channel. at() instead of [index] as in json.ts.
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (!isPair(entry)) {
      malformed++;
      continue;
    }
    const moment = entry.at(0);
    const value = entry.at(1);
    const time = typeof moment === 'number' ? moment * unitMs : null;
    if (time === null) {
      malformed++;
    } else if (time >= earliestMoment && time < latestMoment) {
      times[count] = time;
      values[count] = toReading(value) ?? NaN;
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

/** The response of the remote service while it fetches the data from the monitor. `code` is null if the body has none. */
interface ServicePromise {
  readonly code: string | null;
}

/**
 * Recognizes a promise: any response with status 202, and any other successful response with a member `promise`. The
 * vendor does not document the body.
 * @param response the parsed body; undefined if it is not JSON
 * @returns null if the response is not a promise
 */
export function findPromise(status: number, response: unknown): ServicePromise | null {
  const code = promiseMember(response);
  if (code === undefined || code === null) return status === 202 ? { code: null } : null;
  return { code: JSON.stringify(code) };
}

function promiseMember(response: unknown): unknown {
  return typeof response === 'object' && response !== null && 'promise' in response ? response.promise : undefined;
}
