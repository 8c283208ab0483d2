/** The dialog of the node that turns a payload into what a destination wants. */
import { catalogueOf } from '../lib/editor/catalogue';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import * as checks from '../lib/editor/checks';
import { leaveAbsent, saveNumber } from '../lib/editor/fields';
import { textFrom } from '../lib/editor/open-form';
import { textValidator } from '../lib/editor/validators';
import { expireSeconds, formatDefaults, formats, type FormatConfig } from './config';
import { prepareFieldPicks } from './editor-fields';

RED.nodes.registerType<FormatConfig>('cemm-format', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-format.svg',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: formatDefaults.name },
    format: { value: formatDefaults.format },
    fields: { value: formatDefaults.fields },
    expireAfter: {
      value: formatDefaults.expireAfter,
      validate: textValidator(
        'cemm-format',
        checks.optional(checks.numberBetween(expireSeconds.min, expireSeconds.max)),
      ),
    },
    fetchButton: { value: formatDefaults.fetchButton },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    return this.name || this._(`label.${this.format}`);
  },
  labelStyle() {
    return this.name === '' ? '' : 'node_label_italic';
  },
  inputLabels() {
    return this._('port.input');
  },
  outputLabels() {
    return this._('port.output');
  },
  oneditprepare() {
    const choice = $('#node-input-format');
    choice.on('change', () => {
      const format = textFrom(choice.val());
      for (const known of formats) $(`.cemm-format-${known}`).toggle(known === format);
      // Only these two formats are for a dashboard.
      $('#cemm-add-chart').toggle(format === 'chart');
      $('#cemm-add-gauge').toggle(format === 'values');
      $('#cemm-format-dashboard').toggle(format === 'chart' || format === 'values');
    });
    prepareFieldPicks(catalogueOf('cemm-format'));
    prepareDashboardButtons(this);
  },
  oneditsave() {
    saveNumber(this, 'expireAfter', '#node-input-expireAfter');
    for (const property of ['fields', 'expireAfter', 'fetchButton'] as const) {
      leaveAbsent(this, property, `#node-input-${property}`, String(formatDefaults[property]));
    }
  },
});
