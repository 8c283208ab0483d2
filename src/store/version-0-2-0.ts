/**
 * Reads what version 0.2.0 kept: responses for series, amounts of minutes of balances, and the readings of midnights. Days count as
 * read once, some hours after their end. Amounts of s02 and s03 are left out, because their files do not say over which interface
 * they came, and the service numbers these inputs differently. This file goes with version 1.0.
 */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Samples, SeriesResponse } from '../protocol/responses';
import { hourMs, minuteMs, toMillis } from '../time/units';
import { isRecord } from '../checks/record';
import { joinSeries } from './join-answers';
import { seriesFromJson, seriesToJson } from './kept-answers';
import type { Added, Join } from './month-file';

/** The month of readings that were not in files by month. */
const allMonths = '1970-01.readings';
/** These are the same inputs over both interfaces. */
const sameInputs: readonly string[] = ['p1', 'han', 's01'];
const otherInputs: readonly string[] = ['s02', 's03'];

/** @param path of a month in the form of now, relative to the folder */
export async function readOldMonth(folder: string, path: string): Promise<Map<string, Added>> {
  const found = new Map<string, Added>();
  for (const file of oldFiles(path)) {
    for (const [name, readAt, value] of await entriesIn(join(folder, file))) {
      if (path.endsWith(allMonths)) {
        if (name === 'readings') found.set('local midnights', { value, join: keepNew });
        continue;
      }
      for (const [newName, response] of file.endsWith('.series.json')
        ? seriesOf(name, value)
        : minutesOf(name, value)) {
        const end = Number(/-(\d+)$/.exec(newName)?.[1]);
        const asOf = Math.min(readAt, end + 4 * hourMs);
        const times = { asOf, since: asOf, readAt: Math.min(readAt, end + 4 * hourMs), round: 0 };
        const fact = seriesToJson({ ...times, response, changed: new Map() });
        if (fact !== null && !found.has(newName)) found.set(newName, { value: fact, join: joinFacts });
      }
    }
  }
  return found;
}

/** Called when its facts are written. */
export async function removeOldMonth(folder: string, path: string): Promise<void> {
  for (const file of oldFiles(path)) await rm(join(folder, file), { force: true });
}

const keepNew: Join = (known) => known;

const joinFacts: Join = (known, added) => {
  const [before, after] = [seriesFromJson(known), seriesFromJson(added)];
  return before === null || after === null ? known : (seriesToJson(joinSeries(after, before)) ?? known);
};

function oldFiles(path: string): string[] {
  if (path.endsWith(allMonths)) return [path.replace(allMonths, 'other.json')];
  return path.endsWith('.series') ? [`${path}.json`, path.replace(/\.series$/, '.json')] : [];
}

/** None for a file that is damaged, or is not there. */
async function entriesIn(path: string): Promise<[name: string, readAt: number, value: unknown][]> {
  try {
    const parts = /^\{"format":"cemm\/days\/1","sha256":"([0-9a-f]{64})","entries":(.*)\}$/s.exec(
      await readFile(path, 'utf8'),
    );
    const [, digest, body = ''] = parts ?? [];
    if (digest !== createHash('sha256').update(body).digest('hex')) return [];
    const entries: unknown = JSON.parse(body);
    return Object.entries(isRecord(entries) ? entries : {}).flatMap(([name, pair]) => {
      const [readAt, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
      return typeof readAt === 'number' ? [[name, readAt, value] as [string, number, unknown]] : [];
    });
  } catch {
    return [];
  }
}

type Named = readonly [name: string, response: SeriesResponse];

/** `day 1-2 remote p1`, with the response. */
function seriesOf(name: string, value: unknown): Named[] {
  const [, unit, period, transport, alias] = /^(day|month|year) (\d+-\d+) (remote|local) (.+)$/.exec(name) ?? [];
  const response = isRecord(value) ? unpackSeries(value['response']) : null;
  if (unit === undefined || alias === undefined || response === null) return [];
  return [[`${transport} ${alias} ${unit} ${period}`, response]];
}

/** `series 1-2 grid p1`, with the amounts of minutes. */
function minutesOf(name: string, value: unknown): Named[] {
  const [, period = '', role = '', alias = ''] = /^series (\d+-\d+) (grid|production) (.+)$/.exec(name) ?? [];
  const [start, end] = period.split('-').map(Number);
  if (start === undefined || end === undefined || end - start > 26 * hourMs || otherInputs.includes(alias)) return [];
  const shapes = isRecord(value) ? unpackShapes(value['shapes']) : null;
  const plus = shapes?.get(role === 'grid' ? 0 : 2);
  const minus = role === 'grid' ? shapes?.get(1) : new Map<number, number>();
  if (plus === undefined || minus === undefined || plus.size === 0) return [];
  const times = Float64Array.from(plus.keys());
  const values = times.map((time) => (plus.get(time) ?? NaN) - (minus.get(time) ?? 0));
  const samples: Samples = { times, values, withoutTime: 0, malformed: 0 };
  const response = { ioId: null, time: toMillis(start), channels: new Map([['electric_power', samples]]) };
  const transports = sameInputs.includes(alias) ? ['local', 'remote'] : ['local'];
  return transports.map((transport) => [`${transport} ${alias} day ${period}`, response]);
}

class NumberReader {
  private place = 0;
  isBroken = false;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.isBroken || this.place >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    for (let factor = 1, byte = 128; byte >= 128; factor *= 128) {
      byte = this.bytes[this.place] ?? this.broken();
      if (factor > Number.MAX_SAFE_INTEGER) byte = this.broken();
      value += (byte % 128) * factor;
      this.place += 1;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Numbers from their differences. */
  column(count: number): Float64Array {
    let sum = 0;
    return new Float64Array(count).map(() => (this.isBroken ? NaN : (sum += this.next())));
  }

  /** Numbers from the runs of equal differences. */
  runs(count: number): Float64Array {
    const numbers = new Float64Array(count);
    let [slot, sum] = [0, 0];
    while (slot < count && !this.isBroken) {
      const [run, difference] = [this.next(), this.next()];
      const end = slot + run;
      if (run < 1 || end > count) this.broken();
      else for (; slot < end; slot += 1) numbers[slot] = sum += difference;
    }
    return numbers;
  }

  /** Numbers as their eight bytes. */
  doubles(count: number): Float64Array | null {
    const end = this.place + 8 * count;
    if (end > this.bytes.length) return null;
    const numbers = new Float64Array(Uint8Array.from(this.bytes.subarray(this.place, end)).buffer);
    this.place = end;
    return numbers;
  }

  private broken(): number {
    this.isBroken = true;
    return 0;
  }
}

function openPacked(text: unknown): NumberReader | null {
  try {
    return typeof text === 'string'
      ? new NumberReader(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: 500_000 }))
      : null;
  } catch {
    return null;
  }
}

