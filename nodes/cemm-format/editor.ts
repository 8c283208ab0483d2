/** The dialog of the format node. */
import { catalogueOf } from '../lib/editor/catalogue';
import { prepareDashboardButtons } from '../lib/editor/dashboard-buttons';
import * as checks from '../lib/editor/checks';
import { saveNumber, saveForm } from '../lib/editor/fields';
import { fillIn, textFrom } from '../lib/editor/open-form';
import { textValidator } from '../lib/editor/validators';
import { migrated } from '../lib/migrate';
import { numberBetween } from '../lib/field-rules';
import { formats } from '../../src/limits';
import { expireSeconds, formatDefaults, type FormatConfig } from './config';
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
      validate: textValidator('cemm-format', checks.optional(numberBetween(expireSeconds.min, expireSeconds.max))),
    },
    fetchButton: { value: formatDefaults.fetchButton },
    version: { value: formatDefaults.version },
  },
  paletteLabel() {
    return this._('palette');
  },
  label() {
    const { name, format } = migrated(formatDefaults, this);
    return name || this._(`label.${format}`);
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
    fillIn('node-input', this, formatDefaults);
    const choice = $('#node-input-format');
    choice.on('change', () => {
      const format = textFrom(choice.val());
      for (const known of formats) $(`.cemm-format-${known}`).toggle(known === format);
      // This format has the fixed fields of a P1 meter.
      $('#cemm-format-fields').toggle(format !== 'homewizard');
      // Only these two formats are for a dashboard.
      $('#cemm-add-chart').toggle(format === 'chart');
      $('#cemm-add-gauge').toggle(format === 'values');
      $('#cemm-format-dashboard').toggle(format === 'chart' || format === 'values');
    });
    prepareFieldPicks(catalogueOf('cemm-format'));
    prepareDashboardButtons(this);
  },
  oneditsave() {
    saveNumber(this, 'expireAfter', $('#node-input-expireAfter'));
    saveForm(this, 'node-input', formatDefaults);
  },
});
