/** How long each monitor took lately to have the promised data, per endpoint: a moving average. */

/** Long enough a memory to be steady, short enough to follow a monitor that became slow. */
const weightOfNewest = 0.3;
const mostEntries = 500;

export class LatencyEstimate {
  private readonly averages = new Map<string, number>();

  averageMs(key: string): number | null {
    return this.averages.get(key) ?? null;
  }

  learn(key: string, readyMs: number): void {
    const average = this.averages.get(key) ?? readyMs;
    // Deleted first, so that the oldest entry is the one not heard of for longest.
    this.averages.delete(key);
    this.averages.set(key, average + weightOfNewest * (readyMs - average));
    const [oldest] = this.averages.keys();
    if (this.averages.size > mostEntries && oldest !== undefined) this.averages.delete(oldest);
  }
}

// When to ask again after a promise (spec.md R1). A promise is a window of 10 s, not an overloaded server: early repeats
// bring the latency down, the gaps grow with the time elapsed, and one repeat must come near the end. Backoff with jitter
// does neither of the last two. All times are milliseconds since the request that brought the promise was sent.

/** How long a promise lives. */
export const promiseLifeMs = 10_000;
/** No repeat starts later: it would land after the end. */
export const latestRepeatMs = 9500;
/** Requests for one request, lives and retries together. */
export const mostCalls = 14;

/** Series take the monitor longer than a list, an I/O, realtime or totals. */
export type Pace = 'quick' | 'series';

const plan: Readonly<Record<Pace, readonly [number, ...number[]]>> = {
  quick: [1000, 2000, 3500, 5000, 7000],
  series: [2000, 3500, 5000, 7000],
};
const lastRepeat = { from: 8600, to: 9000 };
const firstRepeat = { from: 500, to: 4000 };
/** Below this a learned first repeat would only double the planned one after it. */
const shortestGap = 750;
const jitter = 0.1;

/**
 * The repeats of one life, ascending; the last one between 8.6 s and 9.0 s.
 * @param averageMs how long this request took to become ready lately; null where that is not known
 */
export function repeatTimes(pace: Pace, averageMs: number | null, random: () => number): readonly number[] {
  const [first, ...rest] = averageMs === null ? plan[pace] : learned(pace, averageMs);
  let planned = 0;
  let time = 0;
  const times = [first, ...rest].map((at) => {
    time += (at - planned) * (1 - jitter + 2 * jitter * random());
    if (planned === 0) time = holdFirst(time);
    planned = at;
    return time;
  });
  return [...times, lastRepeat.from + (lastRepeat.to - lastRepeat.from) * random()];
}

function learned(pace: Pace, averageMs: number): readonly [number, ...number[]] {
  const first = holdFirst(0.9 * averageMs);
  return [first, ...plan[pace].slice(1).filter((at) => at >= first + shortestGap)];
}

function holdFirst(time: number): number {
  return Math.min(firstRepeat.to, Math.max(firstRepeat.from, time));
}

/**
 * The next repeat, or null when the life has none left. A repeat that was still in the air at the time of the next ones
 * skips them, but never the last: that one is only late.
 * @param asked when the latest repeat was sent; 0 before the first
 * @param now must not be before `asked`
 */
export function nextRepeat(times: readonly number[], asked: number, now: number): number | null {
  const due = times.find((time) => time > asked && time >= now);
  if (due !== undefined) return due;
  const last = times.at(-1) ?? 0;
  return asked < last && now <= latestRepeatMs ? now : null;
}

/** How long one repeat may take: it is worth waiting for a little beyond the end of the promise. */
export function repeatTimeout(now: number): number {
  return Math.min(5000, promiseLifeMs - now + 1000);
}
