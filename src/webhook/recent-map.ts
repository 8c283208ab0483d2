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
