/** The properties of a chart and of a gauge of Dashboard 2 (1.31.0) that fit the node in front of them. */
import { catalogueOf, type CatalogueText } from './catalogue';
import { type Quantity, quantityOfField, usualQuantity } from './dashboard-quantities';
import { formatType, readerOf, type Subject, subjectOf } from './dashboard-subject';
import { textFrom } from './open-form';
import { listedMeters } from './pick-lists';
import type { AnyNode } from './red';

export interface Widget {
  /** Of the format node in front of the widget; null if none is needed. */
  readonly format: Readonly<Record<string, unknown>> | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

const colors = {
  import: '#d97706',
  export: '#0d9488',
  production: '#eab308',
  others: ['#0095ff', '#a347e1', '#d62728', '#2ca02c', '#ff9896', '#c5b0d5'],
} as const;

/** In the order of the lines. */
const linesOf: Readonly<Record<string, readonly string[]>> & { readonly grid: readonly string[] } = {
  grid: [colors.import, colors.export, colors.production],
  production: [colors.production, colors.import, colors.export],
  house: [colors.import, colors.production, colors.export],
};

/** The keys are those of the format `chart`; its messages say whether they replace the points or are added. */
export function chartOf(source: AnyNode, text: CatalogueText): Widget {
  const subject = subjectOf(readerOf(source));
  const { hasBars, isStacked, role } = subject;
  const [limit, unit] = limitOf(subject.hours);
  return {
    format: source.type === formatType ? null : { name: '', format: 'chart', fields: '' },
    properties: {
      name: '',
      label: titleOf(subject, text),
      chartType: hasBars ? 'bar' : 'line',
      category: 'series',
      categoryType: 'property',
      // A blank name leaves room for the labels of the axis, which the chart would cut off.
      xAxisLabel: ' ',
      xAxisProperty: hasBars ? 'label' : 'ts',
      xAxisPropertyType: 'property',
      xAxisType: hasBars ? 'category' : 'time',
      yAxisLabel: usualQuantity(subject).units,
      yAxisProperty: 'value',
      yAxisPropertyType: 'property',
      ymin: hasBars && !isStacked && !mayExport(role) ? '0' : '',
      action: subject.kind === 'slots' ? 'replace' : 'append',
      stackSeries: isStacked,
      pointShape: 'false',
      pointRadius: 0,
      showLegend: true,
      removeOlder: limit,
      removeOlderUnit: unit,
      colors: [...(linesOf[role ?? 'grid'] ?? linesOf.grid), ...colors.others],
    },
  };
}

/** Bars begin at 0, unless they can go below it: net import in a house with its own production. */
function mayExport(role: string | null): boolean {
  if (role !== null && role !== 'grid') return false;
  const meters = listedMeters();
  return meters.length === 0 || meters.some((meter) => meter.role === 'production');
}

/** Number and unit (in seconds) as the dialog of the chart has them. 0: no limit. */
function limitOf(hours: number): [limit: string, unit: string] {
  return hours % 24 === 0 && hours > 0 ? [String(hours / 24), '86400'] : [String(hours), '3600'];
}

/**
 * Of a series its last value in a day, and its sum in a month or a year. Of a house the balance itself. Of a reading the value
 * that a person looks for first.
 */
export function gaugeOf(source: AnyNode, text: CatalogueText): Widget {
  const subject = subjectOf(readerOf(source));
  const isFormat = source.type === formatType;
  const quantity = quantityOf(source, subject);
  const { field } = quantity;
  const title =
    isFormat || subject.kind === 'readings' ? catalogueOf(formatType)(`line.${field}`) : titleOf(subject, text);
  const ofValue = (value: string, valueType: 'msg' | 'jsonata'): object => ({
    ...gauge(quantity, title),
    value,
    valueType,
  });
  if (!isFormat && subject.role === 'house') {
    return { format: null, properties: { ...ofValue(`payload.values.${field}`, 'msg') } };
  }
  if (!isFormat && subject.kind === 'slots') {
    const value = subject.hasBars ? `$sum(payload.points.${field})` : `payload.points[${field} != null][-1].${field}`;
    return { format: null, properties: { ...ofValue(value, 'jsonata') } };
  }
  const format = isFormat ? null : { name: '', format: 'values', fields: field };
  return { format, properties: { ...ofValue(`payload.${field}`, 'msg') } };
}

function quantityOf(source: AnyNode, subject: Subject): Quantity {
  const [chosen = ''] = source.type === formatType ? textFrom(source['fields']).split(/[\s,;]+/) : [];
  return chosen === '' ? usualQuantity(subject) : quantityOfField(chosen);
}

function gauge({ field, units, max, isCounter }: Quantity, title: string): Record<string, unknown> {
  const color = field.includes('production')
    ? colors.production
    : field.includes('export')
      ? colors.export
      : colors.import;
  return {
    name: '',
    title,
    units,
    gtype: isCounter ? 'gauge-tile' : 'gauge-half',
    gstyle: 'rounded',
    min: 0,
    max,
    segments: [{ from: '0', color }],
    sizeThickness: 20,
    sizeKeyThickness: 0,
  };
}

function titleOf({ role, alias, when }: Subject, text: CatalogueText): string {
  const what = role === null ? alias : text(`form.picks.role.${role}`);
  const period = text(`form.dashboard.when.${when}`);
  const title = what === '' ? period : text('form.dashboard.title', { what, when: period });
  return title.charAt(0).toUpperCase() + title.slice(1);
}
