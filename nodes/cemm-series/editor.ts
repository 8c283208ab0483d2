/** The dialog of the series node: the date fields follow the span. */
import { type PeriodWord, periodWords } from '../lib/shared-config';
import { leaveAbsent, periodTypes, saveNumber, setPlaceholder, typedField } from '../lib/editor/fields';
import { intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { date, endIsBeforeStart } from '../lib/editor/checks';
import { meterName, meterValidators, prepareMeterSection } from '../lib/editor/meter-section';
import { isPublic, showGeneration } from '../lib/editor/connection-form';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm, textFrom } from '../lib/editor/open-form';
import type { EditorNode, TypedInputType, Validator } from '../lib/editor/red';
import { catalogueOf } from '../lib/editor/catalogue';
import { textValidator, typedValidator } from '../lib/editor/validators';
import { channelChecks } from './channel-checks';
import { prepareChannelPicks } from './editor-channels';
import {
  knownIncludes,
  knownResolutions,
  type SeriesConfig,
  seriesDefaults,
  seriesPeriods,
  type SeriesSpan,
} from './config';

const type = 'cemm-series';
const text = catalogueOf(type);
const form = openForm('node-input');
const meter = meterValidators<SeriesConfig>(type, form, false, null);
/** How a day, a month or a year is written. */
const exampleDates = { day: '2026-10-25', month: '2026-10', year: '2026' } as const;
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

/** A period is chosen from a list, or taken from where the other typed inputs take theirs. */
function unitTypes(node: EditorNode<SeriesConfig>): TypedInputType[] {
  const options = seriesPeriods.map((period) => ({ value: period, label: node._(`period.${period}`) }));
  return [{ value: 'str', label: node._('field.period'), icon: 'fa fa-calendar-o', showLabel: false, options }];
}

/** A flow of an older release has none. */
function typeOfPeriod(node: Partial<SeriesConfig>): string {
  return node.periodType ?? 'str';
}

function periodLabels(node: EditorNode<SeriesConfig>): TypedInputType[] {
  const labels: Record<PeriodWord, string> = { current: node._('word.current'), previous: node._('word.previous') };
  return periodTypes(labels);
}

/** What the other generation of monitors is asked by is out of sight and out of use. */
function ofOpen(validator: Validator<SeriesConfig>): Validator<SeriesConfig> {
  return function (value, options) {
    return isPublic(form.textOf(this, 'connection')) || validator.call(this, value, options);
  };
}

function ofPublic(validator: Validator<SeriesConfig>): Validator<SeriesConfig> {
  return function (value, options) {
    return !isPublic(form.textOf(this, 'connection')) || validator.call(this, value, options);
  };
}

function suggest(selector: string, words: readonly string[]): void {
  $(selector).autoComplete({ search: () => words.map((word) => ({ value: word, label: word })) });
}

const datesOf: Record<string, readonly string[]> = { one: ['date'], range: ['from', 'to'], new: [] };

function typedInUse(node: EditorNode<SeriesConfig>): string[] {
  if (isPublic(form.textOf(node, 'connection'))) return ['monitor', 'meter', 'channel'];
  return ['monitor', 'alias', 'period', ...(datesOf[form.textOf(node, 'span')] ?? [])];
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
    alias: { value: seriesDefaults.alias, validate: ofOpen(meter.alias) },
    aliasType: { value: seriesDefaults.aliasType },
    role: { value: seriesDefaults.role },
    interval: {
      value: seriesDefaults.interval,
      validate: intervalValidator(type, form, typedInUse),
    },
    period: { value: seriesDefaults.period, validate: ofOpen(typedValidator(type, form, 'period', () => true)) },
    periodType: { value: seriesDefaults.periodType },
    span: { value: seriesDefaults.span },
    date: { value: seriesDefaults.date, validate: ofOpen(dateOf('one', 'date')) },
    dateType: { value: seriesDefaults.dateType },
    from: { value: seriesDefaults.from, validate: ofOpen(dateOf('range', 'from')) },
    fromType: { value: seriesDefaults.fromType },
    to: {
      value: seriesDefaults.to,
      validate: ofOpen(function (value, options) {
        const result = endOfRange.call(this, value, options);
        if (result !== true || form.textOf(this, 'span') !== 'range') return result;
        const from = { type: form.textOf(this, 'fromType'), text: form.textOf(this, 'from') };
        const to = { type: form.textOf(this, 'toType'), text: textFrom(value) };
        return endIsBeforeStart(from, to) ? text('check.endBeforeStart') : true;
      }),
    },
    toType: { value: seriesDefaults.toType },
    meter: {
      value: seriesDefaults.meter,
      validate: ofPublic(typedValidator(type, form, 'meter', channelChecks.meter)),
    },
    meterType: { value: seriesDefaults.meterType },
    channel: {
      value: seriesDefaults.channel,
      validate: ofPublic(typedValidator(type, form, 'channel', channelChecks.channel)),
    },
    channelType: { value: seriesDefaults.channelType },
    resolution: { value: seriesDefaults.resolution, validate: ofPublic(textValidator(type, channelChecks.resolution)) },
    count: { value: seriesDefaults.count, validate: ofPublic(textValidator(type, channelChecks.count)) },
    include: { value: seriesDefaults.include, validate: ofPublic(textValidator(type, channelChecks.include)) },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    if (this.name !== '') return this.name;
    if (!isPublic(this.connection)) {
      const unit = typeOfPeriod(this) === 'str' ? seriesPeriods.find((known) => known === this.period) : undefined;
      return this._(`label.${unit ?? 'any'}`, { meter: meterName(this) }).trim();
    }
    return this._('label.recent', { meter: this.channelType === 'str' ? this.channel : '' }).trim();
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
    typedField('period', unitTypes(this));
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
    prepareIntervalField(type);
    typedField('meter');
    typedField('channel');
    suggest('#node-input-resolution', knownResolutions);
    suggest('#node-input-include', knownIncludes);
    showGeneration();
    prepareChannelPicks(text);
    prepareDashboardButtons(this);
  },
  oneditsave() {
    form.close();
    saveNumber(this, 'interval', '#node-input-interval');
    saveNumber(this, 'count', '#node-input-count');
    leaveAbsent(this, 'periodType', '#node-input-periodType', seriesDefaults.periodType);
  },
  oneditcancel() {
    form.close();
  },
});
