/** What the bars and lines of a chart stand for; the same series have the same colours in every chart. */
import type { Colour } from '../../../lib/colours';
import type { TextKey } from './texts';

export interface Series {
  readonly field: string;
  readonly name: TextKey;
  readonly colour: Colour;
  readonly isBelow?: true;
}

/** As in the format `chart`: import, own use and the battery add up to the use of the house. */
export const energies: readonly Series[] = [
  { field: 'energy_import_kwh', name: 'import', colour: 'import' },
  { field: 'energy_self_consumed_kwh', name: 'ownUse', colour: 'production' },
  { field: 'energy_battery_discharged_kwh', name: 'discharged', colour: 'battery' },
  { field: 'energy_export_kwh', name: 'export', colour: 'export', isBelow: true },
  { field: 'energy_battery_charged_kwh', name: 'charged', colour: 'battery', isBelow: true },
];

export const volumes: readonly Series[] = [
  { field: 'gas_m3', name: 'gas', colour: 'gas' },
  { field: 'water_m3', name: 'water', colour: 'water' },
];

/** Energies of slots that are drawn as mean power. */
export const powers: readonly Series[] = [
  { field: 'energy_house_kwh', name: 'house', colour: 'house' },
  { field: 'energy_production_kwh', name: 'production', colour: 'production' },
];

/** Columns of the table, with the cost of the slot. */
export const tableFields: readonly { readonly field: string; readonly name: TextKey }[] = [
  { field: 'energy_house_kwh', name: 'used' },
  { field: 'energy_import_kwh', name: 'import' },
  { field: 'energy_production_kwh', name: 'production' },
  { field: 'energy_export_kwh', name: 'export' },
  { field: 'energy_battery_charged_kwh', name: 'charged' },
  { field: 'energy_battery_discharged_kwh', name: 'discharged' },
  { field: 'gas_m3', name: 'gas' },
  { field: 'water_m3', name: 'water' },
  { field: 'cost', name: 'cost' },
];
