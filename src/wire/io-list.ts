/** The activated I/Os of a monitor: remote list and record (spec.md A.2, A.3), and the list of the device itself. */
import type { IoRecord } from './answers';
import { toInteger, toList, toMembers, toText } from './shape';
import { WireError } from './wire-error';

/** @throws {WireError} where `data` is no list, or a record lacks `io_id` or `type` */
export function parseIoList(answer: unknown): readonly IoRecord[] {
  return toList(toMembers(answer, '$').get('data'), '$.data').map((entry, index) => parseIo(entry, `$.data[${index}]`));
}

function parseIo(entry: unknown, path: string): IoRecord {
  const members = toMembers(entry, path);
  const ioId = toInteger(members.get('io_id'));
  if (ioId === null) throw new WireError(`${path}.io_id`, 'integer');
  const type = toText(members.get('type'));
  if (type === null) throw new WireError(`${path}.type`, 'text');
  return {
    ioId,
    port: toInteger(members.get('port')),
    type,
    portOption: toText(members.get('port_option')),
    fullId: toInteger(members.get('full_id')),
    alias: toText(members.get('alias')),
  };
}
