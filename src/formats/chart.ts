/**
 * Format `chart`: points for the ui-chart of Dashboard 2 (1.31.0, https://dashboard.flowfuse.com), an array of objects with
 * the keys `series`, `ts` (x of a line), `value` (y) and, in a series of days or months, `label` (x of a bar), and
 * `msg.action`, which overrides the setting of the chart.
 *
 * A series replaces the chart. Readings are appended, and so is a series that starts within its period or continues a range.
 * A chart can show several meters: the newest series of each meter is stored, and sent again with that of another meter for
 * the same period.
 */
import { getOrSet } from '../checks/get-or-set';
import { setRecent } from '../checks/set-recent';
import { meterName, monitorName, topicOf } from '../model/identity';
import type { Payload, SeriesPayload } from '../model/payload';
import { drawnPoints } from './chart-fields';
import { type FieldNames, lineNames } from './chart-names';
import type { ChosenFields } from './chosen-fields';
import { dataPointsOf, type DataPoint } from './data-points';
import type { Formatted } from './formatted';
import { titlesIn } from './titles';
import { slotLabels } from './slot-label';

export interface ChartPoint {
  /** Name of the line. */
  readonly series: string;
  /** Unix ms. */
  readonly ts: number;
  /** Null interrupts the line, because values are missing after the previous point. */
  readonly value: number | null;
  /** Name of the slot, such as `25 Oct`, if a chart could show bars. */
  readonly label?: string;
}

export interface ChartOptions {
  readonly fields: ChosenFields;
  readonly names: FieldNames;
  /** Language of the labels, a BCP 47 tag. */
  readonly language: string;
}

/** Number of meters whose lines are stored. The oldest one is removed first. */
const mostMeters = 100;

interface Lines {
  readonly period: string;
  readonly points: readonly ChartPoint[];
}

/** `position`: index of the payload in a sequence of messages (`msg.parts.index`), 0 without a sequence. */
export type Chart = (payload: Payload, position: number) => Formatted<readonly ChartPoint[]>[];

/** Creates a chart with its own store of lines. A call returns one message, or none if there is nothing to draw. */
export function createChart(options: ChartOptions): Chart {
  const stored = new Map<string, Lines>();

  function storeLines(meter: string, lines: Lines): void {
    for (const [other, { period }] of stored) if (period !== lines.period) stored.delete(other);
    setRecent(stored, meter, lines, mostMeters);
  }

  /** The points to append, or all points of the chart to replace it. */
  function drawPeriod(payload: SeriesPayload, points: readonly ChartPoint[], position: number): Drawing {
    const { unit, label, start } = payload.period;
    const period = `${unit} ${label}`;
    const meter = JSON.stringify([monitorName(payload.monitor), meterName(payload.meter), payload.channel?.key]);
    const before = stored.get(meter);
    const isContinued = position > 0 || (payload.points[0]?.ts ?? start) > start;
    // A later period of a range is drawn once and not stored.
    if (isContinued && before?.period !== period) return { action: 'append', points };
    storeLines(meter, { period, points: isContinued ? [...(before?.points ?? []), ...points] : points });
    if (isContinued) return { action: 'append', points };
    // Sorted, because Dashboard 2 assigns colours in the order of the lines.
    const sorted = [...stored].sort(([a], [b]) => (a < b ? -1 : 1));
    return { action: 'replace', points: sorted.flatMap(([, lines]) => lines.points) };
  }

  return (payload, position) => {
    const dataPoints = dataPointsOf(payload);
    const points = linesOf(payload, dataPoints.all, options);
    const drawing: Drawing =
      payload.kind === 'series'
        ? drawPeriod(payload, points, position)
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

function linesOf(payload: Payload, all: readonly DataPoint[], options: ChartOptions): ChartPoint[] {
  const drawn = drawnPoints(all, options.fields);
  const fields = options.fields ?? new Set(drawn.map(({ field }) => field));
  const meter = 'meter' in payload ? payload.meter : undefined;
  const nameOf = lineNames(options.names, meter?.role ?? null, fields, titlesIn(payload));
  const label = payload.kind === 'series' ? slotLabels(payload.period, options.language) : null;
  const lines = new Map<string, Line>();
  for (const { ts, value, ...point } of drawn) {
    getOrSet(lines, nameOf({ ts, value, ...point }), () => []).push({ ts, value });
  }
  return [...lines].flatMap(([series, line]) => {
    if (line.every(({ value }) => value === null)) return [];
    // Bars have no time scale, so every slot needs a point, with or without a value.
    if (label !== null) return line.map((point) => ({ series, ...point, label: label(point.ts) }));
    return withBreaks(line).map((point) => ({ series, ...point }));
  });
}

type Line = { readonly ts: number; readonly value: number | null }[];

/**
 * Interrupts the line where values are missing: at a distance of more than one and a half times the shortest one of the line,
 * because the slots of a channel can be longer than those of the series (hourly gas besides power per minute).
 */
function withBreaks(line: Line): Line {
  const known = line.filter(({ value }) => value !== null);
  let step = Infinity;
  let last: number | null = null;
  for (const { ts } of known) {
    if (last !== null && ts > last) step = Math.min(step, ts - last);
    last = ts;
  }
  const drawn: Line = [];
  for (const point of known) {
    const before = drawn.at(-1);
    if (before !== undefined && point.ts - before.ts > step * 1.5) drawn.push({ ts: before.ts + step, value: null });
    drawn.push(point);
  }
  return drawn;
}
