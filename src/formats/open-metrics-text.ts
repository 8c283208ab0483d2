/**
 * The text for Prometheus: OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/) or, for a client that does
 * not accept it, the text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
import { largest } from '../checks/extremes';

export interface Sample {
  readonly value: number;
  /** Unix ms; null: the moment of the scrape. */
  readonly ts: number | null;
}

export interface MetricFamily {
  /** `info`: describes other metrics by its labels. */
  readonly type: 'counter' | 'gauge' | 'info' | 'unknown';
  /** Unit at the end of the name, or null. */
  readonly unit: string | null;
  readonly help: string;
  /** Labels as `formatLabels` writes them → sample. */
  readonly samples: Map<string, Sample>;
}

/** Name without `_total` or `_info` → family. */
export type MetricFamilies = ReadonlyMap<string, MetricFamily>;

export interface Page {
  readonly contentType: string;
  readonly text: string;
}

const sampleEndings: Partial<Record<MetricFamily['type'], string>> = { counter: '_total', info: '_info' };
/** The older format has fewer types. */
const olderTypes: Partial<Record<MetricFamily['type'], string>> = { info: 'gauge', unknown: 'untyped' };

export function pageOf(families: MetricFamilies, accept: unknown): Page {
  const openMetrics = wantsOpenMetrics(accept);
  const lines: string[] = [];
  for (const [name, { type, unit, help, samples }] of families) {
    const sampleName = name + (sampleEndings[type] ?? '');
    // Only the older format describes a family by the name of its samples.
    const described = openMetrics ? name : sampleName;
    lines.push(`# TYPE ${described} ${openMetrics ? type : (olderTypes[type] ?? type)}`);
    if (openMetrics && unit !== null) lines.push(`# UNIT ${name} ${unit}`);
    lines.push(`# HELP ${described} ${help}`);
    for (const [labels, { value, ts }] of samples) {
      const at = ts === null ? '' : ` ${openMetrics ? ts / 1000 : Math.round(ts)}`;
      lines.push(`${sampleName}${labels} ${value}${at}`);
    }
  }
  if (openMetrics) lines.push('# EOF');
  const contentType = openMetrics ? 'application/openmetrics-text; version=1.0.0' : 'text/plain; version=0.0.4';
  return { contentType: `${contentType}; charset=utf-8`, text: lines.map((line) => `${line}\n`).join('') };
}

/** `{monitor="001a2b3c4d5e",meter="p1"}`, without labels that are null. */
export function formatLabels(labels: Readonly<Record<string, string | null>>): string {
  const known = Object.entries(labels).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`${name}="${escapeLabel(value)}"`],
  );
  return known.length === 0 ? '' : `{${known.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** True if the header `Accept` prefers OpenMetrics 1.0 to plain text. */
function wantsOpenMetrics(accept: unknown): boolean {
  const ranges = (typeof accept === 'string' ? accept : '').toLowerCase().split(',').map(parseMediaRange);
  const best = (type: string): number =>
    Math.max(0, largest(ranges.filter((range) => range.type === type).map(({ quality }) => quality)));
  const asked = best('application/openmetrics-text');
  return asked > 0 && asked >= best('text/plain');
}

interface MediaRange {
  readonly type: string;
  /** 0 to 1; 0 for versions other than 1.0. */
  readonly quality: number;
}

function parseMediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const named = new Map(
    parameters.map((parameter) => [parameter.split('=')[0]?.trim(), parameter.split('=')[1]?.trim()]),
  );
  const isOther = type === 'application/openmetrics-text' && !/^"?1\./.test(named.get('version') ?? '1.');
  const quality = Number(named.get('q') ?? 1);
  return { type, quality: isOther || Number.isNaN(quality) ? 0 : quality };
}
