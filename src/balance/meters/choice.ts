/** The meters of a house that count, and their roles. */
import type { MeterInfo, Role } from '../../model/payload';
import type { BalanceRole } from './amounts';

/** A meter by alias or key, and its role in the balance. */
export interface HouseMeter {
  readonly name: string;
  readonly role: BalanceRole;
}

/** Inputs that count pulses. */
const pulseAlias = /^(s0|pulse-)/i;

export function hasPulses(name: string): boolean {
  return pulseAlias.test(name);
}

export const balanceRoles: readonly BalanceRole[] = ['grid', 'production', 'gas', 'water'];

/** Names of the meters of a role; null: all meters whose own role this is. */
export type MeterChoice = Readonly<Record<BalanceRole, readonly string[] | null>>;

export const everyMeter: MeterChoice = { grid: null, production: null, gas: null, water: null };

/** The role of a meter in the balance; null if it does not count. A named meter counts in that role only. */
export function roleInBalance(choice: MeterChoice, name: string, own: Role | null): BalanceRole | null {
  const named = balanceRoles.find((role) => choice[role]?.includes(name) === true);
  if (named !== undefined) return named;
  const role = balanceRoles.find((one) => one === own);
  return role !== undefined && choice[role] === null ? role : null;
}

/** The listed meters that count, and named meters that are not in the list, because they may answer as well. */
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

/** Meters that count but have no alias, so no request reaches them. The smart meter counts the gas meter behind it. */
export function metersWithoutAlias(choice: MeterChoice, meters: readonly MeterInfo[]): HouseMeter[] {
  const hasGrid = meters.some(({ alias, role }) => alias !== undefined && role === 'grid');
  return meters.flatMap(({ alias, role: own, ioId, portOption = '' }): HouseMeter[] => {
    const role = balanceRoles.find((one) => one === own);
    if (alias !== undefined || role === undefined || choice[role] !== null) return [];
    const isCounted = role === 'gas' && hasGrid && !portOption.startsWith('s0');
    return isCounted ? [] : [{ name: `io ${ioId ?? '?'}`, role }];
  });
}
