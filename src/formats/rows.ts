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
 * One message with all rows, in the order of the payload; none if the payload has none of the chosen fields. A missing value is a
 * row with null. A balance of a period has rows for its points only, because its sums have the same field names and a row has no
 * step.
 * @throws {CemmError} as dataPointsOf
 */
export function formatRows(payload: Payload, fields: ChosenFields): Formatted<readonly Row[]>[] {
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

/** A spreadsheet evaluates a CSV cell that begins like a formula, and a monitor may send any name. */
function cellSafe(text: string): string {
  return /^['=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}
