/** The unit of a field, by its name, and the spelling of units that monitors send. */

const unitsOfFields: readonly (readonly [RegExp, string])[] = [
  [/^(power(_\w+)?|home_power|peak_(power|expected))_w$/, 'W'],
  [/^(energy_\w+|home_energy)_kwh$/, 'kWh'],
  [/^(gas|water|volume)(_reading)?_m3$/, 'm³'],
  [/^(gas|flow)_lpm$/, 'L/min'],
  [/^voltage(_l[1-3])?_v$/, 'V'],
  [/^price_\w+$/, 'currency/kWh'],
];

/** The unit in the name of a field; null for fields without one (`tariff`) and for names of unknown channels. */
export function unitOfField(field: string): string | null {
  return unitsOfFields.find(([pattern]) => pattern.test(field))?.[1] ?? null;
}

const unitSpellings: ReadonlyMap<string, string> = new Map([
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

/** The unit of a monitor in the spelling of this package. An unknown unit is kept. */
export function unitSpelling(unit: string | null): string | null {
  if (unit === null || unit.trim() === '') return null;
  return unitSpellings.get(unit.trim().toLowerCase()) ?? unit.trim();
}
