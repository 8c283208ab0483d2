/** The dialog of the series node: the date fields follow the span. */
import { saveNumber, saveVersion, typedField } from '../lib/editor/fields';
import { intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, meterValidators, prepareMeterSection } from '../lib/editor/meter-section';
import { isPublic, showGeneration } from '../lib/editor/connection-form';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm } from '../lib/editor/open-form';
import type { EditorNode, Validator } from '../lib/editor/red';
import { datesInUse, periodChoices, prepareSpan, spanValidators } from '../lib/editor/span-section';
import { catalogueOf } from '../lib/editor/catalogue';
import { textValidator, typedValidator } from '../lib/editor/validators';
import { channelChecks } from './channel-checks';
import { prepareChannelPicks } from './editor-channels';
import { knownIncludes, knownResolutions, type SeriesConfig, seriesDefaults, seriesPeriods } from './config';
import { migrations } from './migrations';

const type = 'cemm-series';
const text = catalogueOf(type);
const form = openForm('node-input');
const meter = meterValidators<SeriesConfig>(type, form, false, null);
const dates = spanValidators<SeriesConfig>(type, form, (node) => !isPublic(form.textOf(node, 'connection')));

/** A flow of an older release has none. */
function typeOfPeriod(node: Partial<SeriesConfig>): string {
  return node.periodType ?? 'str';
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

function typedInUse(node: EditorNode<SeriesConfig>): string[] {
  if (isPublic(form.textOf(node, 'connection'))) return ['monitor', 'meter', 'channel'];
  return ['monitor', 'alias', 'period', ...datesInUse(form, node)];
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
    date: { value: seriesDefaults.date, validate: dates.date },
    dateType: { value: seriesDefaults.dateType },
    from: { value: seriesDefaults.from, validate: dates.from },
    fromType: { value: seriesDefaults.fromType },
    to: { value: seriesDefaults.to, validate: dates.to },
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
    version: { value: seriesDefaults.version },
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
    typedField('period', periodChoices(this, { day: this._('period.day') }));
    prepareSpan(this);
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
    saveVersion(this, 'node-input', seriesDefaults, migrations);
  },
  oneditcancel() {
    form.close();
  },
});
