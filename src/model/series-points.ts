/** Columns → points, the one place that makes an object per slot. */
import type { SeriesPoint } from './payload';
import type { Column } from './series-columns';

type PointAt = (ts: number, slot: number) => SeriesPoint;

/** The first `count` slots, ascending, every field in every point. No points where there is no field. */
export function pointsOf(starts: Float64Array, columns: readonly Column[], count: number): SeriesPoint[] {
  if (columns.length === 0) return [];
  const pointAt = powerPoint(columns) ?? anyPoint(columns);
  const points = new Array<SeriesPoint>(count);
  for (let slot = 0; slot < count; slot += 1) points[slot] = pointAt(starts[slot] ?? 0, slot);
  return points;
}

/**
 * For a day of power, the one long series: literals with fixed keys take a fraction of the time that keys out of a list
 * take. Null for any other set of fields.
 */
function powerPoint(columns: readonly Column[]): PointAt | null {
  const [power, second, third] = columns.map(({ values }) => values);
  switch (columns.map(({ field }) => field.name).join()) {
    case 'power_w':
      return (ts, slot) => ({ ts, power_w: orNull(power?.[slot]) });
    case 'power_w,power_production_w':
      return (ts, slot) => ({ ts, power_w: orNull(power?.[slot]), power_production_w: orNull(second?.[slot]) });
    case 'power_w,power_import_w,power_export_w':
      return (ts, slot) => ({
        ts,
        power_w: orNull(power?.[slot]),
        power_import_w: orNull(second?.[slot]),
        power_export_w: orNull(third?.[slot]),
      });
    default:
      return null;
  }
}

function anyPoint(columns: readonly Column[]): PointAt {
  const named = columns.map(({ field, values }) => ({ name: field.name, values }));
  return (ts, slot) => {
    const point: SeriesPoint = { ts };
    for (const { name, values } of named) point[name] = orNull(values[slot]);
    return point;
  };
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
