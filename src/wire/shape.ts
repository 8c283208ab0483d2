/** The small checks that every parser of an answer is made of. Each names the place in the JSON and what belongs there. */
import { millis, secondsToMillis, toMillis, toSeconds } from './time';
import type { Millis } from './time';
import { WireError } from './wire-error';

/** The members of a JSON object. A Map, because the names come from outside. */
export type Members = ReadonlyMap<string, unknown>;

const none: Members = new Map();

/**
 * @throws {WireError} `object`. An empty list counts as an empty object: that is how PHP writes one.
 */
export function toMembers(value: unknown, path: string): Members {
  if (Array.isArray(value) && value.length === 0) return none;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WireError(path, 'object');
  return new Map(Object.entries(value));
}

/** @throws {WireError} `list` */
export function toList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new WireError(path, 'list');
  return value;
}

/** Text, or null where there is none. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number, given as such or in digits (the two Open APIs differ in `io_id`), or null. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/** A moment in seconds (local `time`) or milliseconds (remote `time`), which cannot be confused; null when neither. */
export function toMoment(value: unknown): Millis | null {
  const asMillis = toMillis(value);
  if (asMillis !== null) return millis(asMillis);
  const asSeconds = toSeconds(value);
  return asSeconds === null ? null : secondsToMillis(asSeconds);
}

/** `$.data.t1`, or `$.data["odd name"]`, cut to a bearable length: the name comes from outside. */
export function memberPath(path: string, name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name) ? `${path}.${name}` : `${path}[…]`;
}
