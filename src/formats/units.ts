/** Units: the one that stands in a field's name, and one spelling for each. */

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^(power(_\w+)?|home_power)_w$/, 'W'],
  [/^(energy_\w+|home_energy)_kwh$/, 'kWh'],
  [/^(gas|water|volume)(_reading)?_m3$/, 'm³'],
  [/^(gas|flow)_lpm$/, 'L/min'],
  [/^voltage(_l[1-3])?_v$/, 'V'],
  [/^price_\w+$/, 'currency/kWh'],
];

/** Null for what has none (`tariff`) and for names that are not this package's own. */
export function unitOfField(field: string): string | null {
  return ENDINGS.find(([pattern]) => pattern.test(field))?.[1] ?? null;
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['m3', 'm³'],
  ['l', 'L'],
  ['l/min', 'L/min'],
  ['lpm', 'L/min'],
  ['w', 'W'],
  ['kw', 'kW'],
  ['wh', 'Wh'],
  ['kwh', 'kWh'],
  ['v', 'V'],
]);

/** A monitor's own word for a unit in the spelling used here; a word that is not known is kept. */
export function unitSpelling(unit: string | null): string | null {
  if (unit === null || unit.trim() === '') return null;
  return SPELLINGS.get(unit.trim().toLowerCase()) ?? unit.trim();
}
