/** Joins two responses for one period. */
import type { Samples, SeriesResponse } from '../protocol/responses';
import { type ChangedSlots, fillSamples, minuteAt, packVersions, readVersions, type Version } from './changed-slots';
import type { KeptSeries, KeptTotals } from './kept-answers';
import type { ReadTimes } from './past-rules';

/**
 * Makes one response of two, slot by slot: a number other than 0 wins over 0 and over nothing, whichever came first, and two
 * different ones leave the slot open, unless one of them is settled. A response that lacks what was known proves nothing by what
 * it lacks.
 */
export function joinSeries(known: KeptSeries, added: KeptSeries): KeptSeries {
  const channels = new Map(known.response.channels);
  const [open, settled] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()];
  let [hasForgotten, lost] = [false, 0];
  for (const [name, samples] of channels) {
    if (added.response.channels.has(name)) continue;
    lost = Math.max(lost, samples.values.filter(isSomething).length);
    hasForgotten ||= lost > 0;
  }
  for (const name of new Set([...channels.keys(), ...added.response.channels.keys()])) {
    const slots = joinSlots(known.changed.get(name), added.changed.get(name));
    const [before, after] = [channels.get(name), added.response.channels.get(name)];
    if (before === undefined && after !== undefined) channels.set(name, after);
    if (before !== undefined && after !== undefined) {
      const joined = joinSamples(before, after, slots);
      channels.set(name, joined.samples);
      hasForgotten ||= joined.hasForgotten;
      lost = Math.max(lost, joined.lost);
    }
    open.set(name, slots.open);
    settled.set(name, new Set([...slots.ofKnown, ...slots.ofAdded].filter((minute) => !slots.open.has(minute))));
  }
  const versions = [known, added].flatMap((fact) => versionsIn(fact, open));
  const changed = packVersions(open, settled, versions, (one, other) => Math.abs(one - other) <= roundingTolerance);
  return { ...joinTimes(known, added, hasForgotten, lost), response: { ...known.response, channels }, changed };
}

/** The response that a version was, where others differ. */
export function fillVersion({ channels, ...rest }: SeriesResponse, version: Version): SeriesResponse {
  const filled = [...channels].map(([name, samples]) => {
    const values = version.get(name);
    return [name, values === undefined ? samples : fillSamples(samples, values)] as const;
  });
  return { ...rest, channels: new Map(filled) };
}

/** Counters agree with this version. */
export function settleSeries(fact: KeptSeries, version: Version): KeptSeries {
  const changed = [...fact.changed].map(([name, { minutes, settled }]): [string, ChangedSlots] => {
    const isKnown = (minute: number): boolean => !Number.isNaN(version.get(name)?.get(minute) ?? NaN);
    return [name, { minutes: [], versions: [], settled: [...settled, ...minutes.filter(isKnown)] }];
  });
  return { ...fact, response: fillVersion(fact.response, version), changed: new Map(changed) };
}

/** Minutes of one channel in two facts. */
interface JoinedSlots {
  /** They have no value. */
  readonly open: Set<number>;
  /** Settled in the known fact, and in the added one. */
  readonly ofKnown: ReadonlySet<number>;
  readonly ofAdded: ReadonlySet<number>;
}

function joinSlots(known: ChangedSlots | undefined, added: ChangedSlots | undefined): JoinedSlots {
  const [ofKnown, ofAdded] = [new Set(known?.settled), new Set(added?.settled)];
  const all = [...(known?.minutes ?? []), ...(added?.minutes ?? [])];
  const open = new Set(all.filter((minute) => !ofKnown.has(minute) && !ofAdded.has(minute)));
  return { open, ofKnown, ofAdded };
}

/** The responses that a fact is made of, at the open minutes. */
function versionsIn({ response, changed }: KeptSeries, open: ReadonlyMap<string, ReadonlySet<number>>): Version[] {
  if (![...open.values()].some(({ size }) => size > 0)) return [];
  const own = [...open].map(([name, minutes]) => {
    const samples = response.channels.get(name);
    const values = samples === undefined || minutes.size === 0 ? [] : [...byMinute(samples)];
    return [
      name,
      values.flatMap(([minute, [, value]]) => (minutes.has(minute) ? [[minute, value] as const] : [])),
    ] as const;
  });
  const versions = readVersions(changed);
  return (versions.length === 0 ? [new Map()] : versions).map((version: Version) => {
    const channels = own.map(([name, values]) => [name, new Map([...values, ...(version.get(name) ?? [])])] as const);
    return new Map(channels);
  });
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
    const isMore = rankValue(reading.value) > rankValue(before?.value);
    if (isMore || (isLater && rankValue(reading.value) === rankValue(before?.value))) data.set(name, reading);
  }
  return { ...joinTimes(known, added, hasForgotten), response: { ...known.response, data } };
}

/** A response that lacks more minutes shows that the monitor has forgotten the time; some can get lost. */
const mostLost = 15;

