/**
 * Format `chart`: what the ui-chart of Dashboard 2 takes for several lines in one message (read from its 1.31.0): an array
 * of points, with Series `series`, X `ts` and Y `value`, each a key of the point; and `msg.action`, which goes before what
 * is set in the chart.
 *
 * A series replaces what is drawn; one that begins within its period (only new samples) or continues a range is appended,
 * and so are readings. So that the lines of several meters can be in one chart, the newest series of each meter is
 * remembered and sent along as long as it is about the same period.
 */
import { meterName, monitorName, topicOf } from '../model/identity';
import type { Payload, SeriesPayload } from '../model/payload';
import { dataPointName, dataPointsOf, type DataPoint, type DataPoints } from './data-points';
import type { Formatted } from './formatter';

export interface ChartPoint {
  readonly series: string;
  /** Epoch ms. */
  readonly ts: number;
  /** Null breaks the line: there are values missing after the point before it. */
  readonly value: number | null;
}

/** A chart has one y axis, so it gets the values of one unit: the first of these that the payload has. */
const UNITS: readonly (string | null)[] = ['W', 'kW', 'kWh', 'm³', 'L/min', 'V'];

/** Meters of all monitors whose lines are kept; the one that came first goes first. */
const MOST_LINES = 100;

interface Lines {
  readonly period: string;
  readonly points: readonly ChartPoint[];
}

/** `position`: place of the payload in a sequence of messages (`msg.parts.index`), 0 where it is alone. */
export type Chart = (payload: Payload, position: number) => Formatted[];

/** Charts with a memory of their own. Each call gives one message, or none where there is nothing to draw. */
export function createChart(): Chart {
  const remembered = new Map<string, Lines>();

  function remember(meter: string, lines: Lines): void {
    for (const [other, { period }] of remembered) if (period !== lines.period) remembered.delete(other);
    remembered.set(meter, lines);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_LINES && oldest !== undefined) remembered.delete(oldest);
  }

  /** The points as they are to be drawn: added to what is there, or anew with the lines of the other meters. */
  function drawn(payload: SeriesPayload, points: readonly ChartPoint[], position: number): Drawing {
    const { unit, label, start } = payload.period;
    const period = `${unit} ${label}`;
    const meter = JSON.stringify([monitorName(payload.monitor), meterName(payload.meter), payload.channel?.key]);
    const before = remembered.get(meter);
    const isContinued = position > 0 || (payload.points[0]?.ts ?? start) > start;
    // The later periods of a range, which are not remembered: they are drawn once.
    if (isContinued && before?.period !== period) return { action: 'append', points };
    remember(meter, { period, points: isContinued ? [...(before?.points ?? []), ...points] : points });
    if (isContinued) return { action: 'append', points };
    // In an order of their own, for Dashboard 2 gives out its colours in the order of the lines.
    const sorted = [...remembered].sort(([a], [b]) => (a < b ? -1 : 1));
    return { action: 'replace', points: sorted.flatMap(([, lines]) => lines.points) };
  }

  return (payload, position) => {
    const dataPoints = dataPointsOf(payload);
    const points = linesOf(dataPoints);
    const drawing: Drawing =
      payload.kind === 'series'
        ? drawn(payload, points, position)
        : { action: dataPoints.about === 'series' ? 'replace' : 'append', points };
    // Without points Dashboard 2 clears the chart, whatever the action says.
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
  const unit = UNITS.find((candidate) => units.has(candidate)) ?? first;
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
 * What `this/…` says is about a window that still runs: over and over another value at the same place. And the counter
 * beside the amounts of a series would leave nothing of them to see.
 */
function isDrawn({ topic, field }: DataPoint): boolean {
  return !topic?.startsWith('this/') && !field.endsWith('_reading_m3');
}

/**
 * The line, broken where values are missing. The slots of a channel may be coarser than those of the series (hourly gas
 * beside power per minute), so a gap is what is clearly longer than the shortest step; months differ by a tenth.
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
