/**
 * The values that a chart draws if no fields are chosen. A chart has one y axis, so it gets the values of one unit, and of these
 * the one or two most useful ones: import and export, but not each tariff besides their sum.
 */
import { type ChosenFields, isChosen } from './chosen-fields';
import { type FieldKind, type FieldName, type FieldUnit, findFieldKind } from '../model/fields';
import type { DataPoint } from './data-points';

/** The first unit here that the payload has is drawn; one that is false only where the payload has no other. */
const units: Readonly<Record<FieldUnit | 'kW', boolean>> = {
  W: true,
  kW: true,
  kWh: true,
  'm³': true,
  'L/min': true,
  V: true,
  A: true,
  'currency/kWh': false,
};
const unitsByPriority = Object.entries(units).flatMap(([unit, isFirst]) => (isFirst ? [unit] : []));

/** By the kind of the first field. The first group with a value of the meter is drawn; without such a group, all its fields. */
const subjects: Readonly<Record<FieldKind, readonly (readonly FieldName[])[]>> = {
  power: [
    ['power_import_w', 'power_export_w'],
    ['power_production_w'],
    ['power_battery_w'],
    ['power_w'],
    ['home_power_w'],
  ],
  energy: [
    ['energy_import_kwh', 'energy_export_kwh'],
    ['energy_production_kwh'],
    ['energy_battery_charged_kwh', 'energy_battery_discharged_kwh'],
    ['energy_net_kwh'],
    ['home_energy_kwh'],
  ],
  // Drawn with the kind of energy.
  net_energy: [],
  gas: [['gas_m3']],
  water: [['water_m3']],
  volume: [['volume_m3']],
  volume_reading: [],
  flow: [['gas_lpm'], ['flow_lpm']],
  voltage: [['voltage_v']],
  current: [],
  price: [],
  tariff: [],
  raw: [],
  share: [],
  cost: [],
};
const fieldGroups: readonly (readonly string[])[] = Object.values(subjects).flat();

export function drawnPoints(all: readonly DataPoint[], chosen: ChosenFields): readonly DataPoint[] {
  if (chosen !== null) return all.filter((point) => isChosen(chosen, point));
  const ofUnit = pointsOfOneUnit(currentPoints(all.filter(isDrawn)));
  const groups = new Map<string | null, readonly string[] | undefined>();
  for (const { meter } of ofUnit) if (!groups.has(meter)) groups.set(meter, groupOf(ofUnit, meter));
  return ofUnit.filter(({ meter, field }) => groups.get(meter)?.includes(field) ?? true);
}

function groupOf(points: readonly DataPoint[], meter: string | null): readonly string[] | undefined {
  const known = points.filter((point) => point.meter === meter && point.value !== null);
  const fields = new Set(known.map(({ field }) => field));
  return fieldGroups.find((group) => group.some((field) => fields.has(field)));
}

/**
 * Leaves out values of `this/…`, whose window has not ended, and readings in a series, which are so large that the amounts would
 * not be visible.
 */
function isDrawn({ topic, field }: DataPoint): boolean {
  return !topic?.startsWith('this/') && findFieldKind(field) !== 'volume_reading';
}

/** Values of past windows (`last/…`) are drawn only for meters without other values in the delivery. */
function currentPoints(points: readonly DataPoint[]): readonly DataPoint[] {
  const current = points.filter(({ topic, value }) => topic === null && value !== null);
  const meters = new Set(current.map(({ meter }) => meter));
  return points.filter(({ topic, meter }) => topic === null || !meters.has(meter));
}

function pointsOfOneUnit(points: readonly DataPoint[]): readonly DataPoint[] {
  const units = new Set(points.filter(({ value }) => value !== null).map(({ unit }) => unit));
  const [first = null] = units;
  const unit = unitsByPriority.find((candidate) => units.has(candidate)) ?? first;
  return points.filter((point) => point.unit === unit);
}
