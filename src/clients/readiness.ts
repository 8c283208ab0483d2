/** How long each monitor took lately to have the promised data, per endpoint: a moving average. */

/** Long enough a memory to be steady, short enough to follow a monitor that became slow. */
const weightOfNewest = 0.3;
const mostEntries = 500;

export class Readiness {
  readonly #averages = new Map<string, number>();

  averageMs(key: string): number | null {
    return this.#averages.get(key) ?? null;
  }

  learn(key: string, readyMs: number): void {
    const average = this.#averages.get(key) ?? readyMs;
    // Deleted first, so that the oldest entry is the one not heard of for longest.
    this.#averages.delete(key);
    this.#averages.set(key, average + weightOfNewest * (readyMs - average));
    const [oldest] = this.#averages.keys();
    if (this.#averages.size > mostEntries && oldest !== undefined) this.#averages.delete(oldest);
  }
}
