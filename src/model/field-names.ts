/** The names of fields that a payload can have (`docs/fields.md`). An unknown channel keeps its own name. */
import { getOrSet } from '../checks/get-or-set';
import { channelNames, fieldOf } from './channel-fields';
import { derivedPowers, netEnergies, tariffSums } from './derived-fields';
import type { Role } from './payload';

const allRoles: readonly (Role | null)[] = ['grid', 'production', 'consumption', 'battery', 'gas', 'water', null];

const byRole = new Map<Role | null, readonly string[]>();

/** The fields of a meter with this role, sorted; null: of all meters. */
export function knownFields(role: Role | null): readonly string[] {
  const roles = role === null ? allRoles : [role];
  return getOrSet(byRole, role, () => [...new Set(roles.flatMap(fieldsOfRole))].sort());
}

function fieldsOfRole(role: Role | null): string[] {
  const steps = ['reading', 'PT1M'] as const;
  const direct = new Set(channelNames().flatMap((channel) => steps.map((step) => fieldOf(channel, role, step).name)));
  for (const { field } of derivedPowers(role)) direct.add(field);
  for (const { field, parts } of tariffSums) if (parts.every((part) => direct.has(part))) direct.add(field);
  for (const { field, plus, minus } of netEnergies) if (direct.has(plus) && direct.has(minus)) direct.add(field);
  return [...direct];
}

const powersOfHouse = ['import', 'export', 'production', 'battery', 'house', 'self_consumed', 'other'].map(
  (part) => `power_${part}_w`,
);
const energiesOfHouse = [
  ...[
    'import',
    'export',
    'production',
    'battery_charged',
    'battery_discharged',
    'self_consumed',
    'house',
    'other',
    'net',
  ].map((part) => `energy_${part}_kwh`),
  ...['import', 'export'].flatMap((way) => ['t1', 't2'].map((tariff) => `energy_${way}_${tariff}_kwh`)),
  'self_consumption',
  'self_sufficiency',
  'gas_m3',
  'water_m3',
];

/** The fields of a balance: current, of a period, or both. */
export function balanceFieldNames(period: 'now' | 'any' | 'period'): string[] {
  if (period === 'now') return powersOfHouse;
  return period === 'any' ? [...powersOfHouse, ...energiesOfHouse] : energiesOfHouse;
}
