/** Check of the meters of the house, for the dialog and cemm-check-flow. The runtime parses them with the same function. */
import { parseJsonText } from '../../src/checks/record';
import { longestMeterName, mostMeterRows, readMeterRows } from '../../src/model/meter-rows';
import type { CheckResult } from '../lib/stored/field-rules';

/** @param written the rows as JSON */
export function houseMeters(written: string): CheckResult {
  const found = readMeterRows(parseJsonText(written));
  if (!('flaw' in found)) return true;
  const { flaw, row, meter } = found;
  return {
    key: `check.houseMeters.${flaw}`,
    values: { row, meter, most: flaw === 'name' ? longestMeterName : mostMeterRows },
  };
}
