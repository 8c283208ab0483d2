/** Parsers for the responses of the public API of a CEMM 3.0 (https://wiki.cemm.nl/general/publicapi). */
import type { PublicChannel, PublicMeter, PublicMonitor, Samples } from './responses';
import { toInteger, toList, toMembers, toText } from './json';
import { toId, toSamples } from './open-api';
import { toSeconds } from '../time/units';

/**
 * Parses `/api/v1/public/cemm`, a flat object.
 * @throws {ProtocolError} if it is not an object or `mac` is not a MAC address: the device is not a CEMM 3.0
 */
export function parsePublicIdentity(response: unknown): PublicMonitor {
  const members = toMembers(response, '$');
  const modules = members.get('modules');
  return {
    id: toId(members.get('mac'), '$.mac'),
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

/**
 * Parses `/api/v1/public/meters`. Leaves out meters and channels without a key, because no request can name them.
 * @throws {ProtocolError} if `meters` is not a list, or a meter or channel is not an object
 */
export function parsePublicMeters(response: unknown): readonly PublicMeter[] {
  const entries = toList(toMembers(response, '$').get('meters'), '$.meters');
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

/**
 * Parses `/api/v1/public/timeseries`, `{data: [[Unix seconds, value], …]}`.
 * @throws {ProtocolError} if `data` is not a list
 */
export function parsePublicTimeseries(response: unknown): Samples {
  return toSamples(toList(toMembers(response, '$').get('data'), '$.data'), 1000);
}
