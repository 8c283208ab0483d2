/** The dialog of the series node: the date fields follow the span. */
import { saveForm, typedField } from '../lib/editor/fields';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, prepareMeterSection } from '../lib/editor/meter-section';
import { isPublic, showGeneration } from '../lib/editor/connection-form';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm } from '../lib/editor/open-form';
import { periodChoices, prepareSpan } from '../lib/editor/span-section';
import { catalogueOf } from '../lib/editor/catalogue';
import { ruleValidators } from '../lib/editor/rule-validators';
import { alias, date, end, mac } from '../lib/editor/checks';
import { migrated } from '../lib/migrate';
import { channelChecks } from './channel-checks';
import { prepareChannelPicks } from './editor-channels';
import {
  knownIncludes,
  knownResolutions,
  type SeriesConfig,
  seriesDefaults,
  seriesFields,
  seriesPeriods,
} from './config';

const type = 'cemm-series';
const text = catalogueOf(type);
const form = openForm('node-input', seriesDefaults);
const checks = { ...{ mac, alias, date, end }, ...channelChecks };
const ruled = ruleValidators<SeriesConfig>(type, form, seriesFields(), checks);

function suggest(selector: string, words: readonly string[]): void {
  $(selector).autoComplete({ search: () => words.map((word) => ({ value: word, label: word })) });
}

RED.nodes.registerType<SeriesConfig>('cemm-series', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-series.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: seriesDefaults.name },
    connection: { value: seriesDefaults.connection, type: 'cemm-connection', validate: ruled('connection') },
    monitor: { value: seriesDefaults.monitor, validate: ruled('monitor') },
    monitorType: { value: seriesDefaults.monitorType },
    alias: { value: seriesDefaults.alias, validate: ruled('alias') },
    aliasType: { value: seriesDefaults.aliasType },
    role: { value: seriesDefaults.role },
    interval: { value: seriesDefaults.interval, validate: ruled('interval') },
    period: { value: seriesDefaults.period, validate: ruled('period') },
    periodType: { value: seriesDefaults.periodType },
    span: { value: seriesDefaults.span },
    date: { value: seriesDefaults.date, validate: ruled('date') },
    dateType: { value: seriesDefaults.dateType },
    from: { value: seriesDefaults.from, validate: ruled('from') },
    fromType: { value: seriesDefaults.fromType },
    to: { value: seriesDefaults.to, validate: ruled('to') },
    toType: { value: seriesDefaults.toType },
    meter: { value: seriesDefaults.meter, validate: ruled('meter') },
    meterType: { value: seriesDefaults.meterType },
    channel: { value: seriesDefaults.channel, validate: ruled('channel') },
    channelType: { value: seriesDefaults.channelType },
    resolution: { value: seriesDefaults.resolution, validate: ruled('resolution') },
    count: { value: seriesDefaults.count, validate: ruled('count') },
    include: { value: seriesDefaults.include, validate: ruled('include') },
    version: { value: seriesDefaults.version },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    const { name, connection, period, periodType, channel, channelType } = migrated(seriesDefaults, this);
    if (name !== '') return name;
    if (!isPublic(connection)) {
      const unit = periodType === 'str' ? seriesPeriods.find((known) => known === period) : undefined;
      return this._(`label.${unit ?? 'any'}`, { meter: meterName(this) }).trim();
    }
    return this._('label.recent', { meter: channelType === 'str' ? channel : '' }).trim();
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
    saveForm(this, 'node-input', seriesDefaults);
  },
  oneditcancel() {
    form.close();
  },
});
