/** The measurements of a soak, and its goals. */
export interface Sample {
  readonly second: number;
  readonly heapUsed: number;
  readonly rss: number;
}

export interface SoakResult {
  readonly minutes: number;
  readonly samples: readonly Sample[];
  readonly deploys: number;
  readonly handlesBefore: number;
  readonly handlesAfter: number;
  /** Values of the deliveries answered with 200, and of those that reached the flow. */
  readonly acknowledged: readonly number[];
  readonly arrived: readonly number[];
  readonly busy: number;
  readonly failures: readonly string[];
  readonly times: readonly number[];
  readonly readings: number;
  /** Times of the incremental series, in the order sent. */
  readonly points: readonly number[];
  readonly delays: readonly { readonly p50: number; readonly p99: number; readonly max: number }[];
  readonly logLines: number;
  readonly warnings: readonly string[];
}

const megabyte = 1024 * 1024;
const minute = 60_000;
/** Goals apply from this length on: memory needs time to settle. */
export const longMinutes = 10;
const steepest = 0.1;
const slowestP99 = 50;
const longestDelay = 100;
/** Growth of resident memory from the first half to the second. */
const mostGrowth = 1.1;

/** Prints the report. Returns one sentence per missed goal. */
export function reportProblems(result: SoakResult): string[] {
  const { acknowledged, arrived, points, times, samples, delays, minutes } = result;
  const got = new Set(arrived);
  const lost = acknowledged.filter((value) => !got.has(value)).length;
  const doubled = arrived.length - got.size;
  const gaps = points.filter((ts, index) => index > 0 && ts - (points[index - 1] ?? ts) !== minute).length;
  const slope = heapSlope(samples.filter(({ second }) => second >= minutes * 30));
  const rss = (half: (second: number) => boolean): number =>
    mean(samples.filter(({ second }) => half(second)).map((sample) => sample.rss));
  const growth = rss((second) => second >= minutes * 30) / rss((second) => second < minutes * 30);
  const p99 = percentile(times, 0.99);
  const worstDelay = Math.max(0, ...delays.map((delay) => delay.p99));
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`deliveries: ${acknowledged.length} acknowledged, ${lost} lost, ${doubled} doubled, ${result.busy} answered 503`);
  say(
    `answers: p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${percentile(times, 1).toFixed(0)} ms`,
  );
  say(`series: ${points.length} minutes sent, ${gaps} out of place; ${result.readings} readings of monitors`);
  say(
    `heap in the second half: ${slope.toFixed(2)} MB a minute; rss ${growth.toFixed(2)} times that of the first half, ` +
      `${megabytes(samples.at(-1)?.rss ?? 0)} at the end`,
  );
  say(`event loop: p99 ${worstDelay.toFixed(0)} ms in the worst five seconds`);
  say(
    `handles: ${result.handlesBefore} before, ${result.handlesAfter} after ${result.deploys} deploys; ${result.logLines} lines of log`,
  );

  const problems = [...new Set(result.failures), ...result.warnings];
  if (acknowledged.length === 0 || points.length === 0 || delays.length === 0) problems.push('nothing was measured');
  if (lost > 0) problems.push(`${lost} deliveries were acknowledged and lost`);
  if (doubled > 0) problems.push(`${doubled} deliveries were sent twice`);
  if (gaps > 0) problems.push(`${gaps} minutes of the series are missing, twice or out of order`);
  if (result.handlesAfter > result.handlesBefore + 5) problems.push('handles were left behind');
  if (minutes < longMinutes) return problems;
  if (slope > steepest) problems.push(`the heap grows by ${slope.toFixed(2)} MB a minute`);
  if (growth > mostGrowth) problems.push(`resident memory grows ${growth.toFixed(2)} times`);
  if (worstDelay > longestDelay) problems.push(`the event loop was delayed: p99 ${worstDelay.toFixed(0)} ms`);
  if (p99 > slowestP99) problems.push(`p99 of the answers is ${p99.toFixed(0)} ms`);
  return problems;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function megabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}

/** Slope of the samples (least squares), in MB per minute. */
function heapSlope(samples: readonly Sample[]): number {
  const time = mean(samples.map(({ second }) => second));
  const heap = mean(samples.map(({ heapUsed }) => heapUsed));
  const spread = samples.reduce((sum, { second }) => sum + (second - time) ** 2, 0);
  const product = samples.reduce((sum, { second, heapUsed }) => sum + (second - time) * (heapUsed - heap), 0);
  return spread === 0 ? 0 : ((product / spread) * 60) / megabyte;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
