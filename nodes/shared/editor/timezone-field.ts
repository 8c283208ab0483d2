/** A text field that proposes the names of the browser's time zone database; any other name can still be typed. */
import { matchingZones } from './matching-zones';

export function suggestTimezones(field: JQuery): void {
  const zones = Intl.supportedValuesOf('timeZone');
  field.autoComplete({ search: (text) => matchingZones(zones, text).map((zone) => ({ value: zone, label: zone })) });
}
