/** `toMacText()` for programs, which may have no id yet. */
import { checkArgument, needed } from '../checks/options';
import { type MonitorId, toMacText as toText, toMonitorId } from '../protocol/mac';

/**
 * `AA:BB:CC:DD:EE:FF`, as printed on the device.
 * @throws {CemmError} INPUT: not the id of a monitor
 */
export function toMacText(id: MonitorId): string {
  const isId = (value: unknown): boolean => toMonitorId(value) !== null;
  checkArgument('INPUT', 'id', id, needed({ expected: 'the id of a monitor: 12 hexadecimal digits', accepts: isId }));
  return toText(id);
}
