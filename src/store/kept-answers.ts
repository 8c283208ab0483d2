/**
 * Responses for series and totals as facts: what the monitor sent, channel by channel, in UTC, before roles, zones and units, and
 * how two responses for one period become one. Nothing is rounded, and a response that was read once keeps its order, so that a
 * payload made of it is equal to the first one.
 */
import type { Measurement, Samples, SeriesResponse, TotalsResponse } from '../protocol/responses';
import { minuteMs, toMillis } from '../protocol/time';
import { isRecord } from '../record';
import type { ReadTimes } from './past-rules';

export interface KeptSeries extends ReadTimes {
  readonly response: SeriesResponse;
  /** Minutes of which two responses had different values, by channel. Their samples have none. */
  readonly changed: ReadonlyMap<string, readonly number[]>;
}

export interface KeptTotals extends ReadTimes {
  readonly response: TotalsResponse;
}

/** A day has 1,500 minutes. */
const mostSamples = 20_000;
const mostChannels = 100;

/** Null for a response that is too large to be kept. */
export function seriesToJson({ response, changed, ...times }: KeptSeries): object | null {
  const { ioId, time, channels } = response;
  const all = [...channels];
  if (all.length > mostChannels || all.some(([, samples]) => samples.times.length > mostSamples)) return null;
  return {
    ...timesOf(times),
    ...{ ioId, time },
    channels: all.map(([name, samples]) => [name, samplesToJson(samples), changed.get(name) ?? []]),
  };
}

/** Null for anything but the result of `seriesToJson`. */
export function seriesFromJson(fact: unknown): KeptSeries | null {
  const head = headOf(fact);
  if (head === null || !isRecord(fact) || !Array.isArray(fact['channels'])) return null;
  const channels = new Map<string, Samples>();
  const changed = new Map<string, readonly number[]>();
  for (const one of fact['channels'] as unknown[]) {
    const [name, packed, others] = Array.isArray(one) ? (one as unknown[]) : [];
    const samples = samplesFromJson(packed);
    if (typeof name !== 'string' || samples === null || !isNumbers(others)) return null;
    channels.set(name, samples);
    if (others.length > 0) changed.set(name, others);
  }
  const { ioId, time, ...times } = head;
  return { ...times, response: { ioId, time, channels }, changed };
}

export function totalsToJson({ response: { ioId, time, data }, ...times }: KeptTotals): object {
  const measured = [...data].map(([name, { time: at, value, flaw }]) => [name, at, value, flaw]);
  return { ...timesOf(times), ioId, time, measured };
}

/** Null for anything but the result of `totalsToJson`. */
export function totalsFromJson(fact: unknown): KeptTotals | null {
  const head = headOf(fact);
  if (head === null || !isRecord(fact) || !Array.isArray(fact['measured'])) return null;
  const data = new Map<string, Measurement>();
  for (const one of fact['measured'] as unknown[]) {
    const [name, at, value, flaw] = Array.isArray(one) ? (one as unknown[]) : [];
    if (typeof name !== 'string' || (at !== null && toMillis(at) === null)) return null;
    if (value !== null && typeof value !== 'number') return null;
    data.set(name, { time: toMillis(at), value, flaw: flaws.find((known) => known === flaw) ?? null });
  }
  const { ioId, time, ...times } = head;
  return { ...times, response: { ioId, time, data } };
}

const flaws = ['no_timestamp', 'not_finite', 'no_recent_value'] as const;

/** The slots that were over when they were read, so that they no longer grow. */
export function slotsUntil({ channels, ...rest }: SeriesResponse, until: number): SeriesResponse {
  const past = ({ times, values, ...counts }: Samples): Samples => {
    if (times.every((time) => time < until)) return { times, values, ...counts };
    const isPast = (_: number, index: number): boolean => (times[index] ?? NaN) < until;
    return { times: times.filter(isPast), values: values.filter(isPast), ...counts };
  };
  return { ...rest, channels: new Map([...channels].map(([name, samples]) => [name, past(samples)])) };
}

/**
 * Makes one response of two, slot by slot: a number other than 0 wins over 0 and over nothing, whichever came first, and two
 * different ones leave the slot open. A response that lacks what was known proves nothing by what it lacks.
 */
export function joinSeries(known: KeptSeries, added: KeptSeries): KeptSeries {
  const channels = new Map(known.response.channels);
  const changed = new Map(known.changed);
  let hasForgotten = false;
  for (const [name, samples] of channels) {
    if (samples.values.some(isSomething) && !added.response.channels.has(name)) hasForgotten = true;
  }
  for (const [name, samples] of added.response.channels) {
    const before = channels.get(name);
    const different = new Set([...(changed.get(name) ?? []), ...(added.changed.get(name) ?? [])]);
    if (before === undefined) channels.set(name, samples);
    else {
      const joined = joinSamples(before, samples, different);
      channels.set(name, joined.samples);
      hasForgotten ||= joined.hasForgotten;
    }
    if (different.size > 0) changed.set(name, [...different]);
  }
  return { ...joinTimes(known, added, hasForgotten), response: { ...known.response, channels }, changed };
}

/** Makes one response of two: of each reading the later one, and never nothing or 0 in place of a number. */
export function joinTotals(known: KeptTotals, added: KeptTotals): KeptTotals {
  const data = new Map(known.response.data);
  let hasForgotten = false;
  for (const [name, before] of known.response.data) {
    if (isSomething(before.value) && !isSomething(added.response.data.get(name)?.value)) hasForgotten = true;
  }
  for (const [name, reading] of added.response.data) {
    const before = data.get(name);
    const isLater = (reading.time ?? 0) > (before?.time ?? 0);
    const isMore = rankOf(reading.value) > rankOf(before?.value);
    if (isMore || (isLater && rankOf(reading.value) === rankOf(before?.value))) data.set(name, reading);
  }
  return { ...joinTimes(known, added, hasForgotten), response: { ...known.response, data } };
}

