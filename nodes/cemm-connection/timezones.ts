/** What the time zone field of a connection proposes. */
import { connectionDefaults, type ConnectionMode } from './config';

const mostProposals = 30;

/** The zones whose name contains the text, with `_` and blank the same: `new york` finds `America/New_York`. */
export function matchingZones(zones: readonly string[], text: string): string[] {
  const wanted = text.trim().toLowerCase().replace(/ /g, '_');
  return zones.filter((zone) => zone.toLowerCase().includes(wanted)).slice(0, mostProposals);
}

/** The default is removed for a monitor that knows its own time zone, and put back for one that does not. */
export function zoneFor(mode: ConnectionMode, typed: string): string {
  const zone = typed.trim();
  if (mode === 'public') return zone === connectionDefaults.timezone ? '' : zone;
  return zone === '' ? connectionDefaults.timezone : zone;
}
