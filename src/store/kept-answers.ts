/**
 * Responses for series and totals as facts: what the monitor sent, channel by channel, in UTC, before roles, zones and units.
 * Nothing is rounded, and a response that was read once keeps its order, so that a payload made of it is equal to the first one.
 */
import type { Measurement, Samples, SeriesResponse, TotalsResponse } from '../protocol/responses';
import { toMillis } from '../time/units';
import { isRecord } from '../checks/record';
import { type Changed, type ChangedSlots, changedFromJson, changedToJson, isNumbers } from './changed-slots';
import type { ReadTimes } from './past-rules';

export interface KeptSeries extends ReadTimes {
  readonly response: SeriesResponse;
  /** Minutes of which responses had different values. */
  readonly changed: Changed;
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
    ...pickTimes(times),
    ioId,
    time,
    channels: all.map(([name, samples]) => {
      const slots = changed.get(name);
      return [name, samplesToJson(samples), ...(slots === undefined ? [] : [changedToJson(slots)])];
    }),
  };
}

/** Null for anything but the result of `seriesToJson`. */
export function seriesFromJson(fact: unknown): KeptSeries | null {
  const head = headOf(fact);
  if (head === null || !isRecord(fact) || !Array.isArray(fact['channels'])) return null;
  const channels = new Map<string, Samples>();
  const changed = new Map<string, ChangedSlots>();
  for (const one of fact['channels'] as unknown[]) {
    const [name, packed, others] = Array.isArray(one) ? (one as unknown[]) : [];
    const samples = samplesFromJson(packed);
    const slots = others === undefined ? undefined : changedFromJson(others);
    if (typeof name !== 'string' || samples === null || slots === null) return null;
    channels.set(name, samples);
    if (slots !== undefined) changed.set(name, slots);
  }
  const { ioId, time, ...times } = head;
  return { ...times, response: { ioId, time, channels }, changed };
}

export function totalsToJson({ response: { ioId, time, data }, ...times }: KeptTotals): object {
  const measured = [...data].map(([name, { time: at, value, flaw }]) => [name, at, value, flaw]);
  return { ...pickTimes(times), ioId, time, measured };
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

function pickTimes({ asOf, since, readAt, round, forgotAt }: ReadTimes): ReadTimes {
  return { asOf, since, readAt, round, ...(forgotAt !== undefined && { forgotAt }) };
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
  const { asOf, since, readAt, round, forgotAt, ioId, time } = fact;
  if (!isStoredNumber(asOf) || !isStoredNumber(since) || !isStoredNumber(readAt) || !isStoredNumber(round)) return null;
  const at = toMillis(time);
  if ((at === null && time !== null) || (ioId !== null && !isStoredNumber(ioId))) return null;
  return { asOf, since, readAt, round, ...(isStoredNumber(forgotAt) && { forgotAt }), ioId, time: at };
}

function isStoredNumber(value: unknown): value is number {
  return typeof value === 'number';
}
