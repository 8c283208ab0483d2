/** Answers with one measurement per channel: realtime of both Open APIs, and the remote totals (spec.md A.4, A.8, B). */
import type { Measurements, RealtimeAnswer, TotalsAnswer } from './answers';
import { parseMeasurements } from './measurement';
import { toInteger, toMembers, toMoment } from './shape';

/**
 * Realtime. A local monitor often sends `totals` beside `data`: meter readings with times of their own.
 * @throws {WireError} where `data` is no object
 */
export function parseRealtime(answer: unknown): RealtimeAnswer {
  const members = toMembers(answer, '$');
  return {
    ioId: toInteger(members.get('io_id')),
    data: parseMeasurements(members.get('data'), '$.data'),
    totals: parseExtra(members.get('totals')),
  };
}

/**
 * Meter readings of a day.
 * @throws {WireError} where `data` is no object
 */
export function parseTotals(answer: unknown): TotalsAnswer {
  const members = toMembers(answer, '$');
  return {
    ioId: toInteger(members.get('io_id')),
    time: toMoment(members.get('time')),
    data: parseMeasurements(members.get('data'), '$.data'),
  };
}

/** An extra that no specification promises: absent in any other shape. */
function parseExtra(value: unknown): Measurements | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? parseMeasurements(value, '$') : null;
}
