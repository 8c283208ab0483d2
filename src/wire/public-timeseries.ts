/** `GET /api/v1/public/timeseries`: `{data: [[Unix seconds, value], …]}` (spec.md C, Public API Request). */
import type { Samples } from './answers';
import { toList, toMembers } from './shape';
import { secondsToMillis, toSeconds } from './time';

/**
 * The samples in the order received, with their times in milliseconds. A null (or a number that is not finite) is NaN;
 * entries without a moment, and entries that are no pair, are counted and left out.
 * @throws {WireError} where `data` is no list
 */
export function parsePublicTimeseries(answer: unknown): Samples {
  const entries = toList(toMembers(answer, '$').get('data'), '$.data');
  const times: number[] = [];
  const values: number[] = [];
  let withoutTime = 0;
  let malformed = 0;
  for (const entry of entries) {
    const [moment, value] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    const time = toSeconds(moment);
    if (typeof moment !== 'number' || value === undefined) malformed++;
    else if (time === null) withoutTime++;
    else {
      times.push(secondsToMillis(time));
      values.push(typeof value === 'number' && Number.isFinite(value) ? value : NaN);
    }
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values), withoutTime, malformed };
}
