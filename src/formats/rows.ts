/** Format `rows`: one object per value, for tables, CSV files and SQL. */
import { topicOf } from '../model/identity';
import type { Payload } from '../model/payload';
import { dataPointName, dataPointsOf } from './data-points';
import type { Formatted } from './formatter';

export interface Row {
  /** Epoch ms. */
  readonly ts: number;
  readonly monitor: string | null;
  readonly meter: string | null;
  readonly field: string;
  readonly value: number | null;
  readonly unit: string | null;
}

/** One message with all rows, in the order of the payload; a missing value is a row with null. @throws as factsOf */
export function rowsOf(payload: Payload): Formatted[] {
  const { monitor, all } = dataPointsOf(payload);
  const rows = all.map((fact): Row => {
    const { ts, meter, value, unit } = fact;
    return { ts, monitor, meter, field: dataPointName(fact), value, unit };
  });
  return [{ topic: topicOf(payload), payload: rows }];
}
