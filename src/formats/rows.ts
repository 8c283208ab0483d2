/** Format `rows`: one object per value, for tables, CSV files and SQL. */
import { topicOf } from '../model/identity';
import type { Payload } from '../model/payload';
import { type ChosenFields, onlyChosen } from './chosen-fields';
import { dataPointName, dataPointsOf } from './data-points';
import type { Formatted } from './formatted';

export interface Row {
  /** Unix ms. */
  readonly ts: number;
  readonly monitor: string | null;
  readonly meter: string | null;
  readonly field: string;
  readonly value: number | null;
  readonly unit: string | null;
}

/**
 * One message with all rows, in the order of the payload. A missing value is a row with null. None if the payload has none of
 * the chosen fields. Of a balance of a period these are its points: its sums have the same field names, and a row has no step
 * that tells them apart.
 * @throws {CemmError} as dataPointsOf
 */
export function rowsOf(payload: Payload, fields: ChosenFields): Formatted[] {
  const { monitor, all } = onlyChosen(dataPointsOf(payload), fields);
  const rows = all.map((point): Row => {
    const { ts, meter, value, unit } = point;
    const field = cellSafe(dataPointName(point));
    return { ts, monitor: cellOf(monitor), meter: cellOf(meter), field, value, unit: cellOf(unit) };
  });
  return rows.length === 0 && fields !== null ? [] : [{ topic: topicOf(payload), payload: rows }];
}

function cellOf(text: string | null): string | null {
  return text === null ? null : cellSafe(text);
}

/** A spreadsheet runs a cell of a CSV file that begins like a formula; a monitor may send any name. */
function cellSafe(text: string): string {
  return /^['=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}
