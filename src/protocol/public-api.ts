/** `GET /api/v1/public/cemm`: a flat object without an envelope (vendor-facts 3). */
import { toMonitorId } from './mac';
import type { PublicChannel, PublicMeter, PublicMonitor, Samples } from './responses';
import { toInteger, toList, toMembers, toText, ProtocolError } from './json';
import { secondsToMillis, toSeconds } from './time';

/** @throws {ProtocolError} where the answer is no object, or `mac` is no MAC: then it is no CEMM 3.0 that answers */
export function parsePublicIdentity(answer: unknown): PublicMonitor {
  const members = toMembers(answer, '$');
  const id = toMonitorId(members.get('mac'));
  if (id === null) throw new ProtocolError('$.mac', 'mac');
  const modules = members.get('modules');
  return {
    id,
    name: toText(members.get('name')),
    type: null,
    version: toText(members.get('version')),
    core: null,
    cemm: toInteger(members.get('id')),
    timezone: toText(members.get('timezone')),
    time: toSeconds(members.get('time')),
    currency: toText(members.get('currency')),
    modules: Array.isArray(modules) ? modules.flatMap((word) => toText(word) ?? []) : [],
  };
}

// `GET /api/v1/public/meters`: meters with their channels, units and ways of aggregation (vendor-facts 3).

/**
 * An entry without a key cannot be asked for and is left out, so that one odd meter does not hide the others.
 * @throws {ProtocolError} where `meters` is no list, or a meter or channel is no object
 */
export function parsePublicMeters(answer: unknown): readonly PublicMeter[] {
  const entries = toList(toMembers(answer, '$').get('meters'), '$.meters');
  return entries.flatMap((entry, index) => parseMeter(entry, `$.meters[${index}]`) ?? []);
}

function parseMeter(entry: unknown, path: string): PublicMeter | null {
  const members = toMembers(entry, path);
  const key = toText(members.get('key'));
  if (key === null) return null;
  const channels = members.get('channels') ?? [];
  return {
    id: toInteger(members.get('id')),
    key,
    label: toText(members.get('label')),
    type: toText(members.get('type')),
    role: toText(members.get('role')),
    channels: toList(channels, `${path}.channels`).flatMap(
      (channel, index) => parseChannel(channel, `${path}.channels[${index}]`) ?? [],
    ),
  };
}

function parseChannel(entry: unknown, path: string): PublicChannel | null {
  const members = toMembers(entry, path);
  const key = toText(members.get('key'));
  if (key === null) return null;
  return {
    id: toInteger(members.get('id')),
    key,
    label: toText(members.get('label')),
    unit: toText(members.get('unit')),
    aggregation: toText(members.get('aggregation_method')),
  };
}

// `GET /api/v1/public/timeseries`: `{data: [[Unix seconds, value], …]}` (spec.md C, Public API Request).

/**
 * The samples in the order received, with their times in milliseconds. A null (or a number that is not finite) is NaN;
 * entries without a moment, and entries that are no pair, are counted and left out.
 * @throws {ProtocolError} where `data` is no list
 */
export function parsePublicTimeseries(answer: unknown): Samples {
  const entries = toList(toMembers(answer, '$').get('data'), '$.data');
  const times: number[] = [];
  const values: number[] = [];
  let withoutTime = 0;
  let malformed = 0;
  for (const entry of entries) {
    const [moment, value] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    const time = toSeconds(moment);
    if (typeof moment !== 'number' || value === undefined) malformed++;
    else if (time === null) withoutTime++;
    else {
      times.push(secondsToMillis(time));
      values.push(typeof value === 'number' && Number.isFinite(value) ? value : NaN);
    }
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values), withoutTime, malformed };
}
