/** Buttons with the known fields, which a click adds or removes. Any other name can still be typed. */
import { type FieldName, unitOfField } from '../../src/model/fields';
import { titleOfField } from '../lib/editor/catalogue';
import { prepareListPicks } from '../lib/editor/list-picks';

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
  prepareListPicks(
    'fields',
    knownFields.map((field) => ({ word: field, title: titleOfField(field), unit: unitOfField(field) })),
  );
}
