/**
 * The `time` parameter that requests a period. The remote API takes any moment of the period
 * (http://developer.cemm.nl/api-en/), the local one its start (http://developer.cemm.nl/local-open-api/), which also
 * lies in the period. A monitor whose days begin at another moment, such as midnight UTC, then answers with the period
 * before. It is requested again with a moment in the middle, and from then on with that moment.
 */
import { requestTime, type SeriesPeriod } from '../calendar/periods';
import type { ClientResponse } from '../clients/client';
import type { Samples, SeriesResponse } from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import { millisToSeconds, minuteMs, type Seconds } from '../time/units';

type SendRequest = (time: Seconds) => Promise<ClientResponse<SeriesResponse>>;

/** A series that begins later than this is completed from the response for the period before. */
const lateMs = 5 * minuteMs;

/** Requests series of the local monitors of one connection. */
export class LocalPeriodRequests {
  private readonly askedByMiddle = new Set<MonitorId>();

  /** Rejects as `send` does. */
  async read(monitor: MonitorId, period: SeriesPeriod, send: SendRequest): Promise<ClientResponse<SeriesResponse>> {
    const [start, middle] = [millisToSeconds(period.start), requestTime(period)];
    const byMiddle = this.askedByMiddle.has(monitor);
    const first = await send(byMiddle ? middle : start);
    const isWrong = isMostlyOutside(first.value, period);
    if (!isWrong && !(byMiddle && beginsLate(first.value, period))) return first;
    const second = await send(byMiddle ? start : middle);
    const fits = !isMostlyOutside(second.value, period) && samplesWithin(second.value, period) > 0;
    if (isWrong && fits) this.remember(monitor, !byMiddle);
    return joined(period, first, second);
  }

  private remember(monitor: MonitorId, byMiddle: boolean): void {
    if (byMiddle) this.askedByMiddle.add(monitor);
    else this.askedByMiddle.delete(monitor);
  }
}

function isMostlyOutside(answer: SeriesResponse, period: SeriesPeriod): boolean {
  let all = 0;
  for (const { times } of answer.channels.values()) all += times.length;
  return samplesWithin(answer, period) < all / 2;
}

function samplesWithin({ channels }: SeriesResponse, period: SeriesPeriod): number {
  let count = 0;
  for (const { times } of channels.values()) for (const time of times) if (isWithin(time, period)) count += 1;
  return count;
}

/** False for days of months and months of years: they do not depend on the hour at which the day of the monitor begins. */
function beginsLate({ channels }: SeriesResponse, period: SeriesPeriod): boolean {
  return (
    period.unit === 'day' &&
    [...channels.values()].some((samples) => firstWithin(samples, period) > period.start + lateMs)
  );
}

/** The response that covers more of the period, completed with the earlier samples of the other one. */
function joined(
  period: SeriesPeriod,
  first: ClientResponse<SeriesResponse>,
  second: ClientResponse<SeriesResponse>,
): ClientResponse<SeriesResponse> {
  const isSecondBetter = samplesWithin(second.value, period) > samplesWithin(first.value, period);
  const [better, other] = isSecondBetter ? [second.value, first.value] : [first.value, second.value];
  const channels = new Map(better.channels);
  for (const [channel, samples] of other.channels) {
    channels.set(channel, withEarlier(better.channels.get(channel), samples, period));
  }
  return {
    value: { ...better, channels },
    fetchedAt: second.fetchedAt,
    latencyMs: first.latencyMs + second.latencyMs,
    requests: first.requests + second.requests,
    promises: first.promises + second.promises,
  };
}

function withEarlier(samples: Samples | undefined, other: Samples, period: SeriesPeriod): Samples {
  const end = samples === undefined ? Infinity : firstWithin(samples, period);
  const isEarlier = (index: number): boolean => {
    const time = other.times[index] ?? NaN;
    return isWithin(time, period) && time < end;
  };
  const indices = Array.from(other.times.keys()).filter(isEarlier);
  const { times = [], values = [], withoutTime = 0, malformed = 0 } = samples ?? {};
  return {
    times: Float64Array.from([...times, ...indices.map((index) => other.times[index] ?? NaN)]),
    values: Float64Array.from([...values, ...indices.map((index) => other.values[index] ?? NaN)]),
    withoutTime,
    malformed,
  };
}

/** The first sample within the period; Infinity when there is none. */
function firstWithin({ times }: Samples, period: SeriesPeriod): number {
  let first = Infinity;
  for (const time of times) if (isWithin(time, period) && time < first) first = time;
  return first;
}

function isWithin(time: number, { start, end }: SeriesPeriod): boolean {
  return time >= start && time < end;
}
