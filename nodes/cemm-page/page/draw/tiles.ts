/** The numbers of a period, with what they are compared with and how much of them was measured. */
import type { BalanceCost, BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import type { Tile } from './drawn';
import { digitsFor, isNumber, rounded } from './numbers';
import { flows, type Series, shownOf, used, volumes } from './series';
import type { Say, TextKey } from './texts';

const reasons = ['not_readable', 'not_measured', 'too_old'] as const;

export function reasonText(reason: string): TextKey {
  return reasons.find((one) => one === reason) ?? 'unknown';
}

/** Parts of a cost that are not known. */
export function partReasons(say: Say, missing: BalancePayload['missing'], cost: 'cost' | 'bills.0'): string[] {
  return (['import', 'export', 'gas', 'water'] as const).flatMap((part) => {
    const reason = missing[`${cost}.${part}`];
    return reason === undefined ? [] : [say('pair', say(part), say(reasonText(reason)))];
  });
}

export function tilesOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Tile[] {
  const { say, formats } = sheet;
  const { values, missing, coverage, cost, estimatedFields = {} } = balance;
  const there = flows.filter(({ field }) => field in values);
  const { energy_house_kwh: house } = values;
  const digits = digitsFor([house, ...there.map(({ field }) => values[field])]);
  const shown = shownOf((field) => values[field], digits);
  const compared = shownOf((field) => comparison?.valueFor(field), digits);
  const kwh = (value: number | null): string => formats.amount(value, 'kWh', digits);
  const notesOf = (field: string, text: (value: number | null) => string): string[] => {
    const reason = missing[field];
    const share = coverage[field];
    return [
      ...(reason === undefined || isNumber(values[field]) ? [] : [say(reasonText(reason))]),
      ...(isNumber(values[field]) && isNumber(share) && share < 1 ? [say('measured', formats.percent(share))] : []),
      ...(field in estimatedFields ? [say('estimated')] : []),
      ...comparedNotes(sheet, comparison, field, compared(field), text),
    ];
  };
  const tile = ({ field, name, colour }: Series, text: (value: number | null) => string): Tile => ({
    ...{ key: field, name: say(name), text: text(shown(field)), colour },
    notes: [...(field === 'energy_production_kwh' ? selfUsed(sheet, balance, digits) : []), ...notesOf(field, text)],
  });
  const m3 = (value: number | null): string => formats.amount(value, 'm³', 2);
  return [
    ...(used.field in values ? [tile(used, kwh)] : []),
    ...there.map((one) => tile(one, kwh)),
    ...sufficiency(sheet, balance),
    ...volumes.filter(({ field }) => field in values).map((one) => tile(one, m3)),
    ...(cost === undefined ? [] : [costTile(sheet, balance, cost, comparison)]),
  ];
}

function costTile(sheet: Sheet, { missing }: BalancePayload, cost: BalanceCost, comparison: Comparison | null): Tile {
  const { say, formats } = sheet;
  const money = (value: number | null): string => formats.money(value, cost.currency);
  const reasons = partReasons(say, missing, 'cost');
  const isPart = cost.coverage < 1 && cost.total !== null && reasons.length === 0;
  return {
    ...{ key: 'cost', name: say('cost'), text: money(cost.total), colour: null },
    notes: [
      ...reasons,
      ...(isPart ? [say('measured', formats.percent(cost.coverage))] : []),
      ...comparedNotes(sheet, comparison, 'cost', comparison?.valueFor('cost') ?? null, money),
    ],
  };
}

/** With the measured share, if it is not all. */
function comparedNotes(
  { say, formats }: Sheet,
  comparison: Comparison | null,
  field: string,
  value: number | null,
  text: (value: number) => string,
): string[] {
  if (comparison === null || value === null) return [];
  // A price of a meter that is not there makes the share of a cost 0.
  const share = comparison.shareFor(field === 'cost' ? 'energy_import_kwh' : field);
  const part = share > 0 && share < 1 ? `, ${say('measured', formats.percent(share))}` : '';
  return [say('pair', comparison.name, text(value) + part)];
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
