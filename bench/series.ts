/** From the text of a day (1 440 points on three channels) to the payload, and how the cost grows with the days. */
import { periodContaining } from '../src/calendar/periods';
import type { Period } from '../src/calendar/period';
import type { MeterInfo, MonitorInfo, SourceInfo } from '../src/model/payload';
import { normalizeSeries } from '../src/model/series';
import { parseJson } from '../src/wire/json';
import { parseSeries } from '../src/wire/series';
import { millis } from '../src/wire/time';
import { inTurns, median } from './support/rounds';
import { rounded, type Table } from './support/table';

const zone = 'Europe/Amsterdam';
const minute = 60_000;
const day = 86_400_000;
const first = Date.UTC(2025, 0, 1, 12);
const channels = ['electric_power', 't1', 't3'];
const monitor: MonitorInfo = { id: '001122aabbcc', name: 'Bench' };
const meter: MeterInfo = { alias: 'p1', role: 'grid' };
const source: SourceInfo = { transport: 'local', fetchedAt: first, latencyMs: 1, requests: 1, promises: 0 };
const perRound = 40;
const rounds = 9;

type Pairs = readonly (readonly [number, number])[];
interface Answer {
  readonly data: Readonly<Record<string, Pairs>>;
}

export async function series(): Promise<Table> {
  const [given] = days(1);
  if (given === undefined) throw new Error('A day is missing.');
  const text = given.bytes.toString('utf8');
  const parseOnly = (): unknown => JSON.parse(text);
  const ours = (): unknown => normalized(given);
  const naive = (): unknown => handMade(text);
  const timed = (work: () => unknown) => (): number => perCall(work, perRound);
  const peers = { parse: timed(parseOnly), ours: timed(ours), naive: timed(naive) };
  await inTurns(3, peers);
  const results = await inTurns(rounds, peers);
  const times = (peer: string): readonly number[] => results.get(peer) ?? [];
  const against = (peer: string): number => median(times(peer).map((ms, round) => ms / (times('parse')[round] ?? NaN)));
  const memory = { ours: heldBy(ours), parse: heldBy(parseOnly), naive: heldBy(naive) };
  return {
    name: 'series',
    rows: [...results].map(([peer, ms]) => ({
      peer,
      'ms per day': rounded(median(ms), 3),
      'against JSON.parse': rounded(against(peer)),
      'kB held': rounded((Reflect.get(memory, peer) as number) / 1000, 0),
    })),
    goals: [
      { what: 'time on top of JSON.parse, in times of it', value: against('ours') - 1, limit: 1 },
      { what: 'memory against the parsed objects', value: memory.ours / memory.parse, limit: 2 },
    ],
  };
}

export interface Growth {
  readonly days: number;
  readonly ratio: number;
}

/** Cost per point of so many days, against one day. */
export async function long(): Promise<Table & { readonly growth: readonly Growth[] }> {
  const lengths = [1, 7, 31, 91, 182, 365];
  const year = days(365);
  const peers = Object.fromEntries(
    lengths.map((length) => [
      `${length}`,
      () => {
        const range = year.slice(0, length);
        // Many points for each peer, so that a short range is no noisier than a long one.
        const repeats = Math.ceil(91 / length);
        return perCall(() => range.map((given) => normalized(given).points.length), repeats) / length;
      },
    ]),
  );
  await inTurns(1, peers);
  const results = await inTurns(5, peers);
  const one = results.get('1') ?? [];
  const growth = lengths.map((length) => ({
    days: length,
    ratio: median((results.get(`${length}`) ?? []).map((ms, round) => ms / (one[round] ?? NaN))),
  }));
  return {
    name: 'long',
    rows: growth.map(({ days: length, ratio }) => ({
      days: length,
      'µs per point': rounded((median(results.get(`${length}`) ?? []) * 1000) / 1440, 3),
      'against 1 day': rounded(ratio),
    })),
    goals: [{ what: 'dearest point against 1 day', value: Math.max(...growth.map(({ ratio }) => ratio)), limit: 1.1 }],
    growth,
  };
}

interface Given {
  readonly bytes: Buffer;
  readonly period: Period;
}

function normalized({ bytes, period }: Given) {
  const answer = parseSeries(parseJson(bytes));
  return normalizeSeries({ answer, period, now: millis(first + 400 * day), monitor, meter, source });
}

/** What people write in a function node. */
function handMade(text: string): unknown {
  const { data } = JSON.parse(text) as Answer;
  const points = new Map<number, Record<string, number>>();
  Object.entries(data).forEach(([channel, pairs]) => {
    [...pairs]
      .filter(([time]) => time > 0)
      .map(([time, value]) => ({ time, value }))
      .sort((a, b) => a.time - b.time)
      .forEach(({ time, value }) => points.set(time, { ...points.get(time), ts: time, [channel]: value }));
  });
  return [...points.values()];
}

function days(count: number): Given[] {
  return Array.from({ length: count }, (_, index) => {
    const period = periodContaining('day', zone, millis(first + index * day));
    const pairs: [number, number][] = [];
    for (let time = period.end - minute; time >= period.start; time -= minute) {
      pairs.push([time, Math.round(Math.sin(time / 3_600_000) * 1000) / 8]);
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
