/** The monitor list of a key and the root of a local monitor (spec.md A.1 and B). */
import type { MonitorRecord } from './answers';
import { toMonitorId } from './mac';
import type { MonitorId } from './mac';
import { toList, toMembers, toText } from './shape';
import type { Members } from './shape';
import { WireError } from './wire-error';

/** A monitor of a key, with its uid as the service spells it: that is what its paths want. */
export interface ListedMonitor extends MonitorRecord {
  readonly uid: string;
}

/** @throws {WireError} where `data` is no list or a `uid` is no MAC */
export function parseMonitorList(answer: unknown): readonly ListedMonitor[] {
  return toList(toMembers(answer, '$').get('data'), '$.data').map((entry, index) => {
    const path = `$.data[${index}]`;
    const members = toMembers(entry, path);
    const uid = toText(members.get('uid'))?.trim() ?? '';
    return { ...describe(members, toId(uid, `${path}.uid`)), uid };
  });
}

/** @throws {WireError} where `data` is no object or `mac` is no MAC: then it is no CEMM that answers */
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
  if (id === null) throw new WireError(path, 'mac');
  return id;
}
