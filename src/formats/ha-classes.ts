/**
 * What Home Assistant is told about a field: device class, state class and unit have to fit together (its sensor
 * documentation, https://developers.home-assistant.io/docs/core/entity/sensor), and the Energy dashboard takes only
 * energy, gas and water that count up.
 */
import { factName, type Fact } from './facts';

export interface HaClass {
  readonly device_class?: string;
  readonly state_class?: 'measurement' | 'total' | 'total_increasing';
  readonly unit_of_measurement?: string;
  /**
   * Always there. Home Assistant takes a sensor with it for a number, and then ignores the blank text that the template
   * gives where a field is left out of a state.
   */
  readonly suggested_display_precision: number;
}

interface Row extends Omit<HaClass, 'unit_of_measurement'> {
  readonly field: RegExp;
  /** Units that the device class allows. */
  readonly units: readonly string[];
}

const ENERGY = ['kWh', 'Wh', 'MWh'];
const VOLUME = ['m³', 'L'];

const ROWS: readonly Row[] = [
  row(/^(power(_\w+)?|home_power)_w$/, 'power', 'measurement', ['W', 'kW'], 0),
  // What is used less what is fed in: it falls on a sunny day.
  row(/^energy_net(_t[12])?_kwh$/, 'energy', 'total', ENERGY, 3),
  row(
    /^(energy_(import|export|production|own_use)(_[tl]\d)?|home_energy)_kwh$/,
    'energy',
    'total_increasing',
    ENERGY,
    3,
  ),
  row(/^gas_m3$/, 'gas', 'total_increasing', VOLUME, 3),
  row(/^water_m3$/, 'water', 'total_increasing', VOLUME, 3),
  row(/^volume_m3$/, 'volume', 'total_increasing', VOLUME, 3),
  row(/^(gas|flow)_lpm$/, 'volume_flow_rate', 'measurement', ['L/min', 'm³/h'], 2),
  row(/^voltage(_l\d)?_v$/, 'voltage', 'measurement', ['V', 'mV'], 1),
];

/** A field without a class: prices (Home Assistant's `monetary` wants a bare currency), the tariff, unknown channels. */
const PLAIN_PRECISION: readonly (readonly [RegExp, number])[] = [
  [/^(tariff|switch_raw)$/, 0],
  [/^price_\w+$/, 5],
];

/**
 * The classes of a value. A value about a window (`this/day`, `last/hour`) is no counter and no measurement of now; only
 * a counted one that starts again with its window may be summed up.
 */
export function haClassOf(fact: Fact): HaClass {
  const { field, unit, topic } = fact;
  const found = ROWS.find((candidate) => candidate.field.test(field));
  if (found === undefined || unit === null || !found.units.includes(unit)) {
    const precision = PLAIN_PRECISION.find(([pattern]) => pattern.test(factName(fact)))?.[1] ?? 3;
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
