/** Properties of a Dashboard 2 (1.31.0) chart and gauge that match the node in front of them. */
import { colours } from '../../colours';
import { own } from '../../stored/field-rules';
import { type CatalogueText, titleOfField } from '../catalogue';
import { type Quantity, quantityOfField, usualQuantity } from './quantities';
import { formatType, readerOf, type Subject, subjectOf } from './subject';
import { textFrom } from '../open-form';
import type { AnyNode } from '../red';

export interface Widget {
  /** Properties of the format node in front of the widget; null if none is needed. */
  readonly format: Readonly<Record<string, unknown>> | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** For lines that stand for nothing with a colour of its own. */
const others = ['#0095ff', '#a347e1', '#d62728', '#2ca02c', '#ff9896', '#c5b0d5'];

/** In the order of the lines. */
const linesOf: Readonly<Record<string, readonly string[]>> & { readonly grid: readonly string[] } = {
  grid: [colours.import, colours.export, colours.production],
  production: [colours.production, colours.import, colours.export],
  house: [colours.import, colours.production, colours.export],
};

/** The keys match the format `chart`; its messages say if they replace the points or are added. */
export function buildChart(source: AnyNode, text: CatalogueText): Widget {
  const subject = subjectOf(readerOf(source));
  const { hasBars, isStacked, role } = subject;
  const [limit, unit] = limitOf(subject.hours);
  return {
    format: source.type === formatType ? null : { name: '', format: 'chart', fields: '' },
    properties: {
      name: '',
      label: makeWidgetTitle(subject, text),
      chartType: hasBars ? 'bar' : 'line',
      category: 'series',
      categoryType: 'property',
      // A blank name reserves room for the labels of the axis, which the chart would cut off.
      xAxisLabel: ' ',
      xAxisProperty: hasBars ? 'label' : 'ts',
      xAxisPropertyType: 'property',
      xAxisType: hasBars ? 'category' : 'time',
      yAxisLabel: usualQuantity(subject).units,
      yAxisProperty: 'value',
      yAxisPropertyType: 'property',
      // Otherwise the smallest bar has no height.
      ymin: hasBars && !isStacked && !subject.canExport && role !== 'battery' ? '0' : '',
      action: subject.kind === 'slots' ? 'replace' : 'append',
      stackSeries: isStacked,
      // The first reading is a line with one point.
      pointShape: subject.kind === 'slots' ? 'false' : 'circle',
      pointRadius: subject.kind === 'slots' ? 0 : 3,
      showLegend: true,
      removeOlder: limit,
      removeOlderUnit: unit,
      colors: [...(own(linesOf, role ?? 'grid') ?? linesOf.grid), ...others],
    },
  };
}

/** Number and unit (in seconds) of the chart's dialog. 0: no limit. */
function limitOf(hours: number): [limit: string, unit: string] {
  return hours % 24 === 0 && hours > 0 ? [String(hours / 24), '86400'] : [String(hours), '3600'];
}

/**
 * A gauge shows the last value of a series in a day, and the sum in a month or a year; of a house, the balance; of a reading,
 * the usual value.
 */
export function gaugeOf(source: AnyNode, text: CatalogueText): Widget {
  const subject = subjectOf(readerOf(source));
  const isFormat = source.type === formatType;
  const quantity = quantityOf(source, subject);
  const { field } = quantity;
  const title = isFormat || subject.kind === 'readings' ? titleOfField(field) : makeWidgetTitle(subject, text);
  const isSigned = canBeNegative(subject, field);
  const properties = (path: string): object => ({
    ...gauge(quantity, title, isSigned),
    value: buildRoundExpression(path, quantity, isSigned),
    valueType: 'jsonata',
  });
  if (!isFormat && subject.role === 'house') {
    return { format: null, properties: { ...properties(`payload.values.${field}`) } };
  }
  if (!isFormat && subject.kind === 'slots') {
    const path = subject.hasBars ? `$sum(payload.points.${field})` : `payload.points[${field} != null][-1].${field}`;
    return { format: null, properties: { ...properties(path) } };
  }
  const format = isFormat ? null : { name: '', format: 'values', fields: field };
  return { format, properties: { ...properties(`payload.${field}`) } };
}

const digits: Readonly<Record<string, number>> = { W: 0, kWh: 1, 'm³': 2, 'L/min': 1 };

/** A JSONata expression. An inverter uses a few watts at night, which a gauge shows as 0. */
function buildRoundExpression(path: string, { units, isCounter }: Quantity, isSigned: boolean): string {
  const value = `$round($v, ${own(digits, units) ?? 2})`;
  return `($v := ${path}; $v != null ? ${isCounter || isSigned ? value : `$max([0, ${value}])`} : null)`;
}

/** Roles whose `power_w` has one direction. */
const oneWay = ['production', 'consumption'];

/** True for a battery, for the power of a meter of the grid, and for the net import of a month. */
function canBeNegative({ hasBars, canExport, role }: Subject, field: string): boolean {
  if (role === 'battery' || (field === 'power_w' && !oneWay.includes(role ?? ''))) return true;
  return hasBars && canExport && role !== 'house';
}

function quantityOf(source: AnyNode, subject: Subject): Quantity {
  const [chosen = ''] = source.type === formatType ? textFrom(source['fields']).split(/[\s,;]+/) : [];
  return chosen === '' ? usualQuantity(subject) : quantityOfField(chosen);
}

function gauge({ field, units, max, isCounter }: Quantity, title: string, isSigned: boolean): Record<string, unknown> {
  const color = colorOf(field);
  const common = { name: '', units, max, min: isSigned && isCounter !== true ? -max : 0 };
  if (isCounter) {
    const segments = [{ from: '0', color, text: '', textType: 'value' }];
    return { ...common, title: `${title} (${units})`, gtype: 'gauge-tile', alwaysShowTitle: true, segments };
  }
  const segments = [{ from: String(common.min), color }];
  return {
    ...common,
    title,
    gtype: 'gauge-half',
    gstyle: 'rounded',
    segments,
    sizeThickness: 20,
    sizeKeyThickness: 0,
  };
}

function colorOf(field: string): string {
  if (field.includes('production')) return colours.production;
  return field.includes('export') ? colours.export : colours.import;
}

function makeWidgetTitle({ role, alias, when }: Subject, text: CatalogueText): string {
  const what = role === null ? alias : text(`form.picks.role.${role}`);
  const period = text(`form.dashboard.when.${when}`);
  const title = what === '' ? period : text('form.dashboard.title', { what, when: period });
  return title.charAt(0).toUpperCase() + title.slice(1);
}
