/** `GET /api/v1/public/meters`: meters with their channels, units and ways of aggregation (vendor-facts 3). */
import type { PublicChannel, PublicMeter } from './public-answers';
import { toInteger, toList, toMembers, toText } from './shape';

/**
 * An entry without a key cannot be asked for and is left out, so that one odd meter does not hide the others.
 * @throws {WireError} where `meters` is no list, or a meter or channel is no object
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
