import type { Seconds } from '../protocol/time';
import type { Clock } from '../clock';

/**
 * A map that keeps those entries that were used last, at least `capacity` and at most twice as many of them. Two generations
 * instead of one order: taking the oldest out of a Map by iterating costs a walk over all that were deleted before it.
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

// Which deliveries have been here already: digests only, of each installation for itself, so that none can push out what
// another one has sent.

/** More than a monitor sends within the ten minutes in which a delivery may be repeated. */
export const mostDigests = 64;

interface Entry {
  readonly digest: string;
  /** Of the delivery itself; before all others where it has none. */
  readonly time: number;
  /** Monotonic moment at which it is forgotten. */
  readonly until: number;
}

interface Window {
  entries: Entry[];
  /** Up to this time deliveries had to give way to later ones. */
  forgotten: number;
}

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

  /** Whether a delivery of this time may have been here and given way: then nobody can tell a repeat from a first one. */
  mayHaveForgotten(installation: string, time: Seconds): boolean {
    const window = this.windows.get(installation);
    if (window === undefined) return false;
    if (time <= window.forgotten) return true;
    this.dropExpired(window);
    return window.entries.length >= mostDigests && time <= oldest(window.entries).time;
  }

  remember(installation: string, digest: string, time: Seconds | null, lifeMs: number): void {
    const window = this.windowOf(installation);
    this.dropExpired(window);
    const { entries } = window;
    const fresh = { digest, time: time ?? -Infinity, until: this.clock.monotonic() + lifeMs };
    const known = entries.findIndex((entry) => entry.digest === digest);
    if (known >= 0) entries[known] = fresh;
    else if (entries.length < mostDigests) entries.push(fresh);
    else {
      const first = oldest(entries);
      // One without a time may be sent again soon anyway: it pushes nobody out.
      if (time !== null || first.time === -Infinity) {
        entries[entries.indexOf(first)] = fresh;
        window.forgotten = Math.max(window.forgotten, first.time);
      }
    }
  }

  /** For a delivery that was not accepted after all. */
  forget(installation: string, digest: string): void {
    const window = this.windows.get(installation);
    if (window !== undefined) window.entries = window.entries.filter((entry) => entry.digest !== digest);
  }

  /** Digests, those that have expired and were not looked at since included. */
  get size(): number {
    return this.windows.values().reduce((sum, { entries }) => sum + entries.length, 0);
  }

  private windowOf(installation: string): Window {
    const known = this.windows.get(installation);
    if (known !== undefined) return known;
    const window = { entries: [], forgotten: -Infinity };
    this.windows.set(installation, window);
    return window;
  }

  /** Makes a list anew only where there is something to drop: every delivery pays for it. */
  private dropExpired(window: Window): void {
    const now = this.clock.monotonic();
    if (window.entries.every(({ until }) => until > now)) return;
    window.entries = window.entries.filter(({ until }) => until > now);
  }
}

/** Of a list that is not empty. */
function oldest(entries: readonly Entry[]): Entry {
  return entries.reduce((first, entry) => (entry.time < first.time ? entry : first));
}
