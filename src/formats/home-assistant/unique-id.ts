/**
 * The `unique_id` of a sensor: `cemm_<monitor>_<meter>_<field>`. The three names may contain `_` themselves, so installation
 * `h1` with meter `x` and an invented channel `p1_power_w` would take the sensor of `h1_x` with `p1`, and Home Assistant would
 * ignore the second one. Entities and statistics depend on this id, so it has this form whenever it is unambiguous: a meter
 * without `_` and a field that this package knows. Otherwise `:` separates the names, which no name contains.
 */
import { balanceFieldNames, knownFields } from '../../model/field-names';
import { type DataPoint, dataPointName } from '../data-points';
import { plainName, plainPrefix } from './topics';

const fields = [...knownFields(null), ...balanceFieldNames('any'), 'peak_power_w', 'peak_expected_w'];
/** Matches the shortest name of a monitor, and so the longest field. */
const readable = new RegExp(`^.+?_([^_]+)_((?:(?:this|last)_[0-9a-z]+_)?(?:${fields.join('|')}))$`);
/** Fields of the monitor itself and of a balance. */
const reserved = /_balance_(?:now|day)_|_(?:last_contact|delay_ms|fetch)$/;
/** The end of a name that plainPrefix had to change. */
const hash = /^[0-9a-f]{8}$/;

export function uniqueIdOf(monitor: string, meter: string, point: Pick<DataPoint, 'field' | 'topic'>): string {
  const names = [plainName(monitor), plainPrefix(meter), plainName(dataPointName(point))] as const;
  return isReadAs(...names) ? `cemm_${names.join('_')}` : `cemm:${names.join(':')}`;
}

function isReadAs(monitor: string, meter: string, field: string): boolean {
  const text = `${monitor}_${meter}_${field}`;
  if (reserved.test(text)) return false;
  const [, readMeter, readField] = readable.exec(text) ?? [];
  if (readMeter === undefined) return !monitor.includes('_');
  if (!hash.test(readMeter)) return meter === readMeter && field === readField;
  return field === readField && (meter.includes('_') || !monitor.includes('_'));
}
