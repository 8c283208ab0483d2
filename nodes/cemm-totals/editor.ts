/** The dialog of the totals node. */
import { alias, mac } from '../lib/editor/checks';
import { showGeneration } from '../lib/editor/connection-form';
import { periodTypes, saveForm, typedField } from '../lib/editor/fields';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm } from '../lib/editor/open-form';
import { ruleValidators } from '../lib/editor/rule-validators';
import { type TotalsConfig, totalsDefaults, totalsFields } from './config';
import { day } from './day-check';

const type = 'cemm-totals';
const form = openForm('node-input', totalsDefaults);
const ruled = ruleValidators<TotalsConfig>(type, form, totalsFields(), { mac, alias, day });

RED.nodes.registerType<TotalsConfig>('cemm-totals', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-totals.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: totalsDefaults.name },
    connection: { value: totalsDefaults.connection, type: 'cemm-connection', validate: ruled('connection') },
    monitor: { value: totalsDefaults.monitor, validate: ruled('monitor') },
    monitorType: { value: totalsDefaults.monitorType },
    alias: { value: totalsDefaults.alias, validate: ruled('alias') },
    aliasType: { value: totalsDefaults.aliasType },
    role: { value: totalsDefaults.role },
    interval: { value: totalsDefaults.interval, validate: ruled('interval') },
    date: { value: totalsDefaults.date, validate: ruled('date') },
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
    // The available days depend on the connection.
    $('#node-input-connection').on('change', () => {
      $('#node-input-date').trigger('change');
    });
    prepareDashboardButtons(this);
  },
  oneditsave() {
    form.close();
    saveForm(this, 'node-input', totalsDefaults);
  },
  oneditcancel() {
    form.close();
  },
});
