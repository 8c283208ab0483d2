/** MeasurementArrays, `[timestamp in ms, value]`, and the objects that hold one per channel (spec.md, MeasurementArray). */
import type { Measurement, Measurements } from './answers';
import { toMembers } from './shape';
import { toMillis } from './time';

const withoutTime: Measurement = { time: null, value: null, flaw: 'no_timestamp' };
const unusable: Measurement = { time: null, value: null, flaw: 'not_finite' };

/**
 * One MeasurementArray. Never throws: what is no pair, or carries no number, is a measurement without a value, so that
 * one bad channel does not cost the others. Only `[0, 0]` is "no value": a value whose time is no moment between 2010 and
 * 2100 is kept, without a time.
 */
export function parseMeasurement(value: unknown): Measurement {
  if (!Array.isArray(value) || value.length < 2) return unusable;
  const [moment, reading] = value as readonly unknown[];
  if (typeof moment !== 'number') return unusable;
  const time = toMillis(moment);
  if (time === null && (reading === null || (moment === 0 && reading === 0))) return withoutTime;
  if (reading === null) return { time, value: null, flaw: 'no_recent_value' };
  if (typeof reading !== 'number' || !Number.isFinite(reading)) return { time, value: null, flaw: 'not_finite' };
  return { time, value: reading, flaw: null };
}

/**
 * Channel name → MeasurementArray.
 * @throws {WireError} `object` at `path`
 */
export function parseMeasurements(value: unknown, path: string): Measurements {
  const parsed = new Map<string, Measurement>();
  for (const [channel, measurement] of toMembers(value, path)) parsed.set(channel, parseMeasurement(measurement));
  return parsed;
}
