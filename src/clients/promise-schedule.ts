/**
 * When to repeat a request that the remote service answered with a promise (202, http://developer.cemm.nl/api-en/). A
 * promise expires after 10 s. Early repeats keep the latency low, the gaps grow with the elapsed time, and the last
 * repeat comes shortly before the end. All times are milliseconds since the request that brought the promise was sent.
 */
import { setRecent } from '../checks/set-recent';

/** High enough to follow a monitor that becomes slow, low enough to ignore a single slow response. */
const weightOfNewest = 0.3;
const mostEntries = 500;

/** Moving average per monitor and endpoint of the time until promised data are ready. */
export class LatencyEstimate {
  private readonly averages = new Map<string, number>();

  averageMs(key: string): number | null {
    return this.averages.get(key) ?? null;
  }

  learn(key: string, readyMs: number): void {
    const average = this.averages.get(key) ?? readyMs;
    setRecent(this.averages, key, average + weightOfNewest * (readyMs - average), mostEntries);
  }
}

/** Lifetime of a promise. */
export const promiseLifeMs = 10_000;
/** Latest start of a repeat: a later one would arrive after the promise has expired. */
export const latestRepeatMs = 9500;
/** Most HTTP requests for one request, promises and retries together. */
export const mostCalls = 14;

/** A monitor needs longer for series than for lists, I/Os, realtime or totals. */
export type Pace = 'quick' | 'series';

const plan: Readonly<Record<Pace, readonly [number, ...number[]]>> = {
  quick: [1000, 2000, 3500, 5000, 7000],
  series: [2000, 3500, 5000, 7000],
};
const lastRepeat = { from: 8600, to: 9000 };
const firstRepeat = { from: 500, to: 4000 };
/** Planned repeats that follow the learned first one sooner than this are left out. */
const shortestGap = 750;
const jitter = 0.1;

/**
 * Times of the repeats for one promise, ascending; the last one lies between 8.6 s and 9.0 s.
 * @param averageMs average time until this request was ready; null when it is not known
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
 * Time of the next repeat, or null when there is none left. A repeat that is still in flight skips those that become
 * due meanwhile, except the last, which is sent late.
 * @param asked when the latest repeat was sent; 0 before the first
 * @param now must not be before `asked`
 */
export function nextRepeat(times: readonly number[], asked: number, now: number): number | null {
  const due = times.find((time) => time > asked && time >= now);
  if (due !== undefined) return due;
  const last = times.at(-1) ?? 0;
  return asked < last && now <= latestRepeatMs ? now : null;
}

/** Timeout of one repeat: it may end a second after the promise expires. */
export function repeatTimeout(now: number): number {
  return Math.min(5000, promiseLifeMs - now + 1000);
}
