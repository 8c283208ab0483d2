const enough = 30;

/** The zones whose name holds the text, with `_` and blank the same: `new york` finds `America/New_York`. */
export function matchingZones(zones: readonly string[], text: string): string[] {
  const wanted = text.trim().toLowerCase().replace(/ /g, '_');
  return zones.filter((zone) => zone.toLowerCase().includes(wanted)).slice(0, enough);
}
