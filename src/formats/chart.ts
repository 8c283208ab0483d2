/**
 * Format `chart`: points for the ui-chart of Dashboard 2 (1.31.0, https://dashboard.flowfuse.com), an array of objects with
 * the keys `series`, `ts` (x) and `value` (y), and `msg.action`, which overrides the setting of the chart.
 *
 * A series replaces the chart. Readings are appended, and so is a series that starts within its period or continues a range.
 * A chart can show several meters: the newest series of each meter is stored, and sent again with that of another meter for
 * the same period.
 */
import { meterName, monitorName, topicOf } from '../model/identity';
import type { Payload, SeriesPayload } from '../model/payload';
import { dataPointName, dataPointsOf, type DataPoint, type DataPoints } from './data-points';
import type { Formatted } from './formatter';

export interface ChartPoint {
  /** Name of the line. */
  readonly series: string;
  /** Unix ms. */
  readonly ts: number;
  /** Null interrupts the line, because values are missing after the previous point. */
  readonly value: number | null;
}

/** A chart has one y axis, so it gets the values of one unit: the first one in this list that the payload has. */
const unitsByPriority: readonly (string | null)[] = ['W', 'kW', 'kWh', 'm³', 'L/min', 'V'];

/** Number of meters whose lines are stored. The oldest one is removed first. */
const mostMeters = 100;

interface Lines {
  readonly period: string;
  readonly points: readonly ChartPoint[];
}

/** `position`: place of the payload in a sequence of messages (`msg.parts.index`), 0 if there is no sequence. */
export type Chart = (payload: Payload, position: number) => Formatted[];

/** Creates a chart with its own store of lines. A call returns one message, or none if there is nothing to draw. */
export function createChart(): Chart {
  const stored = new Map<string, Lines>();

  function store(meter: string, lines: Lines): void {
    for (const [other, { period }] of stored) if (period !== lines.period) stored.delete(other);
    stored.set(meter, lines);
    const [oldest] = stored.keys();
    if (stored.size > mostMeters && oldest !== undefined) stored.delete(oldest);
  }

  /** The points to append, or all points of the chart to replace it. */
  function drawn(payload: SeriesPayload, points: readonly ChartPoint[], position: number): Drawing {
    const { unit, label, start } = payload.period;
    const period = `${unit} ${label}`;
    const meter = JSON.stringify([monitorName(payload.monitor), meterName(payload.meter), payload.channel?.key]);
    const before = stored.get(meter);
    const isContinued = position > 0 || (payload.points[0]?.ts ?? start) > start;
    // A later period of a range is drawn once and not stored.
    if (isContinued && before?.period !== period) return { action: 'append', points };
    store(meter, { period, points: isContinued ? [...(before?.points ?? []), ...points] : points });
    if (isContinued) return { action: 'append', points };
    // Sorted, because Dashboard 2 assigns colours in the order of the lines.
    const sorted = [...stored].sort(([a], [b]) => (a < b ? -1 : 1));
    return { action: 'replace', points: sorted.flatMap(([, lines]) => lines.points) };
  }

  return (payload, position) => {
    const dataPoints = dataPointsOf(payload);
    const points = linesOf(dataPoints);
    const drawing: Drawing =
      payload.kind === 'series'
        ? drawn(payload, points, position)
        : { action: dataPoints.about === 'series' ? 'replace' : 'append', points };
    // Dashboard 2 clears the chart if there are no points, also with the action `append`.
    if (drawing.action === 'append' && drawing.points.length === 0) return [];
    return [{ topic: topicOf(payload), payload: drawing.points, action: drawing.action }];
  };
}

interface Drawing {
  readonly action: 'replace' | 'append';
  readonly points: readonly ChartPoint[];
}

function linesOf({ all }: DataPoints): ChartPoint[] {
  const drawn = all.filter(isDrawn);
  const units = new Set(drawn.filter(({ value }) => value !== null).map(({ unit }) => unit));
  const [first = null] = units;
  const unit = unitsByPriority.find((candidate) => units.has(candidate)) ?? first;
  const lines = new Map<string, { ts: number; value: number }[]>();
  for (const point of drawn) {
    if (point.value === null || point.unit !== unit) continue;
    const name = [point.meter, dataPointName(point)].filter((part) => part !== null).join(' ');
    const line = lines.get(name) ?? [];
    line.push({ ts: point.ts, value: point.value });
    lines.set(name, line);
  }
  return [...lines].flatMap(([series, line]) => withBreaks(line).map((point) => ({ series, ...point })));
}

/**
 * Values of `this/…` are left out, because their window has not ended and its value changes. Readings in a series are left
 * out, because they are so large that the amounts would not be visible.
 */
function isDrawn({ topic, field }: DataPoint): boolean {
  return !topic?.startsWith('this/') && !field.endsWith('_reading_m3');
}

/**
 * The line, interrupted where values are missing. The slots of a channel can be longer than those of the series (hourly gas
 * beside power per minute), so a gap is a distance of more than one and a half times the shortest one of the line.
 */
function withBreaks(line: readonly { ts: number; value: number }[]): { ts: number; value: number | null }[] {
  let step = Infinity;
  let last: number | null = null;
  for (const { ts } of line) {
    if (last !== null && ts > last) step = Math.min(step, ts - last);
    last = ts;
  }
  const drawn: { ts: number; value: number | null }[] = [];
  for (const point of line) {
    const before = drawn.at(-1);
    if (before !== undefined && point.ts - before.ts > step * 1.5) drawn.push({ ts: before.ts + step, value: null });
    drawn.push(point);
  }
  return drawn;
}
