/** The dialog of the totals node. */
import { date } from '../lib/editor/checks';
import { showGeneration } from '../lib/editor/connection-form';
import { periodTypes, saveNumber, typedField } from '../lib/editor/fields';
import { intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { periodWords } from '../lib/shared-config';
import { meterName, meterValidators, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm, textFrom } from '../lib/editor/open-form';
import type { EditorNode } from '../lib/editor/red';
import { sentenceOf, typedValidator } from '../lib/editor/validators';
import { readDate } from '../../src/limits';
import { type TotalsConfig, totalsDefaults } from './config';

const type = 'cemm-totals';
const form = openForm('node-input');
const meter = meterValidators<TotalsConfig>(type, form, false, 'check.public');

/** Only the service keeps meter readings of earlier days. */
function keepsDays(node: EditorNode<TotalsConfig>): boolean {
  const mode = textFrom(RED.nodes.node(form.textOf(node, 'connection'))?.['mode']);
  return mode !== 'local' && mode !== 'demo';
}

/** Not the day before yesterday or earlier, wherever the house is. */
function isRecent(written: string): boolean {
  const found = readDate(written);
  return typeof found === 'string' || found.localMs > Date.now() - 48 * 3_600_000;
}

const day = typedValidator<TotalsConfig>(
  type,
  form,
  'date',
  (written, node) => {
    const result = date(written);
    return result !== true || isRecent(written) || keepsDays(node) ? result : { key: 'check.todayOnly' };
  },
  periodWords,
);

RED.nodes.registerType<TotalsConfig>('cemm-totals', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-totals.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: totalsDefaults.name },
    connection: { value: totalsDefaults.connection, type: 'cemm-connection', validate: meter.connection },
    monitor: { value: totalsDefaults.monitor, validate: meter.monitor },
    monitorType: { value: totalsDefaults.monitorType },
    alias: { value: totalsDefaults.alias, validate: meter.alias },
    aliasType: { value: totalsDefaults.aliasType },
    role: { value: totalsDefaults.role },
    interval: {
      value: totalsDefaults.interval,
      validate: intervalValidator(type, form, () => ['monitor', 'alias', 'date']),
    },
    date: {
      value: totalsDefaults.date,
      validate(value, options) {
        const isYesterday = form.textOf(this, 'dateType') === 'previous';
        if (isYesterday && !keepsDays(this)) return sentenceOf(type, { key: 'check.todayOnly' }, options.label);
        return day.call(this, value, options);
      },
    },
    dateType: { value: totalsDefaults.dateType },
    version: { value: totalsDefaults.version },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    return this.name || this._('label', { meter: meterName(this) }).trim();
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  inputLabels() {
    return this._('port.input');
  },
  outputLabels() {
    return this._('port.readings');
  },
  oneditprepare() {
    form.open(this);
    prepareMeterSection(type);
    showGeneration();
    typedField('date', periodTypes({ current: this._('day.current'), previous: this._('day.previous') }));
    prepareIntervalField(type);
    // Which days there are, depends on the connection.
    $('#node-input-connection').on('change', () => {
      $('#node-input-date').trigger('change');
    });
    prepareDashboardButtons(this);
  },
  oneditsave() {
    form.close();
    saveNumber(this, 'interval', '#node-input-interval');
  },
  oneditcancel() {
    form.close();
  },
});
