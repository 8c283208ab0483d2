/** The device class, state class, unit and precision of each field in Home Assistant. */
import { type DataPoint, dataPointName } from '../data-points';

/**
 * Device class, state class and unit have to match (https://developers.home-assistant.io/docs/core/entity/sensor). The
 * Energy dashboard accepts energy, gas and water only with state class `total` or `total_increasing`.
 */
export interface HaClass {
  readonly device_class?: string;
  readonly state_class?: 'measurement' | 'total' | 'total_increasing';
  readonly unit_of_measurement?: string;
  /** When the sum last began at 0. Only with state class `total`. */
  readonly last_reset_value_template?: string;
  /** Always set, so that Home Assistant treats the sensor as a number and ignores the empty text for a field without a value. */
  readonly suggested_display_precision: number;
}

interface Row extends Omit<HaClass, 'unit_of_measurement' | 'last_reset_value_template'> {
  readonly field: RegExp;
  /** Units that the device class allows and this package sends. */
  readonly units: readonly string[];
}

const energyUnits = ['kWh', 'Wh', 'MWh'];
const volumeUnits = ['m³', 'L'];

const classTable: readonly Row[] = [
  row(/^(power(_\w+)?|home_power|peak_(power|expected))_w$/, 'power', 'measurement', ['W', 'kW'], 0),
  // Import minus export, which can fall.
  row(/^energy_net(_t[12])?_kwh$/, 'energy', 'total', energyUnits, 3),
  row(
    /^(energy_(import|export|production|own_use|self_consumed|house)(_[tl]\d)?|home_energy)_kwh$/,
    'energy',
    'total_increasing',
    energyUnits,
    3,
  ),
  row(/^gas_m3$/, 'gas', 'total_increasing', volumeUnits, 3),
  row(/^water_m3$/, 'water', 'total_increasing', volumeUnits, 3),
  row(/^volume_m3$/, 'volume', 'total_increasing', volumeUnits, 3),
  row(/^(gas|flow)_lpm$/, 'volume_flow_rate', 'measurement', ['L/min', 'm³/h'], 2),
  row(/^voltage(_l\d)?_v$/, 'voltage', 'measurement', ['V', 'mV'], 1),
];

/** Precision of fields without a device class. The class `monetary` does not allow EUR/kWh, so prices have none. */
const otherPrecisions: readonly (readonly [RegExp, number])[] = [
  [/^(tariff|switch_raw)$/, 0],
  [/^price_\w+$/, 5],
];

/**
 * The classes of a value. A value with a window (`this/day`, `last/hour`) is neither a counter nor a current value, so it has
 * no state class, except an amount of `this/…`, which rises until its window starts again.
 */
export function haClassOf(point: Pick<DataPoint, 'field' | 'unit' | 'topic'>): HaClass {
  const { field, unit, topic } = point;
  const found = classTable.find((candidate) => candidate.field.test(field));
  if (found === undefined || unit === null || !found.units.includes(unit)) {
    const precision = otherPrecisions.find(([pattern]) => pattern.test(dataPointName(point)))?.[1] ?? 3;
    return { ...(unit !== null && { unit_of_measurement: unit }), suggested_display_precision: precision };
  }
  const { device_class, state_class, suggested_display_precision } = found;
  const counts = topic === null || (topic.startsWith('this/') && state_class === 'total_increasing');
  return {
    ...(device_class !== undefined && { device_class }),
    ...(counts && state_class !== undefined && { state_class }),
    unit_of_measurement: unit,
    suggested_display_precision,
  };
}

function row(
  field: RegExp,
  device_class: string,
  state_class: NonNullable<HaClass['state_class']>,
  units: readonly string[],
  suggested_display_precision: number,
): Row {
  return { field, device_class, state_class, units, suggested_display_precision };
}
