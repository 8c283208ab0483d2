/** The meters of a house that count, and their roles. */
import type { MeterInfo, Role } from '../../model/payload';
import type { BalanceRole } from './amounts';

/** A meter of the house, by alias or key, and the role that it counts in. */
export interface HouseMeter {
  readonly name: string;
  readonly role: BalanceRole;
}

export const balanceRoles: readonly BalanceRole[] = ['grid', 'production', 'gas', 'water'];

/** Names of the meters of a role; null: every meter that has this role by itself. */
export type MeterChoice = Readonly<Record<BalanceRole, readonly string[] | null>>;

export const everyMeter: MeterChoice = { grid: null, production: null, gas: null, water: null };

/** The role that a meter counts in; null if it does not count. A named meter counts in that role only. */
export function roleInBalance(choice: MeterChoice, name: string, own: Role | null): BalanceRole | null {
  const named = balanceRoles.find((role) => choice[role]?.includes(name) === true);
  if (named !== undefined) return named;
  const role = balanceRoles.find((one) => one === own);
  return role !== undefined && choice[role] === null ? role : null;
}

/** The listed meters that count, and named meters outside the list, which may answer in any case. */
export function metersInBalance(choice: MeterChoice, meters: readonly MeterInfo[]): HouseMeter[] {
  const listed = meters.flatMap(({ alias, role: own }): HouseMeter[] => {
    const role = alias === undefined ? null : roleInBalance(choice, alias, own);
    return alias === undefined || role === null ? [] : [{ name: alias, role }];
  });
  const known = new Set(listed.map(({ name }) => name));
  const others = balanceRoles.flatMap((role) =>
    (choice[role] ?? []).flatMap((name): HouseMeter[] => (known.has(name) ? [] : [{ name, role }])),
  );
  const all = [...listed, ...others];
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

/** Meters that count and that no request reaches: I/Os without an alias. A gas meter behind a smart meter is counted there. */
export function metersWithoutAlias(choice: MeterChoice, meters: readonly MeterInfo[]): HouseMeter[] {
  const hasGrid = meters.some(({ alias, role }) => alias !== undefined && role === 'grid');
  return meters.flatMap(({ alias, role: own, ioId, portOption = '' }): HouseMeter[] => {
    const role = balanceRoles.find((one) => one === own);
    if (alias !== undefined || role === undefined || choice[role] !== null) return [];
    const isCounted = role === 'gas' && hasGrid && !portOption.startsWith('s0');
    return isCounted ? [] : [{ name: `io ${ioId ?? '?'}`, role }];
  });
}
