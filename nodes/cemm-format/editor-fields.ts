/** Buttons with the known fields, which a click adds or removes. Any other name can still be typed. */
import { type FieldName, unitOfField } from '../../src/model/fields';
import { titleOfField } from '../lib/editor/catalogue';
import { textFrom } from '../lib/editor/open-form';

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

export function prepareFieldPicks(): void {
  const input = $('#node-input-fields');
  const chips = knownFields.map((field) => ({ field, chip: chipOf(field) }));
  const show = (): void => {
    const chosen = listed(textFrom(input.val()));
    for (const { field, chip } of chips) {
      chip.attr('aria-pressed', String(chosen.includes(field))).toggleClass('cemm-picked', chosen.includes(field));
    }
  };
  for (const { field, chip } of chips) {
    chip.on('click', () => {
      const chosen = listed(textFrom(input.val()));
      const now = chosen.includes(field) ? chosen.filter((other) => other !== field) : [...chosen, field];
      input.val(now.join(', ')).trigger('change');
    });
  }
  $('#cemm-picks-fields').append(...chips.map(({ chip }) => chip));
  input.on('input change', show);
  show();
}

function chipOf(field: FieldName): JQuery {
  return $('<button>')
    .attr({ type: 'button', title: field })
    .addClass('cemm-pick')
    .append($('<strong>').text(titleOfField(field)), ' ', $('<span>').text(unitOfField(field) ?? ''));
}

function listed(list: string): string[] {
  return list.split(/[\s,;]+/).filter((field) => field !== '');
}
