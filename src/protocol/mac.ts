/** The MAC address of a monitor, which is its identity in this package and in payloads. */
import { macDigits } from '../checks/limits';

/** A MAC address as 12 lower-case hexadecimal digits, such as `001122aabbcc`. */
export type MonitorId = string & { readonly __brand: 'MonitorId' };

/**
 * Reads a MAC address in any spelling of the interfaces: `AA-BB-…` (`uid` of the remote Open API), `AA:BB:…` (local Open API,
 * discovery) or 12 digits. Null for anything else.
 */
export function toMonitorId(value: unknown): MonitorId | null {
  return typeof value === 'string' ? (macDigits(value) as MonitorId | null) : null;
}

/** `AA-BB-CC-DD-EE-FF`, as paths of the remote Open API spell it (http://developer.cemm.nl/api-en/). */
export function toRemoteUid(id: MonitorId): string {
  return joinPairs(id, '-');
}

/** `AA:BB:CC:DD:EE:FF`, as printed on the device. */
export function toMacText(id: MonitorId): string {
  return joinPairs(id, ':');
}

function joinPairs(id: MonitorId, separator: '-' | ':'): string {
  return id.toUpperCase().replace(/..(?=.)/g, `$&${separator}`);
}
