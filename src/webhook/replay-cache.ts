/** Recognizes repeats of a delivery by their digests, per installation. */
import { largest } from '../checks/extremes';
import { getOrSet } from '../checks/get-or-set';
import type { Seconds } from '../time/units';
import type { Clock } from '../time/clock';

/**
 * A map that keeps the most recently used entries, between `capacity` and twice as many. It has two generations, because
 * finding the oldest entry of a Map means passing all entries that were deleted before it.
 */
export class RecentMap<T extends object> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();

  constructor(private readonly capacity: number) {}

  get(key: string): T | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: T): void {
    if (this.young.size >= this.capacity && !this.young.has(key)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.old.delete(key);
    this.young.set(key, value);
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  values(): readonly T[] {
    return [...this.young.values(), ...this.old.values()];
  }
}

/** More than a monitor sends within the ten minutes in which a delivery may be repeated. */
export const mostDigests = 64;

interface Entry {
  readonly digest: string;
  /** Time of the delivery; -Infinity if it has none. */
  readonly time: number;
  /** Monotonic time of its expiry. */
  readonly until: number;
}

interface Window {
  entries: Entry[];
  /** Digests of deliveries up to this time were evicted or have expired. */
  evictedUpTo: number;
}

/** Each installation has its own window, so it cannot push out the digests of another. */
export class ReplayCache {
  private readonly windows: RecentMap<Window>;

  constructor(
    private readonly clock: Clock,
    installations = 10_000,
  ) {
    this.windows = new RecentMap(installations);
  }

  has(installation: string, digest: string): boolean {
    const now = this.clock.monotonic();
    const entries = this.windows.get(installation)?.entries ?? [];
    return entries.some((entry) => entry.digest === digest && entry.until > now);
  }

  /**
   * True if the digest of a delivery of this time may be gone, and a repeat would not be recognized: it was evicted, or expired
   * before the wall clock was set back.
   */
  mayHaveEvicted(installation: string, time: Seconds): boolean {
    const window = this.windows.get(installation);
    if (window === undefined) return false;
    this.dropExpired(window);
    if (time <= window.evictedUpTo) return true;
    return window.entries.length >= mostDigests && time <= oldest(window.entries).time;
  }

  remember(installation: string, digest: string, time: Seconds | null, lifeMs: number): void {
    const window = getOrSet(this.windows, installation, () => ({ entries: [], evictedUpTo: -Infinity }));
    this.dropExpired(window);
    const { entries } = window;
    const fresh = { digest, time: time ?? -Infinity, until: this.clock.monotonic() + lifeMs };
    const known = entries.findIndex((entry) => entry.digest === digest);
    if (known >= 0) entries[known] = fresh;
    else if (entries.length < mostDigests) entries.push(fresh);
    else {
      const first = oldest(entries);
      // A delivery without a time evicts no other: it may soon be repeated anyway.
      if (time !== null || first.time === -Infinity) {
        entries[entries.indexOf(first)] = fresh;
        window.evictedUpTo = Math.max(window.evictedUpTo, first.time);
      }
    }
  }

  /** For a delivery that was not accepted in the end. */
  forget(installation: string, digest: string): void {
    const window = this.windows.get(installation);
    if (window !== undefined) window.entries = window.entries.filter((entry) => entry.digest !== digest);
  }

  /** Number of digests, including expired ones that were not removed yet. */
  get size(): number {
    return this.windows.values().reduce((sum, { entries }) => sum + entries.length, 0);
  }

  /** Copies the list only if an entry has expired, because this runs for every delivery. */
  private dropExpired(window: Window): void {
    const now = this.clock.monotonic();
    if (window.entries.every(({ until }) => until > now)) return;
    const expired = window.entries.filter(({ until }) => until <= now);
    window.entries = window.entries.filter(({ until }) => until > now);
    window.evictedUpTo = Math.max(window.evictedUpTo, largest(expired.map(({ time }) => time)));
  }
}

/** @param entries not empty */
function oldest(entries: readonly Entry[]): Entry {
  return entries.reduce((first, entry) => (entry.time < first.time ? entry : first));
}
