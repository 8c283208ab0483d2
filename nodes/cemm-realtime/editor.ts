/** The dialog of the node that reads current values. */
import { showGeneration } from '../lib/editor/connection-form';
import { saveNumber } from '../lib/editor/fields';
import { intervalValidator, prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, meterValidators, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import { openForm } from '../lib/editor/open-form';
import { proposedIntervals, realtimeDefaults, type RealtimeConfig } from './config';

const type = 'cemm-realtime';
const form = openForm('node-input');
const meter = meterValidators<RealtimeConfig>(type, form, true, 'check.public');

RED.nodes.registerType<RealtimeConfig>('cemm-realtime', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-realtime.svg',
  inputs: 1,
  outputs: 2,
  defaults: {
    name: { value: realtimeDefaults.name },
    connection: { value: realtimeDefaults.connection, type: 'cemm-connection', validate: meter.connection },
    monitor: { value: realtimeDefaults.monitor, validate: meter.monitor },
    monitorType: { value: realtimeDefaults.monitorType },
    alias: { value: realtimeDefaults.alias, validate: meter.alias },
    aliasType: { value: realtimeDefaults.aliasType },
    role: { value: realtimeDefaults.role },
    interval: {
      value: realtimeDefaults.interval,
      validate: intervalValidator(type, form, () => ['monitor', 'alias']),
    },
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
    saveNumber(this, 'interval', '#node-input-interval');
  },
  oneditcancel() {
    form.close();
  },
});