const mostSamples = 20_000;
const asDoubles = 13;

function unpackSeries(fact: unknown): SeriesResponse | null {
  if (!isRecord(fact) || !Array.isArray(fact['names'])) return null;
  const { ioId, time, packed } = fact;
  const reader = openPacked(packed);
  if (reader === null || (ioId !== null && typeof ioId !== 'number')) return null;
  const channels = new Map<string, Samples>();
  for (const name of fact['names'] as unknown[]) {
    const [count, withoutTime, malformed] = [reader.next(), reader.next(), reader.next()];
    if (typeof name !== 'string' || !(count >= 0 && count <= mostSamples)) return null;
    const times = readColumn(reader, count);
    const isKnown = readHoles(reader, count);
    const known = isKnown && readColumn(reader, isKnown.filter(Boolean).length);
    if (times === null || isKnown === null || known === null) return null;
    let place = 0;
    const values = Float64Array.from(isKnown, (one) => (one ? (known[place++] ?? NaN) : NaN));
    channels.set(name, { times, values, withoutTime, malformed });
  }
  return reader.isBroken ? null : { ioId, time: toMillis(time), channels };
}

function readColumn(reader: NumberReader, count: number): Float64Array | null {
  const decimals = reader.next();
  if (decimals === asDoubles) return reader.doubles(count);
  if (!(decimals >= 0 && decimals < asDoubles)) return null;
  const [unit, factor] = [reader.next(), 10 ** decimals];
  return reader.column(count).map((number) => (number * unit) / factor);
}

/** The lengths of the runs with and without a value, in turns. */
function readHoles(reader: NumberReader, count: number): boolean[] | null {
  const isKnown = new Array<boolean>(count).fill(true);
  const runs = reader.next();
  if (!(runs >= 0 && runs <= count + 1)) return null;
  let place = 0;
  for (let run = 0; run < runs; run += 1) {
    place += reader.next();
    isKnown.fill(run % 2 === 1, Math.max(0, place));
  }
  return isKnown;
}

/** By the number of a quantity (0 import, 1 export, 2 production): mean power in W by the start of a minute. */
function unpackShapes(text: unknown): Map<number, Map<number, number>> | null {
  const reader = openPacked(text);
  if (reader === null) return null;
  const shapes = new Map<number, Map<number, number>>();
  while (!reader.isAtEnd) {
    const [quantity, count, unit] = [reader.next(), reader.next(), reader.next()];
    if (count < 0 || count > 2_000) return null;
    const [starts, lengths, unmeasured] = [reader.runs(count), reader.runs(count), reader.runs(count)];
    const amounts = reader.column(count);
    const minutes = new Map<number, number>();
    starts.forEach((start, slot) => {
      const length = lengths[slot] ?? 0;
      // One mW for a minute is 1.
      const power = ((amounts[slot] ?? NaN) * unit * minuteMs) / length / 1000;
      if (length > 0 && unmeasured[slot] === 0) minutes.set(start, Math.round(power * 1000) / 1000);
    });
    shapes.set(quantity, minutes);
  }
  return reader.isBroken ? null : shapes;
}
