/** The dialog of the totals node. */
import { date } from '../lib/editor/checks';
import { periodTypes, saveNumber, typedField } from '../lib/editor/fields';
import { intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { periodWords } from '../lib/shared-config';
import { meterName, meterValidators, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm } from '../lib/editor/open-form';
import { typedValidator } from '../lib/editor/validators';
import { type TotalsConfig, totalsDefaults } from './config';

const type = 'cemm-totals';
const form = openForm('node-input');
const meter = meterValidators<TotalsConfig>(type, form, false);

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
    date: { value: totalsDefaults.date, validate: typedValidator(type, form, 'date', date, periodWords) },
    dateType: { value: totalsDefaults.dateType },
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
    typedField('date', periodTypes({ current: this._('day.current'), previous: this._('day.previous') }));
    prepareIntervalField(type);
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
