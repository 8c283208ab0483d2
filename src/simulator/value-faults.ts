/** Faults of single values (text-numbers, null-values), applied while an answer or a delivery is written. */
import type { FaultName } from './faults';

/** The JSON of an answer or a delivery; `[0, 0]`, which is no value, stays what it is. */
export function stringify(body: unknown, faults: ReadonlySet<FaultName>): string {
  const changed = faults.has('text-numbers') ? String : faults.has('null-values') ? () => null : null;
  if (changed === null) return JSON.stringify(body);
  return JSON.stringify(body, function (this: unknown, key: string, value: unknown) {
    return typeof value === 'number' && isValue(this, key) ? changed(value) : value;
  });
}

/** The number of a MeasurementArray or of a webhook's value record. */
function isValue(holder: unknown, key: string): boolean {
  return Array.isArray(holder) ? holder.length === 2 && key === '1' && holder[0] !== 0 : key === 'value';
}
