/** Field, unit and scale of a gauge in an average house. */
import { own } from '../../stored/field-rules';
import type { Subject, When } from './subject';

export interface Quantity {
  readonly field: string;
  readonly units: string;
  readonly max: number;
  /** A counter has no upper end, so it is shown as a number. */
  readonly isCounter?: true;
}

type Quantities = Readonly<Record<string, Quantity>> & { readonly grid: Quantity };

const powers: Quantities = {
  production: { field: 'power_production_w', units: 'W', max: 6000 },
  consumption: { field: 'power_w', units: 'W', max: 4000 },
  battery: { field: 'power_battery_w', units: 'W', max: 4000 },
  gas: { field: 'gas_m3', units: 'm³', max: 99999, isCounter: true },
  water: { field: 'water_m3', units: 'm³', max: 99999, isCounter: true },
  grid: { field: 'power_import_w', units: 'W', max: 8000 },
  house: { field: 'power_house_w', units: 'W', max: 8000 },
  // Every electricity meter has this field.
  unknown: { field: 'power_w', units: 'W', max: 8000 },
};

const counters: Quantities = {
  production: { field: 'energy_production_kwh', units: 'kWh', max: 99999, isCounter: true },
  consumption: { field: 'energy_import_kwh', units: 'kWh', max: 99999, isCounter: true },
  battery: { field: 'energy_battery_discharged_kwh', units: 'kWh', max: 99999, isCounter: true },
  gas: { field: 'gas_m3', units: 'm³', max: 99999, isCounter: true },
  water: { field: 'water_m3', units: 'm³', max: 99999, isCounter: true },
  grid: { field: 'energy_import_kwh', units: 'kWh', max: 99999, isCounter: true },
};

/** One slot of a series. A day is in watts; gas is in litres per minute. */
const flows: Quantities = {
  ...powers,
  gas: { field: 'gas_lpm', units: 'L/min', max: 60 },
  water: { field: 'flow_lpm', units: 'L/min', max: 60 },
};

const amounts: Quantities = {
  production: { field: 'energy_net_kwh', units: 'kWh', max: 600 },
  consumption: { field: 'energy_net_kwh', units: 'kWh', max: 600 },
  battery: { field: 'energy_net_kwh', units: 'kWh', max: 300 },
  gas: { field: 'gas_m3', units: 'm³', max: 300 },
  water: { field: 'water_m3', units: 'm³', max: 30 },
  grid: { field: 'energy_net_kwh', units: 'kWh', max: 600 },
  house: { field: 'energy_house_kwh', units: 'kWh', max: 600 },
};

/** The usual value of a meter with this role; for all meters, the value of the grid meter. */
export function usualQuantity({ kind, hasBars, when, role, alias }: Subject): Quantity {
  const all = kind === 'slots' ? (hasBars ? amounts : flows) : when === 'totals' ? counters : powers;
  const quantity = own(all, role ?? (alias === '' ? 'grid' : 'unknown')) ?? all.grid;
  return all === amounts ? { ...quantity, max: scaleMax(quantity.max, when) } : quantity;
}

/** Scales are given for a month; a day and a year are derived from it. */
function scaleMax(max: number, when: When): number {
  if (when.startsWith('day')) return max / 20;
  return when.startsWith('year') ? max * 10 : max;
}

/** The quantity of a chosen field. */
export function quantityOfField(field: string): Quantity {
  const known = [powers, counters]
    .flatMap((table) => Object.values(table))
    .find((quantity) => quantity.field === field);
  return known ?? { field, units: '', max: 99999, isCounter: true };
}
