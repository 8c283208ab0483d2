import { macDigits } from '../limits';

/** 12 lower-case hex digits: the one spelling of a monitor's MAC inside this package. */
export type MonitorId = string & { readonly __brand: 'MonitorId' };

/**
 * Reads a MAC in any of the spellings of the interfaces: `AA-BB-…` (remote uid), `AA:BB:…` (local root, discovery),
 * or bare hex digits. Null when it is none of them.
 */
export function toMonitorId(value: unknown): MonitorId | null {
  return typeof value === 'string' ? (macDigits(value) as MonitorId | null) : null;
}

/** `AA-BB-CC-DD-EE-FF`, the spelling that the remote API uses in paths (spec.md, Monitor). */
export function toRemoteUid(id: MonitorId): string {
  return pairs(id, '-');
}

/** `AA:BB:CC:DD:EE:FF`, the spelling that people read on the device. */
export function toMacText(id: MonitorId): string {
  return pairs(id, ':');
}

function pairs(id: MonitorId, mark: '-' | ':'): string {
  return id.toUpperCase().replace(/..(?=.)/g, `$&${mark}`);
}
