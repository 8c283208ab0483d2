/** Day, month and year answers of both Open APIs: one pass over the samples, into columns (spec.md A.5 to A.7, B). */
import type { Samples, SeriesAnswer } from './answers';
import { memberPath, toInteger, toList, toMembers, toMoment } from './shape';
import { EARLIEST, LATEST } from './time';

/**
 * @throws {WireError} where `data` is no object or a channel is no list. A channel of null has no samples; an entry that
 *   is no pair is counted and left out.
 */
export function parseSeries(answer: unknown): SeriesAnswer {
  const members = toMembers(answer, '$');
  const channels = new Map<string, Samples>();
  for (const [channel, entries] of toMembers(members.get('data'), '$.data')) {
    channels.set(channel, toSamples(entries === null ? [] : toList(entries, memberPath('$.data', channel))));
  }
  return { ioId: toInteger(members.get('io_id')), time: toMoment(members.get('time')), channels };
}

function toSamples(entries: readonly unknown[]): Samples {
  const times = new Float64Array(entries.length);
  const values = new Float64Array(entries.length);
  let count = 0;
  let withoutTime = 0;
  let malformed = 0;
  // By index and without an object per entry: a day has 1440 of them on every channel. at(), as in json.ts.
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (!isPair(entry)) {
      malformed++;
      continue;
    }
    const time = entry.at(0);
    const value = entry.at(1);
    if (typeof time !== 'number') {
      malformed++;
    } else if (time >= EARLIEST && time < LATEST) {
      times[count] = time;
      values[count] = typeof value === 'number' && Number.isFinite(value) ? value : NaN;
      count++;
    } else {
      withoutTime++;
    }
  }
  return { times: times.subarray(0, count), values: values.subarray(0, count), withoutTime, malformed };
}

function isPair(entry: unknown): entry is readonly unknown[] {
  return Array.isArray(entry) && entry.length >= 2;
}
