/** The properties of a chart and of a gauge of Dashboard 2 (1.31.0) that fit the node in front of them. */
import { catalogueOf, type CatalogueText } from './catalogue';
import { type Subject, subjectOf } from './dashboard-subject';
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

const formatType = 'cemm-format';

/** The keys are those of the format `chart`; its messages say whether they replace the points or are added. */
export function chartOf(source: AnyNode, text: CatalogueText): Widget {
  const subject = subjectOf(readerOf(source));
  const { hasBars, isStacked, role } = subject;
  const [limit, unit] = limitOf(subject.hours);
  const first = role === 'production' ? [colors.production, colors.import] : [colors.import, colors.production];
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
      colors: [first[0], colors.export, first[1], ...colors.others],
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

interface Quantity {
  readonly field: string;
  readonly units: string;
  readonly max: number;
  /** A counter has no end of its scale, so it is shown as a number. */
  readonly isCounter?: true;
}

type Quantities = Readonly<Record<string, Quantity>> & { readonly grid: Quantity };

const powers: Quantities = {
  production: { field: 'power_production_w', units: 'W', max: 6000 },
  consumption: { field: 'power_w', units: 'W', max: 4000 },
  gas: { field: 'gas_m3', units: 'm³', max: 99999, isCounter: true },
  water: { field: 'water_m3', units: 'm³', max: 99999, isCounter: true },
  grid: { field: 'power_import_w', units: 'W', max: 8000 },
};

const counters: Quantities = {
  production: { field: 'energy_production_kwh', units: 'kWh', max: 99999, isCounter: true },
  consumption: { field: 'energy_import_kwh', units: 'kWh', max: 99999, isCounter: true },
  gas: { field: 'gas_m3', units: 'm³', max: 99999, isCounter: true },
  water: { field: 'water_m3', units: 'm³', max: 99999, isCounter: true },
  grid: { field: 'energy_import_kwh', units: 'kWh', max: 99999, isCounter: true },
};

/** Of one slot of a series; a day is in watts, gas in litres per minute. */
const flows: Quantities = {
  ...powers,
  gas: { field: 'gas_lpm', units: 'L/min', max: 60 },
  water: { field: 'flow_lpm', units: 'L/min', max: 60 },
};

const amounts: Quantities = {
  production: { field: 'energy_net_kwh', units: 'kWh', max: 600 },
  consumption: { field: 'energy_net_kwh', units: 'kWh', max: 600 },
  gas: { field: 'gas_m3', units: 'm³', max: 300 },
  water: { field: 'water_m3', units: 'm³', max: 30 },
  grid: { field: 'energy_net_kwh', units: 'kWh', max: 600 },
};

/** Of a series: its last value in a day, its sum in a month or a year. Of a reading: the value that a person looks for. */
export function gaugeOf(source: AnyNode, text: CatalogueText): Widget {
  const subject = subjectOf(readerOf(source));
  const quantity = quantityOf(source, subject);
  const { field } = quantity;
  if (subject.kind === 'slots' && source.type !== formatType) {
    const value = subject.hasBars ? `$sum(payload.points.${field})` : `payload.points[${field} != null][-1].${field}`;
    const max = subject.when.startsWith('year') ? quantity.max * 10 : quantity.max;
    const title = titleOf(subject, text);
    return { format: null, properties: { ...gauge({ ...quantity, max }, title), value, valueType: 'jsonata' } };
  }
  const format = source.type === formatType ? null : { name: '', format: 'values', fields: field };
  const title = catalogueOf(formatType)(`line.${field}`);
  return { format, properties: { ...gauge(quantity, title), value: `payload.${field}`, valueType: 'msg' } };
}

function quantityOf(source: AnyNode, subject: Subject): Quantity {
  const [chosen = ''] = source.type === formatType ? textFrom(source['fields']).split(/[\s,;]+/) : [];
  if (chosen === '') return usualQuantity(subject);
  const known = [powers, counters].flatMap((table) => Object.values(table)).find(({ field }) => field === chosen);
  return known ?? { field: chosen, units: '', max: 99999, isCounter: true };
}

/** The value that a person looks for first on a meter of this role, or at the grid. */
function usualQuantity({ kind, hasBars, when, role }: Subject): Quantity {
  const all = kind === 'slots' ? (hasBars ? amounts : flows) : when === 'totals' ? counters : powers;
  return all[role ?? 'grid'] ?? all.grid;
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

/** The node whose values a format node gets; the node itself if it reads them. */
function readerOf(source: AnyNode): AnyNode {
  if (source.type !== formatType) return source;
  return RED.nodes.filterLinks({ target: { id: source.id } })[0]?.source ?? source;
}

function titleOf({ role, alias, when }: Subject, text: CatalogueText): string {
  const what = role === null ? alias : text(`form.picks.role.${role}`);
  const period = text(`form.dashboard.when.${when}`);
  const title = what === '' ? period : text('form.dashboard.title', { what, when: period });
  return title.charAt(0).toUpperCase() + title.slice(1);
}
