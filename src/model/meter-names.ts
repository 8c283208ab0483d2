/** Rules for the names of meters. Shared with dialogs, so this file imports types only. */
import type { Role } from './payload';

/** Inputs that count the pulses of an S0 output. */
const pulseAlias = /^(s0|pulse-)/i;

export function hasPulses(name: string): boolean {
  return pulseAlias.test(name);
}

/** The number is the address of the meter. The service on the internet documents no alias for one (http://developer.cemm.nl/api-en/). */
const modbusAlias = /^mb\d+$/;

export function isModbus(name: string): boolean {
  return modbusAlias.test(name);
}

/** The name of a battery in a list, where `-mb6` is a meter that counts the discharge as import. */
export function batteryName(listed: string): string {
  return listed.replace(/^-\s*/, '');
}

const rolesOfAliases: readonly (readonly [RegExp, Role])[] = [
  [/(^|-)gas(-|$)/, 'gas'],
  [/(^|-)water(-|$)/, 'water'],
  [/^(p1|han|emucs|dlms)(-|$)/, 'grid'],
  [/^usage$/, 'consumption'],
];

/** The role of a meter whose alias names it; null for any other. */
export function roleOfAlias(alias: string): Role | null {
  return firstMatch(rolesOfAliases, alias);
}

export function firstMatch(table: readonly (readonly [RegExp, Role])[], text: string): Role | null {
  const lower = text.trim().toLowerCase();
  return table.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}
