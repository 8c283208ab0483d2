/** The quantities of a period, each with its name and colour; bars, numbers and tables are made of them. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Colour } from '../../../lib/colours';
import { addingUp, digitsFor, type Formats, isNumber, roundTo } from './numbers';
import type { TextKey } from './texts';

export interface Series {
  readonly field: string;
  readonly name: TextKey;
  readonly colour: Colour | null;
  /** Subtracted from the use of the house: drawn below zero. */
  readonly isBelow?: true;
}

const imported: Series = { field: 'energy_import_kwh', name: 'import', colour: 'import' };
const ownUse: Series = { field: 'energy_self_consumed_kwh', name: 'ownUse', colour: 'production' };
const produced: Series = { field: 'energy_production_kwh', name: 'production', colour: 'production' };
const discharged: Series = { field: 'energy_battery_discharged_kwh', name: 'discharged', colour: 'battery' };
const exported: Series = { field: 'energy_export_kwh', name: 'export', colour: 'export', isBelow: true };
const charged: Series = { field: 'energy_battery_charged_kwh', name: 'charged', colour: 'battery', isBelow: true };
const cost: Series = { field: 'cost', name: 'cost', colour: null };
export const used: Series = { field: 'energy_house_kwh', name: 'used', colour: 'house' };

/** Bars, as in the format `chart`: import, own use and the battery add up to the use of the house. */
const energies = [imported, ownUse, discharged, exported, charged];

/** Parts of the use of the house: added, or subtracted if they are below zero. */
export const flows = [imported, produced, exported, discharged, charged];

export const volumes = [
  { field: 'gas_m3', name: 'gas', colour: 'gas' },
  { field: 'water_m3', name: 'water', colour: 'water' },
] as const satisfies readonly Series[];

/** The use of the house; the import if a missing inverter takes the use away; without a meter of the grid the first that it has. */
export function houseSeries({ values }: BalancePayload): Series {
  if (isNumber(values[used.field])) return used;
  return [imported, produced, ...volumes].find(({ field }) => field in values) ?? imported;
}

/** The bars of a number of the house: the parts of its use, or the number alone. */
export function barSeries(house: Series): readonly Series[] {
  return house === used || house === imported ? energies : [house];
}

/** The number of another balance that stands beside that of the house: the same one, or import for a use and the other way round. */
export function comparedSeries(balance: BalancePayload, other: BalancePayload): Series {
  const [house, beside] = [houseSeries(balance), houseSeries(other)];
  return barSeries(house) === barSeries(beside) ? beside : house;
}

/** True for a house with meters of gas or water alone. */
export function lacksElectricity(balance: BalancePayload | null): boolean {
  const fields = Object.keys(balance?.values ?? {});
  return fields.length > 0 && fields.every((field) => chooseUnit(field) === 'm³') && balance?.devices === undefined;
}

export function chooseUnit(field: string): 'm³' | 'kWh' {
  return field.endsWith('m3') ? 'm³' : 'kWh';
}

/** @param digits of kWh */
export function formatAmount(
  formats: Formats,
  field: string,
  value: number | null | undefined,
  digits: number,
): string {
  return chooseUnit(field) === 'm³' ? formats.volume(value) : formats.amount(value, 'kWh', digits);
}

/** The amounts as they are shown: the parts add up to the use of the house. */
export function shownOf(
  valueOf: (field: string) => number | null | undefined,
  digits: number,
): (field: string) => number | null {
  const there = flows.filter(({ field }) => isNumber(valueOf(field)));
  const directionOf = (isBelow: true | undefined): number => (isBelow === undefined ? 1 : -1);
  const parts = addingUp(
    valueOf(used.field),
    there.map(({ field, isBelow }) => (valueOf(field) ?? 0) * directionOf(isBelow)),
    digits,
  );
  return (field) => {
    const index = there.findIndex((one) => one.field === field);
    const part = parts[index];
    return isNumber(part) ? part * directionOf(there[index]?.isBelow) : (valueOf(field) ?? null);
  };
}

/** Decimals of the use and of all its parts. */
export function flowDigits(valueOf: (field: string) => number | null | undefined): number {
  return digitsFor([used, ...flows].map(({ field }) => valueOf(field)));
}

/** Parts of the use in the figures of a period; what a battery took is a note. */
export const figures = [imported, ownUse, discharged, exported];

/** Lines of power: the house, or without it the import. */
export const powers = { ofHouse: [used, produced], ofGrid: [imported, produced] };

/** As `shownOf`, and own use as the difference of the shown production and export, where these two make it. */
export function shownFigures(
  valueOf: (field: string) => number | null | undefined,
  digits: number,
): (field: string) => number | null {
  const shown = shownOf(valueOf, digits);
  return (field) => {
    const [own, made, given] = [valueOf(ownUse.field), shown(produced.field), shown(exported.field)];
    if (field !== ownUse.field || !isNumber(own) || made === null || given === null) return shown(field);
    const difference = roundTo(made - given, digits);
    return Math.abs(difference - own) * 10 ** digits <= 1.5 ? difference : roundTo(own, digits);
  };
}

export const columns = [used, ...flows, ...volumes, cost];
