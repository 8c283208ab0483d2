/** The device class, state class, unit and precision of each field in Home Assistant. */
import { type FieldKind, findFieldKind } from '../../model/fields';
import type { DataPoint } from '../data-points';

/**
 * Device class, state class and unit have to match (https://developers.home-assistant.io/docs/core/entity/sensor). The
 * Energy dashboard accepts energy, gas and water only with state class `total` or `total_increasing`.
 */
export interface HaClass {
  readonly device_class?: string;
  readonly state_class?: 'measurement' | 'total' | 'total_increasing';
  readonly unit_of_measurement?: string;
  /** Start of the sum. Only with state class `total`. */
  readonly last_reset_value_template?: string;
  /** Always set, so that Home Assistant treats the sensor as a number and ignores the empty text for a field without a value. */
  readonly suggested_display_precision: number;
}

interface Row extends Pick<HaClass, 'device_class' | 'state_class' | 'suggested_display_precision'> {
  /** Allowed units of the device class that this package sends. Empty: the kind has no class. */
  readonly units: readonly string[];
}

const energyUnits = ['kWh', 'Wh', 'MWh'];
const volumeUnits = ['m³', 'L'];
const usualPrecision = 3;

const classTable: Readonly<Record<FieldKind, Row>> = {
  power: defineClass('power', 'measurement', ['W', 'kW'], 0),
  energy: defineClass('energy', 'total_increasing', energyUnits, 3),
  net_energy: defineClass('energy', 'total', energyUnits, 3),
  gas: defineClass('gas', 'total_increasing', volumeUnits, 3),
  water: defineClass('water', 'total_increasing', volumeUnits, 3),
  volume: defineClass('volume', 'total_increasing', volumeUnits, 3),
  volume_reading: withoutClass(usualPrecision),
  flow: defineClass('volume_flow_rate', 'measurement', ['L/min', 'm³/h'], 2),
  voltage: defineClass('voltage', 'measurement', ['V', 'mV'], 1),
  current: defineClass('current', 'measurement', ['A', 'mA'], 1),
  // The class `monetary` does not allow EUR/kWh.
  price: withoutClass(5),
  tariff: withoutClass(0),
  raw: withoutClass(0),
  share: withoutClass(usualPrecision),
  cost: withoutClass(usualPrecision),
};

/**
 * The classes of a value. A value with a window (`this/day`, `last/hour`) is neither a counter nor a current value, so it has
 * no state class, except an amount of `this/…`, which rises until its window starts again.
 */
export function haClassOf(point: Pick<DataPoint, 'field' | 'unit' | 'topic'>): HaClass {
  const { field, unit, topic } = point;
  const kind = findFieldKind(field);
  const found = kind === null ? null : classTable[kind];
  if (found === null || unit === null || !found.units.includes(unit)) {
    const hasOwn = found !== null && found.units.length === 0 && topic === null;
    const precision = hasOwn ? found.suggested_display_precision : usualPrecision;
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

function defineClass(
  device_class: string,
  state_class: NonNullable<HaClass['state_class']>,
  units: readonly string[],
  suggested_display_precision: number,
): Row {
  return { device_class, state_class, units, suggested_display_precision };
}

function withoutClass(suggested_display_precision: number): Row {
  return { units: [], suggested_display_precision };
}
