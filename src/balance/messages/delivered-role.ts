/**
 * The role of a delivered meter. Its key is chosen by its owner (https://wiki.cemm.nl/general/publicapi), so what it counts says
 * more: only a smart meter counts by tariff.
 */
import { roleOf } from '../../model/identity';
import type { Role, WebhookReading } from '../../model/payload';

const byTariff = /^energy_(import|export)_t[12]_kwh$/;
/** Whole words, because `zonwering` is a consumer. */
const solarWords =
  /(^|[^\p{L}])(zon|zonnepanelen|panelen|omvormer|solar|sun|pv|inverter|wechselrichter|photovoltaik|solaire|onduleur)([^\p{L}]|$)/iu;

/** Null for a meter that counts only where it is named, such as that of a battery. */
export function deliveredRole(readings: readonly WebhookReading[], key: string): Role | null {
  const fields = readings.filter(({ meter }) => meter === key).map(({ field }) => field);
  if (fields.some((field) => byTariff.test(field))) return 'grid';
  const known = roleOf(key, null);
  if (known !== null) return known;
  return solarWords.test(key) && fields.some((field) => field.startsWith('energy_export')) ? 'production' : null;
}
