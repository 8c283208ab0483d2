/** The dialog of the node that asks day, month and year series: the date fields follow the span. */
import type { PeriodWord } from '../shared/date-config';
import { date } from '../shared/editor/date-checks';
import { intervalValidator, prepareIntervalField } from '../shared/editor/interval-field';
import { meterName, meterValidators, prepareMeterSection } from '../shared/editor/meter-section';
import { saveNumber } from '../shared/editor/number-field';
import { openForm, textFrom } from '../shared/editor/open-form';
import { endIsBeforeStart, exampleDates, periodTypes, periodWords } from '../shared/editor/period-types';
import type { EditorNode, TypedInputType } from '../shared/editor/red';
import { catalogueOf } from '../shared/editor/text';
import { setPlaceholder, typedField } from '../shared/editor/typed-field';
import { typedValidator } from '../shared/editor/validators';
import { realtimeIntervals } from '../cemm-realtime/config';
import { seriesDefaults, seriesPeriods, type SeriesConfig, type SeriesSpan } from './config';

const type = 'cemm-series';
const text = catalogueOf(type);
const form = openForm('node-input');
const meter = meterValidators<SeriesConfig>(type, form, false);
const dateProperties = ['date', 'from', 'to'] as const;

/** A date of another span is out of sight and out of use. */
function dateOf(span: SeriesSpan, property: (typeof dateProperties)[number]) {
  return typedValidator<SeriesConfig>(
    type,
    form,
    property,
    (text, node) => (form.textOf(node, 'span') === span ? date(text) : true),
    periodWords,
  );
}

const endOfRange = dateOf('range', 'to');

function periodLabels(node: EditorNode<SeriesConfig>): TypedInputType[] {
  const labels: Record<PeriodWord, string> = { current: node._('word.current'), previous: node._('word.previous') };
  return periodTypes(labels);
}

const datesOf: Record<string, readonly string[]> = { one: ['date'], range: ['from', 'to'], new: [] };

function typedInUse(node: EditorNode<SeriesConfig>): string[] {
  return ['monitor', 'alias', ...(datesOf[form.textOf(node, 'span')] ?? [])];
}

RED.nodes.registerType<SeriesConfig>('cemm-series', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-series.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: seriesDefaults.name },
    connection: { value: seriesDefaults.connection, type: 'cemm-connection', validate: meter.connection },
    monitor: { value: seriesDefaults.monitor, validate: meter.monitor },
    monitorType: { value: seriesDefaults.monitorType },
    alias: { value: seriesDefaults.alias, validate: meter.alias },
    aliasType: { value: seriesDefaults.aliasType },
    role: { value: seriesDefaults.role },
    interval: {
      value: seriesDefaults.interval,
      validate: intervalValidator(type, form, realtimeIntervals, typedInUse),
    },
    period: { value: seriesDefaults.period },
    span: { value: seriesDefaults.span },
    date: { value: seriesDefaults.date, validate: dateOf('one', 'date') },
    dateType: { value: seriesDefaults.dateType },
    from: { value: seriesDefaults.from, validate: dateOf('range', 'from') },
    fromType: { value: seriesDefaults.fromType },
    to: {
      value: seriesDefaults.to,
      validate(value, options) {
        const verdict = endOfRange.call(this, value, options);
        if (verdict !== true || form.textOf(this, 'span') !== 'range') return verdict;
        const from = { type: form.textOf(this, 'fromType'), text: form.textOf(this, 'from') };
        const to = { type: form.textOf(this, 'toType'), text: textFrom(value) };
        return endIsBeforeStart(from, to) ? text('check.endBeforeStart') : true;
      },
    },
    toType: { value: seriesDefaults.toType },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    return this.name || this._(`label.${this.period}`, { meter: meterName(this) }).trim();
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  inputLabels() {
    return this._('port.input');
  },
  outputLabels() {
    return this._('port.series');
  },
  oneditprepare() {
    form.open(this);
    prepareMeterSection(type);
    for (const property of dateProperties) typedField(property, periodLabels(this));
    const period = $('#node-input-period');
    period.on('change', () => {
      const unit = seriesPeriods.find((candidate) => candidate === period.val()) ?? 'day';
      for (const property of dateProperties) setPlaceholder(property, exampleDates[unit]);
    });
    const span = $('#node-input-span');
    span.on('change', () => {
      $('.cemm-span').hide();
      $(`.cemm-span-${textFrom(span.val())}`).show();
    });
    prepareIntervalField(type, realtimeIntervals);
  },
  oneditsave() {
    form.close();
    saveNumber(this, 'interval', '#node-input-interval');
  },
  oneditcancel() {
    form.close();
  },
});
