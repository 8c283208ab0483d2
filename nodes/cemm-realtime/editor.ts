/** The dialog of the node that reads current values. */
import { showGeneration } from '../lib/editor/connection-form';
import { saveForm } from '../lib/editor/fields';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm } from '../lib/editor/open-form';
import { alias, mac } from '../lib/editor/checks';
import { ruleValidators } from '../lib/editor/rule-validators';
import { proposedIntervals, realtimeDefaults, type RealtimeConfig, realtimeFields } from './config';

const type = 'cemm-realtime';
const form = openForm('node-input', realtimeDefaults);
const ruled = ruleValidators<RealtimeConfig>(type, form, realtimeFields(), { mac, alias });

RED.nodes.registerType<RealtimeConfig>('cemm-realtime', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-realtime.svg',
  inputs: 1,
  outputs: 2,
  defaults: {
    name: { value: realtimeDefaults.name },
    connection: { value: realtimeDefaults.connection, type: 'cemm-connection', validate: ruled('connection') },
    monitor: { value: realtimeDefaults.monitor, validate: ruled('monitor') },
    monitorType: { value: realtimeDefaults.monitorType },
    alias: { value: realtimeDefaults.alias, validate: ruled('alias') },
    aliasType: { value: realtimeDefaults.aliasType },
    role: { value: realtimeDefaults.role },
    interval: { value: realtimeDefaults.interval, validate: ruled('interval') },
    onlyChanges: { value: realtimeDefaults.onlyChanges },
    version: { value: realtimeDefaults.version },
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
  outputLabels(port) {
    return this._(port === 0 ? 'port.readings' : 'port.availability');
  },
  oneditprepare() {
    form.open(this);
    prepareMeterSection(type);
    showGeneration();
    prepareIntervalField(type, { initial: realtimeDefaults.interval, proposed: proposedIntervals });
    prepareDashboardButtons(this);
  },
  oneditsave() {
    form.close();
    saveForm(this, 'node-input', realtimeDefaults);
  },
  oneditcancel() {
    form.close();
  },
});
