/** What a meter of a CEMM 3.0 measures, from the monitor's own words only: its keys are chosen by people and mean nothing. */
import type { Role } from './payload';

/** `grid-connection` and `electricity` were seen; the list of words is not public, so they are matched by what they contain. */
const roles: readonly (readonly [RegExp, Role])[] = [
  [/grid/, 'grid'],
  [/solar|production|inverter/, 'production'],
  [/consum|usage/, 'consumption'],
  [/gas/, 'gas'],
  [/water/, 'water'],
];

/** The first of the words (role before type) that tells; null where none does. */
export function roleOfWords(...words: readonly (string | null | undefined)[]): Role | null {
  for (const word of words) {
    const found = roles.find(([pattern]) => word !== undefined && word !== null && pattern.test(word.toLowerCase()));
    if (found !== undefined) return found[1];
  }
  return null;
}
