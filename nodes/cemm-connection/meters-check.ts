/** Check of the meters of the house, for the dialog and cemm-check-flow. The runtime parses them with the same function. */
import { longestMeterName, mostMeterRows, readMeterRows } from '../../src/model/meter-rows';
import type { CheckResult } from '../lib/stored/field-rules';

/** @param written the rows as JSON */
export function houseMeters(written: string): CheckResult {
  const found = readMeterRows(parsed(written));
  if (!('flaw' in found)) return true;
  const { flaw, row, meter } = found;
  return {
    key: `check.houseMeters.${flaw}`,
    values: { row, meter, most: flaw === 'name' ? longestMeterName : mostMeterRows },
  };
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}
