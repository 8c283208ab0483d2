/**
 * The response for a series as a fact: what the monitor sent, channel by channel, in UTC, before roles, zones and units. Nothing
 * is rounded and the order stays, so that a payload made of it is equal to the first one.
 */
import type { Samples, SeriesResponse } from '../protocol/responses';
import { toMillis } from '../protocol/time';
import { isRecord } from '../record';
import { commonDivisor, differences, NumberReader, packBytes, unpackBytes, writeNumber } from './packed-numbers';

/** A day has 1,500 minutes. */
const mostSamples = 20_000;
const mostChannels = 100;
const mostBytes = 500_000;
/** A day of a smart meter takes 2 kB. */
const mostCharacters = 50_000;
/** Below this, differences of two numbers are exact. */
const mostWhole = 2 ** 50;
/** Numbers of the interfaces have few decimals; others are kept as the eight bytes of IEEE 754. */
const mostDecimals = 12;
const asDoubles = mostDecimals + 1;

/** JSON; null for a response that is too large to be kept. */
export function packSeries({ ioId, time, channels }: SeriesResponse): object | null {
  const all = [...channels];
  if (all.length > mostChannels || all.some(([, { times }]) => times.length > mostSamples)) return null;
  const bytes: number[] = [];
  for (const [, samples] of all) {
    for (const number of [samples.times.length, samples.withoutTime, samples.malformed]) writeNumber(bytes, number);
    writeColumn(bytes, Array.from(samples.times));
    const values = Array.from(samples.values);
    writeHoles(bytes, values);
    writeColumn(
      bytes,
      values.filter((value) => !Number.isNaN(value)),
    );
  }
  const names = all.map(([name]) => name);
  const packed = packBytes(bytes);
  const isTooLong = bytes.length > mostBytes || packed.length + names.join().length > mostCharacters;
  return isTooLong ? null : { ioId, time, names, packed };
}

/** Null for anything but the result of `packSeries`. */
export function unpackSeries(fact: unknown): SeriesResponse | null {
  if (!isRecord(fact)) return null;
  const { ioId, time, names, packed } = fact;
  if (ioId !== null && !isInteger(ioId)) return null;
  const at = toMillis(time);
  if (at === null && time !== null) return null;
  if (!Array.isArray(names) || typeof packed !== 'string') return null;
  const bytes = unpackBytes(packed, mostBytes);
  if (bytes === null) return null;
  const reader = new NumberReader(bytes);
  const channels = new Map<string, Samples>();
  for (const name of names as unknown[]) {
    const samples = readSamples(reader);
    if (typeof name !== 'string' || samples === null) return null;
    channels.set(name, samples);
  }
  return reader.isBroken || !reader.isAtEnd ? null : { ioId, time: at, channels };
}

function readSamples(reader: NumberReader): Samples | null {
  const [count, withoutTime, malformed] = [reader.next(), reader.next(), reader.next()];
  if (!(count >= 0 && count <= mostSamples)) return null;
  const times = readColumn(reader, count);
  const isKnown = readHoles(reader, count);
  if (times === null || isKnown === null) return null;
  const known = readColumn(
    reader,
    isKnown.reduce((sum, one) => sum + one, 0),
  );
  if (known === null) return null;
  const values = new Float64Array(count);
  let place = 0;
  for (let index = 0; index < count; index += 1) values[index] = isKnown[index] === 1 ? (known[place++] ?? NaN) : NaN;
  return { times, values, withoutTime, malformed };
}

/** The number of decimals, the largest whole number that divides all, and the differences. */
function writeColumn(bytes: number[], numbers: readonly number[]): void {
  const decimals = decimalsOf(numbers);
  writeNumber(bytes, decimals);
  if (decimals === asDoubles) {
    for (const byte of new Uint8Array(Float64Array.from(numbers).buffer)) bytes.push(byte);
    return;
  }
  const factor = 10 ** decimals;
  const whole = numbers.map((number) => Math.round(number * factor));
  const unit = whole.reduce(commonDivisor, 0) || 1;
  writeNumber(bytes, unit);
  for (const number of differences(whole.map((one) => one / unit))) writeNumber(bytes, number);
}

function readColumn(reader: NumberReader, count: number): Float64Array | null {
  const decimals = reader.next();
  if (decimals === asDoubles) return reader.doubles(count);
  if (!(decimals >= 0 && decimals <= mostDecimals)) return null;
  const unit = reader.next();
  const numbers = new Float64Array(count);
  reader.column(numbers);
  const factor = 10 ** decimals;
  for (let index = 0; index < count; index += 1) numbers[index] = ((numbers[index] ?? NaN) * unit) / factor;
  return numbers;
}

/** The least number of decimals with which no number changes. */
function decimalsOf(numbers: readonly number[]): number {
  let [decimals, factor] = [0, 1];
  for (const number of numbers) {
    while (Math.round(number * factor) / factor !== number) {
      decimals += 1;
      factor = 10 ** decimals;
      if (decimals > mostDecimals) return asDoubles;
    }
  }
  return numbers.every((number) => Math.abs(number * factor) < mostWhole) ? decimals : asDoubles;
}

/** NaN stands for a null of the monitor: the lengths of the runs with and without a value, in turns. */
function writeHoles(bytes: number[], values: readonly number[]): void {
  const runs: number[] = [];
  let isKnown = true;
  let run = 0;
  for (const value of values) {
    if (Number.isNaN(value) === isKnown) {
      runs.push(run);
      [run, isKnown] = [0, !isKnown];
    }
    run += 1;
  }
  for (const number of [runs.length, ...runs]) writeNumber(bytes, number);
}

/** 1 for each value that is known. */
function readHoles(reader: NumberReader, count: number): Uint8Array | null {
  const isKnown = new Uint8Array(count).fill(1);
  let place = 0;
  const runs = reader.next();
  if (!(runs >= 0 && runs <= count + 1)) return null;
  for (let run = 0; run < runs; run += 1) {
    place += reader.next();
    isKnown.fill(run % 2 === 0 ? 0 : 1, Math.max(0, place));
  }
  return isKnown;
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}
