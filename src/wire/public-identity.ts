/** `GET /api/v1/public/cemm`: a flat object without an envelope (vendor-facts 3). */
import { toMonitorId } from './mac';
import type { PublicMonitor } from './public-answers';
import { toInteger, toMembers, toText } from './shape';
import { toSeconds } from './time';
import { WireError } from './wire-error';

/** @throws {WireError} where the answer is no object, or `mac` is no MAC: then it is no CEMM 3.0 that answers */
export function parsePublicIdentity(answer: unknown): PublicMonitor {
  const members = toMembers(answer, '$');
  const id = toMonitorId(members.get('mac'));
  if (id === null) throw new WireError('$.mac', 'mac');
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
