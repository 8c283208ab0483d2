/** Time and memory from the response of a day (1440 points per channel) to the payload, and their growth with the number of days. */
import type * as Periods from '../src/calendar/periods';
import type { SeriesPeriod } from '../src/calendar/periods';
import type { MeterInfo, MonitorInfo, SourceInfo } from '../src/model/payload';
import type * as Series from '../src/model/series';
import type * as Json from '../src/protocol/json';
import type * as OpenApi from '../src/protocol/open-api';
import { millis } from '../src/time/units';
import { inTurns, median } from './support/interleaved';
import { shipped } from './support/shipped';
import { type Goal, rounded, type Table } from './support/table';

const { periodContaining } = shipped<typeof Periods>('calendar/periods');
const { normalizeSeries } = shipped<typeof Series>('model/series');
const { parseJson } = shipped<typeof Json>('protocol/json');
const { parseSeries } = shipped<typeof OpenApi>('protocol/open-api');

const zone = 'Europe/Amsterdam';
const minute = 60_000;
const day = 86_400_000;
const first = Date.UTC(2025, 0, 1, 12);
const power = ['electric_power'];
/** One channel as a monitor sends it, for which the goals hold; and three channels. */
const shapes: Readonly<Record<string, readonly string[]>> = { power, 'three channels': [...power, 't1', 't3'] };
const monitor: MonitorInfo = { id: '001122aabbcc', name: 'Bench' };
const meter: MeterInfo = { alias: 'p1', role: 'grid' };
const source: SourceInfo = { transport: 'local', fetchedAt: first, latencyMs: 1, requests: 1, promises: 0 };
/** Few per round, so that other load on the machine affects all peers of a round equally. */
const perRound = 10;
const rounds = 61;

type Pairs = readonly (readonly [number, number | null])[];
interface Answer {
  readonly data: Readonly<Record<string, Pairs>>;
}

export async function series(): Promise<Table> {
  const rows: Record<string, string | number>[] = [];
  const goals: Goal[] = [];
  for (const [shape, channels] of Object.entries(shapes)) {
    const { times, held } = await measured(channels);
    const against = (peer: string): number =>
      median((times.get(peer) ?? []).map((ms, round) => ms / (times.get('JSON.parse')?.[round] ?? NaN)));
    for (const [peer, ms] of times) {
      rows.push({
        day: shape,
        peer,
        'ms per day': rounded(median(ms), 3),
        'against JSON.parse': rounded(against(peer)),
        'kB held': rounded((held.get(peer) ?? NaN) / 1000, 0),
      });
    }
    if (channels !== power) continue;
    goals.push(
      { what: 'time on top of JSON.parse, in times of it', value: against('ours') - 1, limit: 1 },
      {
        what: 'memory against the parsed objects',
        value: (held.get('ours') ?? NaN) / (held.get('JSON.parse') ?? NaN),
        limit: 2,
      },
    );
  }
  return { name: 'series', rows, goals };
}

async function measured(
  channels: readonly string[],
): Promise<{ times: Map<string, number[]>; held: Map<string, number> }> {
  const [given] = days(1, channels);
  if (given === undefined) throw new Error('A day is missing.');
  const text = given.bytes.toString('utf8');
  const peers: Readonly<Record<string, () => unknown>> = {
    'JSON.parse': () => JSON.parse(text) as unknown,
    ours: () => normalized(given),
    naive: () => handMade(text),
  };
  const timed = Object.fromEntries(Object.entries(peers).map(([peer, work]) => [peer, () => perCall(work, perRound)]));
  await inTurns(3, timed);
  const times = await inTurns(rounds, timed);
  return { times, held: new Map(Object.entries(peers).map(([peer, work]) => [peer, heldBy(work)])) };
}

export interface Growth {
  readonly days: number;
  readonly ratio: number;
}

/** Cost per point of several days, relative to one day. */
export async function long(): Promise<Table & { readonly growth: readonly Growth[] }> {
  const lengths = [1, 7, 31, 91, 182, 365];
  const year = days(365, power);
  const peers = Object.fromEntries(
    lengths.map((length) => [
      `${length}`,
      () => {
        // Each peer reads the whole year, range by range: a single day would stay in the cache of the processor.
        const ranges = Math.floor(year.length / length);
        const work = (range: number): number =>
          year
            .slice(range * length, (range + 1) * length)
            .reduce((points, given) => points + normalized(given).points.length, 0);
        const started = performance.now();
        let points = 0;
        for (let range = 0; range < ranges; range++) points += work(range);
        return (performance.now() - started) / points;
      },
    ]),
  );
  await inTurns(1, peers);
  const results = await inTurns(9, peers);
  const one = results.get('1') ?? [];
  const growth = lengths.map((length) => ({
    days: length,
    ratio: median((results.get(`${length}`) ?? []).map((ms, round) => ms / (one[round] ?? NaN))),
  }));
  return {
    name: 'long',
    rows: growth.map(({ days: length, ratio }) => ({
      days: length,
      'µs per point': rounded(median(results.get(`${length}`) ?? []) * 1000, 3),
      'against 1 day': rounded(ratio),
    })),
    goals: [
      { what: 'costliest point against 1 day', value: Math.max(...growth.map(({ ratio }) => ratio)), limit: 1.1 },
    ],
    growth,
  };
}

interface Given {
  readonly bytes: Buffer;
  readonly period: SeriesPeriod;
}

function normalized({ bytes, period }: Given) {
  const response = parseSeries(parseJson(bytes));
  return normalizeSeries({ response, period, now: millis(first + 400 * day), monitor, meter, source });
}

/** Code that users write in a function node. */
function handMade(text: string): unknown {
  const { data } = JSON.parse(text) as Answer;
  const points = new Map<number, Record<string, number | null>>();
  Object.entries(data).forEach(([channel, pairs]) => {
    [...pairs]
      .filter(([time]) => time > 0)
      .map(([time, value]) => ({ time, value }))
      .sort((a, b) => a.time - b.time)
      .forEach(({ time, value }) => points.set(time, { ...points.get(time), ts: time, [channel]: value }));
  });
  return [...points.values()];
}

function days(count: number, channels: readonly string[]): Given[] {
  return Array.from({ length: count }, (_, index) => {
    const period = periodContaining('day', zone, millis(first + index * day));
    const last = period.end - minute;
    const pairs: [number, number | null][] = [];
    for (let time = last; time >= period.start; time -= minute) {
      // The last minute of a day has no value (http://developer.cemm.nl/local-open-api/).
      pairs.push([time, time === last ? null : Math.round(Math.sin(time / 3_600_000) * 1000) / 8]);
    }
    const data = Object.fromEntries(channels.map((channel) => [channel, pairs]));
    return { period, bytes: Buffer.from(JSON.stringify({ io_id: 1, time: period.end, data })) };
  });
}

function perCall(work: () => unknown, calls: number): number {
  const started = performance.now();
  for (let call = 0; call < calls; call++) work();
  return (performance.now() - started) / calls;
}

/** Bytes that one result keeps alive; needs --expose-gc. */
function heldBy(work: () => unknown): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start with --expose-gc.');
  gc();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 20 }, work);
  gc();
  return (process.memoryUsage().heapUsed - before) / kept.length;
}
