/** Columns → points, the one place that makes an object per slot. */
import type { SeriesPoint } from './payload';
import type { Column } from './series-columns';

/** The first `count` slots, ascending, every field in every point. No points where there is no field. */
export function pointsOf(starts: Float64Array, columns: readonly Column[], count: number): SeriesPoint[] {
  const named = columns.map(({ field, values }) => ({ name: field.name, values }));
  const points: SeriesPoint[] = [];
  if (named.length === 0) return points;
  for (let slot = 0; slot < count; slot += 1) {
    // The same keys in the same order, so that all points share one hidden class.
    const point: SeriesPoint = { ts: starts[slot] ?? 0 };
    for (const { name, values } of named) {
      const value = values[slot] ?? NaN;
      point[name] = Number.isNaN(value) ? null : value;
    }
    points.push(point);
  }
  return points;
}
