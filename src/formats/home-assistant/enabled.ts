/**
 * The sensors that Home Assistant enables at first. A meter has up to twenty fields, of which most users need few: the power, the
 * readings of counters and the volumes. A user can enable the others in Home Assistant.
 */
import { type FieldName, findFieldKind } from '../../model/fields';
import type { DataPoint } from '../data-points';

interface EnabledField {
  readonly field: FieldName;
  /** Disabled if the meter has one of these, which contain the same value with a direction or as a sum. */
  readonly unless?: readonly FieldName[];
}

const enabledFields: readonly EnabledField[] = [
  { field: 'power_import_w' },
  { field: 'power_export_w' },
  { field: 'power_production_w' },
  { field: 'power_battery_w' },
  { field: 'home_power_w' },
  // Enabled besides import and export, because the Energy dashboard uses one sensor with a sign for the current power.
  { field: 'power_w', unless: ['power_production_w', 'power_battery_w', 'home_power_w'] },
  { field: 'energy_import_kwh' },
  { field: 'energy_export_kwh' },
  { field: 'energy_production_kwh' },
  { field: 'energy_battery_charged_kwh' },
  { field: 'energy_battery_discharged_kwh' },
  ...(['import', 'export', 'production', 'battery_charged', 'battery_discharged'] as const).flatMap((direction) =>
    (['t1', 't2'] as const).map((tariff) => ({
      field: `energy_${direction}_${tariff}_kwh` as const,
      unless: [`energy_${direction}_kwh` as const],
    })),
  ),
  { field: 'home_energy_kwh' },
  {
    field: 'energy_net_kwh',
    unless: ['energy_import_kwh', 'energy_production_kwh', 'energy_battery_charged_kwh', 'home_energy_kwh'],
  },
  { field: 'gas_m3' },
  { field: 'water_m3' },
  { field: 'volume_m3' },
];

/**
 * @param together all values of the payload
 * @param hasGasOf true if a meter has a sensor for gas
 */
export function isEnabled(
  meter: string,
  point: DataPoint,
  together: readonly DataPoint[],
  hasGasOf: (meter: string) => boolean,
): boolean {
  const { field, topic } = point;
  const ofMeter = together.filter((other) => other.meter === meter && other.value !== null);
  // A window (`this/day`) of a delivery is shown only without current values.
  if (topic !== null && ofMeter.some((other) => other.topic === null)) return false;
  if (field === 'gas_m3' && isSameGas(meter, hasGasOf)) return false;
  const known = enabledFields.find((enabled) => enabled.field === field);
  // A field that this package does not know is enabled.
  if (known === undefined) return findFieldKind(field) === null;
  return !ofMeter.some((other) => known.unless?.some((one) => one === other.field));
}

/** The gas meter behind a smart meter is read twice: as a value of `p1`, and as the meter `p1-gas`. */
function isSameGas(meter: string, hasGasOf: (meter: string) => boolean): boolean {
  const other = meter.endsWith('-gas') ? meter.slice(0, -'-gas'.length) : `${meter}-gas`;
  return hasGasOf(other);
}
