/** The dialog of the format node. */
import { prepareDashboardButtons } from '../lib/editor/dashboard/buttons';
import { dialogOf } from '../lib/editor/dialog';
import { openForm, textFrom } from '../lib/editor/open-form';
import { migrated } from '../lib/stored/migrate';
import { formats } from '../../src/checks/limits';
import { formatDefaults, formatFields, type FormatConfig } from './config';
import { type FieldName, unitOfField } from '../../src/model/fields';
import { titleOfField } from '../lib/editor/catalogue';
import { prepareListPicks } from '../lib/editor/list-picks';

const type = 'cemm-format';
const form = openForm('node-input', formatDefaults);
const dialog = dialogOf(type, {
  form,
  defaults: formatDefaults,
  rules: formatFields,
  input: 'port.input',
  outputs: ['port.output'],
});

const withoutFields: readonly string[] = ['homewizard', 'prices', 'price-list'];

RED.nodes.registerType<FormatConfig>('cemm-format', {
  category: 'CEMM',
  color: '#3F9C86',
  icon: 'cemm-format.svg',
  inputs: 1,
  outputs: 1,
  ...dialog,
  label() {
    const { name, format } = migrated(formatDefaults, this);
    // A flow that was written by hand may name a format that there is not.
    const known = formats.find((one) => one === format) ?? formatDefaults.format;
    return name || this._(`label.${known}`);
  },
  oneditprepare() {
    form.open(this);
    const choice = $('#node-input-format');
    choice.on('change', () => {
      const format = textFrom(choice.val());
      for (const known of formats) $(`.cemm-format-${known}`).toggle(known === format);
      // These formats have fixed fields.
      $('#cemm-format-fields').toggle(!withoutFields.includes(format));
      // Only these two formats are for a dashboard.
      $('#cemm-add-chart').toggle(format === 'chart');
      $('#cemm-add-gauge').toggle(format === 'values');
      $('#cemm-format-dashboard').toggle(format === 'chart' || format === 'values');
    });
    prepareFieldPicks();
    prepareDashboardButtons(this);
  },
});

/** The most common ones. The names per tariff and phase are in docs/fields.md. */
const knownFields: readonly FieldName[] = [
  'power_import_w',
  'power_export_w',
  'power_production_w',
  'power_battery_w',
  'power_w',
  'energy_import_kwh',
  'energy_export_kwh',
  'energy_production_kwh',
  'energy_battery_charged_kwh',
  'energy_battery_discharged_kwh',
  'energy_net_kwh',
  'energy_import_t1_kwh',
  'energy_import_t2_kwh',
  'energy_export_t1_kwh',
  'energy_export_t2_kwh',
  'gas_m3',
  'water_m3',
];

/** Buttons with the known fields, which a click adds or removes. Any other name can still be typed. */
function prepareFieldPicks(): void {
  prepareListPicks(
    'fields',
    knownFields.map((field) => ({ word: field, title: titleOfField(field), unit: unitOfField(field) })),
  );
}
