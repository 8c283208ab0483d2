/** The dialog of the totals node. */
import { alias, mac } from '../lib/editor/checks';
import { showGeneration } from '../lib/editor/connection-form';
import { periodTypes, typedField } from '../lib/editor/fields';
import { prepareIntervalField } from '../lib/editor/interval-field';
import { meterName, prepareMeterSection } from '../lib/editor/meter-section';
import { prepareDashboardButtons } from '../lib/editor/dashboard/buttons';
import { openForm } from '../lib/editor/open-form';
import { dialogOf } from '../lib/editor/dialog';
import { type TotalsConfig, totalsDefaults, totalsFields } from './config';
import { day } from './day-check';

const type = 'cemm-totals';
const form = openForm('node-input', totalsDefaults);
const dialog = dialogOf(type, {
  form,
  defaults: totalsDefaults,
  rules: totalsFields,
  outputs: ['port.readings'],
  checks: { mac, alias, day },
});

RED.nodes.registerType<TotalsConfig>('cemm-totals', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-totals.svg',
  inputs: 1,
  outputs: 1,
  ...dialog,
  label() {
    return this.name || this._('label', { meter: meterName(this) }).trim();
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
});
