/** The dialog of the node that reads current values. */
import { showGeneration } from '../lib/editor/connection-form';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard/buttons';
import { openForm } from '../lib/editor/open-form';
import { alias, mac } from '../lib/editor/checks';
import { dialogOf } from '../lib/editor/dialog';
import { proposedIntervals, realtimeDefaults, type RealtimeConfig, realtimeFields } from './config';

const type = 'cemm-realtime';
const form = openForm('node-input', realtimeDefaults);
const dialog = dialogOf(type, {
  form,
  defaults: realtimeDefaults,
  rules: realtimeFields,
  outputs: ['port.readings', 'port.availability'],
  checks: { mac, alias },
});

RED.nodes.registerType<RealtimeConfig>('cemm-realtime', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-realtime.svg',
  inputs: 1,
  outputs: 2,
  ...dialog,
  label() {
    return this.name || this._('label', { meter: meterName(this) }).trim();
  },
  oneditprepare() {
    form.open(this);
    prepareMeterSection(type);
    showGeneration();
    prepareIntervalField(type, { initial: realtimeDefaults.interval, proposed: proposedIntervals });
    prepareDashboardButtons(this);
  },
});