function joinTimes(known: ReadTimes, added: ReadTimes, hasForgotten: boolean): ReadTimes {
  return {
    asOf: hasForgotten ? known.asOf : Math.max(known.asOf, added.asOf),
    since: Math.min(known.since, added.since),
    // A clock that was ahead is not that of the last request.
    readAt: added.readAt,
    round: Math.max(known.round, added.round),
  };
}

/** @param different minutes without a value; gets those of which both have a number, and not the same */
function joinSamples(
  known: Samples,
  added: Samples,
  different: Set<number>,
): { samples: Samples; hasForgotten: boolean } {
  const [before, after] = [byMinute(known), byMinute(added)];
  // Older slots can come in longer steps, whose values are others.
  if (shortestStep(after) > 1.5 * shortestStep(before) && known.values.some(isSomething)) {
    return { samples: known, hasForgotten: true };
  }
  let hasForgotten = false;
  for (const [minute, [, value]] of before) {
    if (isSomething(value) && !different.has(minute) && !isSomething(after.get(minute)?.[1])) hasForgotten = true;
  }
  for (const [minute, sample] of after) {
    const [, earlier] = before.get(minute) ?? [];
    if (isDifferent(earlier, sample[1])) different.add(minute);
    if (rankOf(sample[1]) > rankOf(earlier)) before.set(minute, sample);
  }
  for (const minute of different) before.set(minute, [before.get(minute)?.[0] ?? minute, NaN]);
  const samples = [...before.values()].sort(([a], [b]) => a - b);
  return {
    samples: {
      times: Float64Array.from(samples, ([time]) => time),
      values: Float64Array.from(samples, ([, value]) => value),
      withoutTime: added.withoutTime,
      malformed: added.malformed,
    },
    hasForgotten,
  };
}

type Sample = readonly [time: number, value: number];

/** The best sample of each minute, by its start. */
function byMinute({ times, values }: Samples): Map<number, Sample> {
  const found = new Map<number, Sample>();
  times.forEach((time, index) => {
    const value = values[index] ?? NaN;
    const minute = Math.floor(time / minuteMs) * minuteMs;
    const [rivalTime = 0, rival] = found.get(minute) ?? [];
    const difference = rankOf(value) - rankOf(rival);
    if (difference > 0 || (difference === 0 && time >= rivalTime)) found.set(minute, [time, value]);
  });
  return found;
}

/** A service may round what it has sent before. */
export const roundingTolerance = 0.001;

function isDifferent(one: number | undefined, other: number): boolean {
  return isSomething(one) && isSomething(other) && Math.abs((one ?? NaN) - other) > roundingTolerance;
}

function shortestStep(samples: ReadonlyMap<number, Sample>): number {
  const minutes = [...samples.keys()].sort((a, b) => a - b);
  return minutes.reduce(
    (least, minute, index) => Math.min(least, minute - (minutes[index - 1] ?? -Infinity)),
    Infinity,
  );
}

/** Nothing, 0, or a number. */
function rankOf(value: number | null | undefined): 0 | 1 | 2 {
  if (value === undefined || value === null || Number.isNaN(value)) return 0;
  return value === 0 ? 1 : 2;
}

export function isSomething(value: number | null | undefined): boolean {
  return rankOf(value) === 2;
}

function timesOf({ asOf, since, readAt, round }: ReadTimes): ReadTimes {
  return { asOf, since, readAt, round };
}

/** Times as the first one, then the differences with their counts; null stands for a value that is not a number. */
function samplesToJson({ times, values, withoutTime, malformed }: Samples): unknown[] {
  const runs: number[] = [];
  let before = 0;
  for (const time of times) {
    const difference = time - before;
    before = time;
    if (runs.at(-2) === difference) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(difference, 1);
  }
  return [runs, Array.from(values, (value) => (Number.isNaN(value) ? null : value)), withoutTime, malformed];
}

function samplesFromJson(packed: unknown): Samples | null {
  const [runs, list, withoutTime, malformed] = Array.isArray(packed) ? (packed as unknown[]) : [];
  if (!isNumbers(runs) || !Array.isArray(list) || list.length > mostSamples) return null;
  if (typeof withoutTime !== 'number' || typeof malformed !== 'number') return null;
  const [times, values] = [new Float64Array(list.length), new Float64Array(list.length)];
  let [slot, time] = [0, 0];
  for (let run = 0; run < runs.length; run += 2) {
    const count = runs[run + 1] ?? 0;
    if (!(count >= 1 && slot + count <= list.length)) return null;
    for (const end = slot + count; slot < end; slot += 1) times[slot] = time += runs[run] ?? NaN;
  }
  if (slot < list.length) return null;
  for (const [index, value] of (list as unknown[]).entries()) {
    if (value !== null && typeof value !== 'number') return null;
    values[index] = value ?? NaN;
  }
  return { times, values, withoutTime, malformed };
}

/** Members of both kinds of facts. */
function headOf(fact: unknown): (ReadTimes & Pick<SeriesResponse, 'ioId' | 'time'>) | null {
  if (!isRecord(fact)) return null;
  const { asOf, since, readAt, round, ioId, time } = fact;
  if (!isNumber(asOf) || !isNumber(since) || !isNumber(readAt) || !isNumber(round)) return null;
  const at = toMillis(time);
  if ((at === null && time !== null) || (ioId !== null && !isNumber(ioId))) return null;
  return { asOf, since, readAt, round, ioId, time: at };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isNumbers(list: unknown): list is number[] {
  return Array.isArray(list) && list.every(isNumber);
}
