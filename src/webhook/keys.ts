/** The keys of one installation of a fleet, and how a receiver gets to them. */
import type { HmacKey } from './signature';
import type { InstallationPath, PathMatch } from './path-pattern';
import type { Clock } from '../clock';

export interface InstallationKeys {
  readonly current: HmacKey;
  /** Accepted too while the monitor is given the current one. */
  readonly previous?: HmacKey | undefined;
  /** Numbers of the monitors that may sign with it; without them it is any. */
  readonly monitors?: ReadonlySet<number> | undefined;
}

/**
 * Looks up the keys of whoever sent a call; `found` is called once, at once or later, with null for somebody unknown. May
 * throw or never answer: the receiver sees to both. `sender` is null where the path holds no parameter.
 */
export type KeyLookup = (sender: InstallationPath | null, found: (keys: InstallationKeys | null) => void) => void;

/**
 * What a key store holds for an installation: the key itself, or `{ key, previous, cemm }` with the key before it and the
 * number (or numbers) of its monitors. Null for anything else, and for a blank key, which everybody knows.
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
 * What a key store holds for the installation of these names, one per level. Names come from outside: what an object inherits
 * is never found, and what stands inside an entry (its key, a note beside it) is no installation's key.
 */
export function findInStore(store: unknown, names: readonly string[]): InstallationKeys | null {
  const [name, ...more] = names;
  if (name === undefined) return readInstallationKeys(store);
  if (typeof store !== 'object' || store === null || typeof ownValue(store, 'key') === 'string') return null;
  return findInStore(ownValue(store, name), more);
}

/** A key proves its own installation only: with it nobody may send in the name of another one's monitor. */
export function isOtherMonitor(
  cemm: number | null,
  sender: InstallationPath | null,
  keys: InstallationKeys | null,
): boolean {
  if (cemm === null) return false;
  if (keys?.monitors?.has(cemm) === false) return true;
  return sender?.cemm !== undefined && sender.cemm !== null && sender.cemm !== cemm;
}

function ownValue(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? Reflect.get(of, name) : undefined;
}

/** Numbers that cannot be read allow no monitor, rather than all. */
function monitorsOf(value: unknown): Pick<InstallationKeys, 'monitors'> {
  if (value === undefined || value === null) return {};
  const numbers = Array.isArray(value) ? (value as unknown[]) : [value];
  return { monitors: new Set(numbers.map((number) => (/^\d{1,15}$/.test(String(number)) ? Number(number) : -1))) };
}

function isBlank(key: string): boolean {
  return key.trim() === '';
}

// Waits for the keys of a call: for a store that answers at once without a timer, for a slow one not longer than a second.

/** With the three seconds that a body may take, well within the five that a monitor waits (spec.md E4). */
const keyDeadlineMs = 1000;

/**
 * Calls `done` exactly once: with the keys, with null for somebody unknown and where the search fails, or with `late`. As long
 * as it waits, `waiting` holds a function that ends the wait with `late`.
 */
export function lookUpKeys(
  findKeys: KeyLookup,
  sender: PathMatch | null,
  clock: Clock,
  waiting: Set<() => void>,
  done: (keys: InstallationKeys | null | 'late') => void,
): void {
  const wait = { isOver: false };
  let stopTimer: (() => void) | null = null;
  const finish = (keys: InstallationKeys | null | 'late'): void => {
    if (wait.isOver) return;
    wait.isOver = true;
    stopTimer?.();
    waiting.delete(giveUp);
    done(keys);
  };
  const giveUp = (): void => {
    finish('late');
  };
  if (sender?.kind === 'invalid') finish(null);
  else {
    try {
      findKeys(sender, finish);
    } catch {
      finish(null);
    }
  }
  if (wait.isOver) return;
  waiting.add(giveUp);
  stopTimer = clock.after(keyDeadlineMs, giveUp);
}
