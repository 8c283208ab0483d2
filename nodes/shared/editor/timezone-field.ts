/** A text field that proposes the names of the browser's time zone database; any other name can still be typed. */
import type { Suggestion } from './red';

const enough = 30;

/** Those that hold the text, with `_` and blank the same: `new york` finds `America/New_York`. */
export function matchingZones(zones: readonly string[], text: string): string[] {
  const wanted = text.trim().toLowerCase().replace(/ /g, '_');
  return zones.filter((zone) => zone.toLowerCase().includes(wanted)).slice(0, enough);
}

export function suggestTimezones(field: JQuery): void {
  const zones = Intl.supportedValuesOf('timeZone');
  field.autoComplete({
    search: (text): Suggestion[] => matchingZones(zones, text).map((zone) => ({ value: zone, label: zone })),
  });
}
