/**
 * Format `homeassistant` of a balance: sensors of the current powers, and of today's sums, which begin at 0 at midnight
 * (`last_reset`). Both belong to the device of the monitor. A value that becomes unknown is sent as null, because no other
 * message shows that it is old.
 */
import { CemmError } from '../../errors';
import { type FieldName, findFieldKind } from '../../model/fields';
import type { BalancePayload } from '../../model/payload';
import type { ChosenFields } from '../chosen-fields';
import { measuredAt, sumsOfHouse } from '../data-points';
import { type HaClass, haClassOf } from './classes';
import type { ComponentOf, HaSensor } from './discovery';
import { entityField, entityId } from './names';
import { haTopics, type HousePart, plainName } from './topics';

export interface HouseState {
  readonly part: HousePart;
  readonly topic: string;
  /** Time of the state: it replaces only states that are not newer. */
  readonly ts: number;
  /** Key in `components` → sensor, for fields with a value. */
  readonly sensors: ReadonlyMap<string, ComponentOf>;
  /** True if a power is known, so the monitor answers. */
  readonly isAnswering: boolean;
  /** Field → value, and for sums `last_reset` as ISO 8601. */
  readonly state: Readonly<Record<string, number | string | null>>;
}

/**
 * @param monitor MAC address or number of the monitor
 * @param fields fields that become sensors, all of them enabled; null: all fields, some of them enabled
 * @throws {CemmError} UNSUPPORTED: `not_current` for a month, a year and a past day
 */
export function houseStateOf(monitor: string, payload: BalancePayload, fields: ChosenFields): HouseState {
  const { period, source } = payload;
  if (period !== undefined && (period.unit !== 'day' || source.fetchedAt >= period.end)) {
    throw new CemmError('UNSUPPORTED', { reason: 'not_current' });
  }
  const part = period === undefined ? 'now' : 'day';
  const sensors = new Map<string, ComponentOf>();
  const state: Record<string, number | string | null> = {};
  for (const known of listHouseValues(payload)) {
    if (fields !== null && !fields.has(known.field)) continue;
    const name = plainName(known.field);
    state[name] = known.value;
    if (known.value !== null)
      sensors.set(`balance_${part}_${name}`, sensorOf(part, known, fields !== null || enabled.has(known.field)));
  }
  if (period !== undefined) state['last_reset'] = new Date(period.start).toISOString();
  const isAnswering = part === 'now' && Object.values(payload.values).some((value) => value !== null);
  const ts = measuredAt(payload, payload.ts);
  return { part, topic: haTopics(monitor).house(part), ts, sensors, isAnswering, state };
}

interface HouseValue {
  readonly field: string;
  readonly value: number | null;
  readonly unit: string | null;
}

function listHouseValues(payload: BalancePayload): HouseValue[] {
  // Devices have the same field names.
  const ofHouse = sumsOfHouse(payload).all.filter(({ meter }) => meter === null);
  const values = ofHouse.map(({ field, value, unit }): HouseValue =>
    findFieldKind(field) === 'share' ? { field, value: percentOf(value), unit: '%' } : { field, value, unit },
  );
  return payload.period === undefined ? [...values, ...selfSufficiencyOf(payload)] : values;
}

/** Computed from the current powers, because the payload has the ratio for periods only. Empty for a house without production and battery. */
function selfSufficiencyOf({ values }: BalancePayload): HouseValue[] {
  const { power_self_consumed_w: own, power_house_w: house, power_import_w: taken = null } = values;
  if (house === undefined || (own === undefined && values['power_battery_w'] === undefined)) return [];
  const part =
    values['power_battery_w'] === undefined ? (own ?? null) : house === null || taken === null ? null : house - taken;
  const ratio = part === null || house === null || house <= 0 ? null : Math.min(1, Math.max(0, part / house));
  return [{ field: 'self_sufficiency', value: percentOf(ratio), unit: '%' }];
}

/** Rounded, because 0.29 × 100 is 28.999999999999996. */
function percentOf(ratio: number | null): number | null {
  return ratio === null ? null : Math.round(ratio * 1e6) / 1e4;
}

/** Enabled at first; users can enable the others in Home Assistant. */
const enabled: ReadonlySet<string> = new Set<FieldName>([
  'power_house_w',
  'power_battery_w',
  'power_self_consumed_w',
  'self_sufficiency',
  'energy_import_kwh',
  'energy_export_kwh',
  'energy_production_kwh',
  'energy_battery_charged_kwh',
  'energy_battery_discharged_kwh',
  'energy_self_consumed_kwh',
  'energy_house_kwh',
  'gas_m3',
  'water_m3',
  'cost',
]);

function sensorOf(part: HousePart, { field, unit }: HouseValue, isShown: boolean): ComponentOf {
  const name = plainName(field);
  const named = { field: field === 'power_house_w' ? 'power_w' : field, topic: null };
  return ({ monitor, device, names, expiry }): HaSensor => {
    const place = part === 'now' ? 'house' : 'today';
    const state_topic = haTopics(monitor).house(part);
    return {
      platform: 'sensor',
      unique_id: `cemm_${plainName(monitor)}_balance_${part}_${name}`,
      name: `${names.word(place)} ${names.ofField(named)}`,
      default_entity_id: entityId('sensor', device, place, entityField(named)),
      ...(!isShown && { enabled_by_default: false }),
      state_topic,
      value_template: `{{ value_json['${name}'] | default('') }}`,
      ...classOf(part, field, unit),
      ...expiry(state_topic),
      // The sums of today remain true while the monitor is away.
      ...(part === 'now' && { availability: [{ topic: haTopics(monitor).availability }] }),
    };
  };
}

/** A sum of today has the class `total`, which may start again at 0 and fall, as costs do during export. A mean price is no sum. */
function classOf(part: HousePart, field: string, unit: string | null): HaClass {
  if (unit === '%') return { state_class: 'measurement', unit_of_measurement: unit, suggested_display_precision: 0 };
  const isCost = unit !== null && /^[A-Z]{3}$/.test(unit);
  const known: HaClass = isCost
    ? { device_class: 'monetary', unit_of_measurement: unit, suggested_display_precision: 2 }
    : haClassOf({ field, unit, topic: null });
  if (part === 'now' || unit === 'W' || known.device_class === undefined) return known;
  return { ...known, state_class: 'total', last_reset_value_template: "{{ value_json['last_reset'] }}" };
}
