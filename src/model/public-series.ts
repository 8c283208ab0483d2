/** Normalizes a time series of the public API of a CEMM 3.0: the payload of kind `series` (`docs/payload.md`). */
import { type Period, periodContaining, previousPeriod } from '../calendar/periods';
import type { Slots } from '../calendar/slots';
import type { PublicChannel, Samples } from '../protocol/responses';
import { earliestMoment, hourMs, millis, type Millis } from '../time/units';
import { idOf, payloadHead, meterName } from './identity';
import type { MeterPayloadInput } from './monitor-payloads';
import type { RecentInfo, SeriesPayload, SeriesPoint, SeriesStats } from './payload';
import { describeChannel, seriesField } from './public-meters';
import { fillSlots, numberOrNull } from './series-points';

export interface PublicSeriesInput extends MeterPayloadInput {
  readonly samples: Samples;
  readonly channel: PublicChannel;
  readonly resolution: string;
  readonly count: number;
  /** IANA zone of the installation. */
  readonly timezone: string;
  readonly now: Millis;
}

/** Tolerated difference between the clock of the monitor, which decides the last entry, and the clock of this machine. */
const clockToleranceMs = 3 * hourMs;

interface SeriesBody {
  readonly period: RecentInfo;
  readonly points: readonly { readonly ts: number; readonly value: number | null }[];
  readonly stats: SeriesStats;
}

/**
 * The payload of kind `series`. With resolution `day` it has `count` points up to the current day, null if the monitor sent
 * no value. For other resolutions the vendor documents no boundaries of slots, so the points are the entries in order of
 * their times. `ts` is the first moment of the series.
 */
export function normalizePublicSeries(input: PublicSeriesInput): SeriesPayload {
  const { channel, monitor, meter, source, resolution, now } = input;
  const { name, ...field } = seriesField(channel.key, meter.role, channel.unit, channel.aggregation);
  const { period, points, stats } = resolution === 'day' ? ofDays(input) : ofEntries(input);
  const id = idOf('sr', monitor, meterName(meter), channel.key, resolution, period.label);
  return {
    ...payloadHead('series', id, period.start, monitor),
    meter: { ...meter },
    channel: describeChannel(channel),
    period,
    fields: Object.fromEntries([[name, field]]),
    points: points.map(({ ts, value }): SeriesPoint => ({ ...Object.fromEntries([[name, value]]), ts })),
    stats,
    complete: now >= period.end && stats.gaps === 0,
    source: { ...source },
  };
}

function ofDays({ samples, resolution, count, timezone, now }: PublicSeriesInput): SeriesBody {
  const newest = samples.times.reduce((latest, time) => Math.max(latest, time), 0);
  const isBelievable = newest > 0 && newest <= now + clockToleranceMs;
  const today = periodContaining('day', timezone, isBelievable ? millis(newest) : now);
  const { starts, slots } = daysUpTo(today, count);
  const start = starts[0] ?? today.start;
  const { end } = today;
  const column = fillSlots(samples, { start, end, now: Math.max(now, today.start), slots, withinDay: false });
  const { known, duplicates, futureTrimmed, outside } = column;
  const first = periodContaining('day', timezone, millis(Math.max(start, earliestMoment))).label;
  return {
    period: { unit: 'recent', label: `${first}/${today.label}`, timezone, start, end, step: 'P1D', resolution, count },
    points: starts.map((ts, index) => ({ ts, value: numberOrNull(column.values[index]) })),
    stats: {
      expected: slots.count,
      received: known,
      gaps: slots.count - known,
      duplicates,
      futureTrimmed,
      outside: outside + samples.withoutTime,
    },
  };
}

/** Days of 23, 24 or 25 hours, oldest first; none before 2010. */
function daysUpTo(today: Period, count: number): { starts: number[]; slots: Slots } {
  const starts: number[] = [];
  for (let day = today; starts.length < count && day.end > earliestMoment; day = previousPeriod(day))
    starts.push(day.start);
  starts.reverse();
  const indexOf = (at: number): number =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    );
  const slots = { count: starts.length, starts: Float64Array.from(starts), indexOf, expectedBy: () => starts.length };
  return { starts, slots };
}

function ofEntries({ samples, resolution, count, timezone, now }: PublicSeriesInput): SeriesBody {
  const values = new Map<number, number>();
  let duplicates = 0;
  let futureTrimmed = 0;
  samples.times.forEach((time, index) => {
    const value = samples.values[index] ?? NaN;
    const isTaken = values.has(time);
    if (time > now + clockToleranceMs) futureTrimmed += 1;
    else if (!isTaken || !Number.isNaN(value)) values.set(time, value);
    if (isTaken) duplicates += 1;
  });
  const points = [...values].sort(([a], [b]) => a - b).map(([ts, value]) => ({ ts, value: numberOrNull(value) }));
  const start = points[0]?.ts ?? now;
  const last = points.at(-1)?.ts ?? now;
  const received = points.filter(({ value }) => value !== null).length;
  const expected = Math.max(count, points.length);
  const label = [start, last].map((moment) => new Date(moment).toISOString()).join('/');
  return {
    period: { unit: 'recent', label, timezone, start, end: Math.max(now, last + 1), step: null, resolution, count },
    points,
    stats: { expected, received, gaps: expected - received, duplicates, futureTrimmed, outside: samples.withoutTime },
  };
}
