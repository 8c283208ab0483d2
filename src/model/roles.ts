/**
 * What a meter measures, from the alias and the I/O type. Neither list is closed (vendor-facts.md 1.2: `emucs-gas`, type
 * `water`), so both are matched by what they contain.
 */
import type { Role } from './payload';

const BY_ALIAS: readonly (readonly [RegExp, Role])[] = [
  [/(^|-)gas(-|$)/, 'gas'],
  [/(^|-)water(-|$)/, 'water'],
  [/^(p1|han|emucs|dlms)(-|$)/, 'grid'],
  [/^usage$/, 'consumption'],
];

const BY_TYPE: readonly (readonly [RegExp, Role])[] = [
  [/gas/, 'gas'],
  [/water/, 'water'],
  [/solar|production/, 'production'],
  [/usage|consumption/, 'consumption'],
  [/^(p1|han|emucs|dlms)/, 'grid'],
];

/**
 * The role of a meter; null where neither tells. The alias decides first, where it names the meter itself (`p1`,
 * `p1-gas`, `usage`); for pulse and Modbus meters (`s01`, `pulse-1`, `mb5`) it names only the connection, and the type
 * decides. A pulse or Modbus meter of unknown type has no role rather than a guessed one: its power is passed on
 * unsigned by any meaning, and its registers keep the names of the specification (use and feed-in).
 */
export function roleOf(alias: string, type: string | null): Role | null {
  return firstMatch(BY_ALIAS, alias) ?? (type === null ? null : firstMatch(BY_TYPE, type));
}

function firstMatch(table: readonly (readonly [RegExp, Role])[], text: string): Role | null {
  const lower = text.trim().toLowerCase();
  return table.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}
