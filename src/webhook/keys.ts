/** The HMAC keys of one installation of a fleet: their form in a key store, and their lookup per request. */
import type { Clock } from '../time/clock';
import type { InstallationPath, PathMatch } from './path-pattern';

/** A text is used as its UTF-8 bytes, unchanged. */
export type HmacKey = string | Uint8Array;

export interface InstallationKeys {
  readonly current: HmacKey;
  /** Accepted as well while the key of the monitor is being changed. */
  readonly previous?: HmacKey | undefined;
  /** Numbers of the monitors that may sign with it; undefined = any. */
  readonly monitors?: ReadonlySet<number> | undefined;
}

/**
 * Looks up the keys of the installation in a request, and calls `found` once, at once or later, with null if it is unknown. May
 * throw or never call: the receiver handles both. `path` is null if the path has no parameters.
 */
export type KeyLookup = (path: InstallationPath | null, found: (keys: InstallationKeys | null) => void) => void;

/**
 * Reads an entry of a key store: the key itself, or `{ key, previous, cemm }` with the previous key and the number (or numbers)
 * of its monitors. Null for anything else, and for a blank key, which anybody can guess.
 */
export function readInstallationKeys(value: unknown): InstallationKeys | null {
  if (typeof value === 'string') return isBlank(value) ? null : { current: value };
  if (typeof value !== 'object' || value === null) return null;
  const current = ownValue(value, 'key');
  if (typeof current !== 'string' || isBlank(current)) return null;
  const previous = ownValue(value, 'previous');
  return {
    current,
    ...(typeof previous === 'string' && !isBlank(previous) ? { previous } : {}),
    ...monitorsOf(ownValue(value, 'cemm')),
  };
}

/**
 * Finds the entry of an installation in nested objects, one level per name. The names come from requests, so inherited members
 * and members of an entry are never found.
 */
export function findInStore(store: unknown, names: readonly string[]): InstallationKeys | null {
  const [name, ...more] = names;
  if (name === undefined) return readInstallationKeys(store);
  if (typeof store !== 'object' || store === null || typeof ownValue(store, 'key') === 'string') return null;
  return findInStore(ownValue(store, name), more);
}

/**
 * True if the monitor of a delivery is not one of its key or path: a key is valid for its own installation only.
 * @param sharesKey all installations of the path have one key, so only the number in the body identifies the sender
 */
export function isOtherMonitor(
  cemm: number | null,
  path: InstallationPath | null,
  keys: InstallationKeys | null,
  sharesKey: boolean,
): boolean {
  if (cemm === null) return sharesKey && path !== null && path.cemm !== null;
  if (keys?.monitors?.has(cemm) === false) return true;
  return path?.cemm !== undefined && path.cemm !== null && path.cemm !== cemm;
}

/** Together with the three seconds for a body, this is less than the five that a monitor waits for its response. */
const lookupTimeoutMs = 1000;

/**
 * Calls `done` exactly once: with the keys, with null if the installation is unknown or the lookup fails, or with `late` after
 * a second. A store that answers at once needs no timer. The returned function ends the wait with `late`; `waits` contains it
 * during the wait.
 */
export function lookUpKeys(
  lookup: KeyLookup,
  match: PathMatch | null,
  clock: Clock,
  waits: Set<() => void>,
  done: (keys: InstallationKeys | null | 'late') => void,
): () => void {
  const wait = { isOver: false };
  let stopTimer: (() => void) | null = null;
  const endWait = (keys: InstallationKeys | null | 'late'): void => {
    if (wait.isOver) return;
    wait.isOver = true;
    stopTimer?.();
    waits.delete(giveUp);
    done(keys);
  };
  const giveUp = (): void => {
    endWait('late');
  };
  if (match?.kind === 'invalid') endWait(null);
  else {
    try {
      lookup(match, endWait);
    } catch {
      endWait(null);
    }
  }
  if (!wait.isOver) {
    waits.add(giveUp);
    stopTimer = clock.after(lookupTimeoutMs, giveUp);
  }
  return giveUp;
}

function ownValue(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? Reflect.get(of, name) : undefined;
}

/** Unreadable numbers allow no monitor instead of all. */
function monitorsOf(value: unknown): Pick<InstallationKeys, 'monitors'> {
  if (value === undefined || value === null) return {};
  const numbers = Array.isArray(value) ? (value as unknown[]) : [value];
  return { monitors: new Set(numbers.map((number) => (/^\d{1,15}$/.test(String(number)) ? Number(number) : -1))) };
}

/** Anybody can compute the signature of a blank key. */
export function isBlank(key: HmacKey): boolean {
  return typeof key === 'string' ? key.trim() === '' : key.length === 0;
}