function joinTimes(known: ReadTimes, added: ReadTimes, hasForgotten: boolean, lost = 0): ReadTimes {
  const forgotAt = Math.max(lost > mostLost ? added.asOf : 0, known.forgotAt ?? 0, added.forgotAt ?? 0);
  return {
    asOf: hasForgotten ? known.asOf : Math.max(known.asOf, added.asOf),
    since: Math.min(known.since, added.since),
    // A clock that was ahead is not that of the last request.
    readAt: added.readAt,
    round: Math.max(known.round, added.round),
    ...(forgotAt > 0 && { forgotAt }),
  };
}

/** @param slots `open` gets the minutes of which both have a number, and not the same */
function joinSamples(
  known: Samples,
  added: Samples,
  { open, ofKnown, ofAdded }: JoinedSlots,
): { samples: Samples; hasForgotten: boolean; lost: number } {
  const [before, after] = [sortSamples(known), sortSamples(added)];
  // Older slots can come in longer steps, whose values are others.
  if (shortestStep(after) > 1.5 * shortestStep(before) && known.values.some(isSomething)) {
    const lost = after.values.some(isSomething) ? 0 : known.values.filter(isSomething).length;
    return { samples: known, hasForgotten: true, lost };
  }
  const [times, values]: [number[], number[]] = [[], []];
  let lost = 0;
  for (let [mine, other] = [0, 0]; mine < before.times.length || other < after.times.length;) {
    const minuteBefore = minuteOrEnd(before, mine);
    const minuteAfter = minuteOrEnd(after, other);
    const minute = Math.min(minuteBefore, minuteAfter);
    const earlier = minuteBefore === minute ? before.values[mine] : undefined;
    const later = minuteAfter === minute ? after.values[other] : undefined;
    if (isSomething(earlier) && !isSomething(later) && !open.has(minute)) lost += 1;
    const isSettled = ofKnown.has(minute) !== ofAdded.has(minute);
    if (!isSettled && isDifferent(earlier, later)) open.add(minute);
    const isLater = later !== undefined && (isSettled ? ofAdded.has(minute) : rankValue(later) > rankValue(earlier));
    if (isLater || earlier !== undefined) {
      times.push((isLater ? after.times[other] : before.times[mine]) ?? minute);
      values.push(open.has(minute) ? NaN : ((isLater ? later : earlier) ?? NaN));
    }
    if (!(minuteBefore > minute)) mine += 1;
    if (!(minuteAfter > minute)) other += 1;
  }
  const slots = addOpenMinutes({ times: Float64Array.from(times), values: Float64Array.from(values) }, open);
  const samples = { ...slots, withoutTime: added.withoutTime, malformed: added.malformed };
  return { samples, hasForgotten: lost > 0, lost };
}

/** Ascending by time. */
type Slots = Pick<Samples, 'times' | 'values'>;

function minuteOrEnd({ times }: Slots, index: number): number {
  return index < times.length ? minuteAt(times[index]) : Infinity;
}

/** An open minute has a slot without a value, also if no response has it. */
function addOpenMinutes(slots: Slots, open: ReadonlySet<number>): Slots {
  const lacking = new Set(open);
  for (const time of open.size === 0 ? [] : slots.times) lacking.delete(minuteAt(time));
  if (lacking.size === 0) return slots;
  return sortSlots([...byMinute(slots).values(), ...Array.from(lacking, (minute): Sample => [minute, NaN])]);
}

type Sample = readonly [time: number, value: number];

/** The best sample of each minute, ascending. */
function sortSamples({ times, values }: Samples): Slots {
  const isInOrder = times.every((time, index) => index === 0 || minuteAt(time) > minuteAt(times[index - 1]));
  return isInOrder ? { times, values } : sortSlots([...byMinute({ times, values }).values()]);
}

function sortSlots(samples: readonly Sample[]): Slots {
  const sorted = [...samples].sort(([one], [other]) => one - other);
  return {
    times: Float64Array.from(sorted, ([time]) => time),
    values: Float64Array.from(sorted, ([, value]) => value),
  };
}

/** The best sample of each minute, by its start. */
function byMinute({ times, values }: Slots): Map<number, Sample> {
  const found = new Map<number, Sample>();
  times.forEach((time, index) => {
    const value = values[index] ?? NaN;
    const minute = minuteAt(time);
    const [rivalTime = 0, rival] = found.get(minute) ?? [];
    const difference = rankValue(value) - rankValue(rival);
    if (difference > 0 || (difference === 0 && time >= rivalTime)) found.set(minute, [time, value]);
  });
  return found;
}

/** A service may round what it has sent before. */
export const roundingTolerance = 0.001;

function isDifferent(one = NaN, other = NaN): boolean {
  return isSomething(one) && isSomething(other) && Math.abs(one - other) > roundingTolerance;
}

function shortestStep({ times }: Slots): number {
  return times.reduce(
    (least, time, index) => Math.min(least, minuteAt(time) - minuteAt(times[index - 1] ?? -Infinity)),
    Infinity,
  );
}

/** Nothing, 0, or a number. */
function rankValue(value: number | null | undefined): 0 | 1 | 2 {
  if (value === undefined || value === null || Number.isNaN(value)) return 0;
  return value === 0 ? 1 : 2;
}

export function isSomething(value: number | null | undefined): boolean {
  return rankValue(value) === 2;
}
