/** Suggestions for the time zone field of a connection. */
import type { ConnectionMode } from './config';

const mostProposals = 30;

/** The zones with the text in their name. `_` and blank are equal: `new york` finds `America/New_York`. */
export function matchingZones(zones: readonly string[], text: string): string[] {
  const wanted = text.trim().toLowerCase().replace(/ /g, '_');
  return zones.filter((zone) => zone.toLowerCase().includes(wanted)).slice(0, mostProposals);
}

/** Removes the default for a monitor that has its own time zone, and restores it for other monitors. */
export function zoneFor(mode: ConnectionMode, typed: string, usual: string): string {
  const zone = typed.trim();
  if (mode === 'public') return zone === usual ? '' : zone;
  return zone === '' ? usual : zone;
}
