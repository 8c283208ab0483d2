/** The numbers of a period, with what they are compared with and how much of them was measured. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import type { Tile } from './drawn';
import { addingUp, digitsFor, isNumber, rounded } from './numbers';
import type { TextKey } from './texts';

interface Energy {
  readonly field: string;
  readonly name: TextKey;
  readonly colour: Tile['colour'];
  /** Part of the use of the house: added or subtracted. */
  readonly sign: 1 | -1;
}

const parts: readonly Energy[] = [
  { field: 'energy_import_kwh', name: 'import', colour: 'import', sign: 1 },
  { field: 'energy_production_kwh', name: 'production', colour: 'production', sign: 1 },
  { field: 'energy_export_kwh', name: 'export', colour: 'export', sign: -1 },
  { field: 'energy_battery_discharged_kwh', name: 'discharged', colour: 'battery', sign: 1 },
  { field: 'energy_battery_charged_kwh', name: 'charged', colour: 'battery', sign: -1 },
];

const reasons = ['not_readable', 'not_measured', 'too_old'] as const;

export function reasonText(reason: string): TextKey {
  return reasons.find((one) => one === reason) ?? 'unknown';
}

export function tilesOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Tile[] {
  const { say, formats } = sheet;
  const { values, missing, coverage, cost, estimatedFields = {} } = balance;
  const there = parts.filter(({ field }) => field in values);
  const { energy_house_kwh: house } = values;
  const digits = digitsFor([house, ...there.map(({ field }) => values[field])]);
  // The shown parts add up to the shown use.
  const shown = addingUp(
    house,
    there.map(({ field, sign }) => signed(values[field] ?? null, sign)),
    digits,
  );
  const kwh = (value: number | null): string => formats.amount(value, 'kWh', digits);
  const notesOf = (field: string, text: (value: number | null) => string): string[] => {
    const reason = missing[field];
    const share = coverage[field];
    const other = comparison?.valueOf(field) ?? null;
    return [
      ...(reason === undefined || isNumber(values[field]) ? [] : [say(reasonText(reason))]),
      ...(isNumber(values[field]) && isNumber(share) && share < 1 ? [say('measured', formats.percent(share))] : []),
      ...(field in estimatedFields ? [say('estimated')] : []),
      ...(comparison === null || other === null ? [] : [`${comparison.name}: ${text(other)}`]),
    ];
  };
  const tile = (key: string, name: TextKey, text: string, colour: Tile['colour'], notes: string[]): Tile => ({
    ...{ key, name: say(name), text, colour, notes },
  });
  const energies = there.map(({ field, name, colour, sign }, index) => {
    const own = field === 'energy_production_kwh' ? selfUsed(sheet, balance, digits) : [];
    const value = shown[index] ?? null;
    return tile(field, name, kwh(signed(value, sign)), colour, [...own, ...notesOf(field, kwh)]);
  });
  const volumeTiles = (['gas', 'water'] as const).flatMap((name) => {
    const field = `${name}_m3`;
    const text = (value: number | null): string => formats.amount(value, 'm³', digitsFor([values[field]]));
    return field in values ? [tile(field, name, text(values[field] ?? null), name, notesOf(field, text))] : [];
  });
  const money = (value: number | null): string => formats.money(value, cost?.currency ?? 'EUR');
  return [
    ...('energy_house_kwh' in values
      ? [tile('house', 'used', kwh(house ?? null), 'house', notesOf('energy_house_kwh', kwh))]
      : []),
    ...energies,
    ...sufficiency(sheet, balance),
    ...volumeTiles,
    ...(cost === undefined ? [] : [tile('cost', 'cost', money(cost.total), null, costNotes())]),
  ];

  function costNotes(): string[] {
    const other = comparison?.valueOf('cost') ?? null;
    return [
      ...(cost !== undefined && cost.coverage < 1 && cost.total !== null
        ? [say('measured', formats.percent(cost.coverage))]
        : []),
      ...(comparison === null || other === null ? [] : [`${comparison.name}: ${money(other)}`]),
    ];
  }
}

function signed(value: number | null, sign: 1 | -1): number | null {
  return value === null ? null : sign * value + 0;
}

/** A share of a production that is shown as 0 says nothing. */
function selfUsed({ say, formats }: Sheet, { values }: BalancePayload, digits: number): string[] {
  const { self_consumption: share, energy_production_kwh: produced } = values;
  if (!isNumber(share) || !isNumber(produced) || rounded(produced, Math.min(1, digits)) <= 0) return [];
  return [say('selfUsed', formats.percent(share))];
}

function sufficiency({ say, formats }: Sheet, { values }: BalancePayload): Tile[] {
  const { self_sufficiency: share, energy_production_kwh: produced } = values;
  if (!isNumber(share) || !isNumber(produced) || rounded(produced, 1) <= 0) return [];
  return [{ key: 'sufficiency', name: say('sufficiency'), text: formats.percent(share), colour: null, notes: [] }];
}
