/**
 * Format `influx-lines`: the points of format `influx` as line protocol, the text that InfluxDB and VictoriaMetrics take over HTTP.
 * Times are in milliseconds (`precision=ms`).
 */
import { types } from 'node:util';
import { isRecord } from '../checks/record';
import { each, isNumber, isText } from '../checks/shape';
import { CemmError } from '../errors';
import { readPayload } from '../model/read-payload';
import type { ChosenFields } from './chosen-fields';
import type { Formatted } from './formatted';
import { type InfluxPoint, influxOf } from './influx';

/**
 * One message with a line for each point; none if no value is known.
 * @param payload a payload, or points of format `influx`, which a flow may have changed; these keep the topic of their message
 * @throws {CemmError} INPUT `not_a_payload`, and as influxOf
 */
export function formatInfluxLines(payload: unknown, topic: unknown, fields: ChosenFields): Formatted<string>[] {
  const batches = Array.isArray(payload)
    ? [{ topic: typeof topic === 'string' ? topic : '', payload: payload.map(readPoint) }]
    : influxOf(readPayload(payload), fields);
  return batches
    .filter(({ payload: points }) => points.length > 0)
    .map(({ topic: written, payload: points }) => ({ topic: written, payload: points.map(formatLine).join('\n') }));
}

function formatLine({ measurement, tags, fields, timestamp }: InfluxPoint): string {
  const key = [
    escapeName(measurement),
    ...Object.entries(tags).map(([tag, text]) => formatPair(tag, escapeName(text))),
  ];
  const values = Object.entries(fields).map(([field, value]) => formatPair(field, String(value)));
  return `${key.join(',')} ${values.join(',')} ${timestamp.getTime()}`;
}

function formatPair(name: string, value: string): string {
  return `${escapeName(name)}=${value}`;
}

/** These characters separate the parts of a line. */
function escapeName(text: string): string {
  return text.replace(/[,= ]/g, '\\$&');
}

/** @throws {CemmError} INPUT `not_a_payload` */
function readPoint(value: unknown): InfluxPoint {
  if (!isPoint(value)) throw new CemmError('INPUT', { reason: 'not_a_payload', params: { path: 'payload' } });
  return value;
}

/** A function node may make the Date, in a context where `instanceof Date` is false. */
function isPoint(value: unknown): value is InfluxPoint {
  if (!isRecord(value)) return false;
  const { measurement, tags, fields, timestamp } = value;
  if (!isName(measurement) || !each(isName)(tags) || !each(isNumber)(fields)) return false;
  if (!isRecord(tags) || !isRecord(fields) || Object.keys(fields).length === 0) return false;
  const names = [...Object.keys(tags), ...Object.keys(fields)];
  return names.every(isName) && types.isDate(timestamp) && Number.isFinite(timestamp.getTime());
}

/** A line break or a backslash would begin another line or tag, and the databases refuse a line with an empty name or tag. */
function isName(text: unknown): boolean {
  return isText(text) && /^[^\p{Cc}\\]+$/u.test(String(text));
}
