/**
 * The role of a delivered meter. Its key is chosen by its owner (https://wiki.cemm.nl/general/publicapi), so what it counts says
 * more: only a smart meter counts by tariff. Without the meter of an inverter the use of the house is wrong, so no meter of electricity
 * has a role of its own as long as a meter that may be one has none.
 */
import { deliveredMeter } from '../../model/delivered-meters';
import { roleOf } from '../../model/identity';
import type { Role, WebhookPayload, WebhookReading } from '../../model/payload';
import type { BalanceRole } from '../meters/amounts';

const byTariff = /^energy_(import|export)_t[12]_kwh$/;
/** Whole words, because `zonwering` is a consumer. */
const solarWords =
  /(^|[^\p{L}])(zon|zonnepanelen|panelen|omvormer|solar|sun|pv|inverter|wechselrichter|photovoltaik|solaire|onduleur)([^\p{L}]|$)/iu;

/** The role that a meter of a message counts in; null: it does not count. */
type RoleIn = (meter: string, own: Role | null) => BalanceRole | null;

type Delivered = Pick<WebhookPayload, 'readings' | 'meters'>;

/** Null for a meter that counts only where it is named, such as that of a battery. */
export function deliveredRole(delivered: Delivered, key: string, roleIn: RoleIn): BalanceRole | null {
  const named = roleIn(key, null);
  if (named !== null) return named;
  const described = deliveredMeter(delivered, key).role;
  if (described !== undefined) return roleIn(key, described);
  const { readings } = delivered;
  const role = roleIn(key, ownRole(readings, key));
  const isElectric = role === 'grid' || role === 'production';
  return isElectric && hasUnknownSource(delivered, roleIn) ? null : role;
}

/** True if the delivery has a meter that counts export, like an inverter, and that nothing and nobody names. */
function hasUnknownSource(delivered: Delivered, roleIn: RoleIn): boolean {
  const { readings } = delivered;
  return readings.some(
    ({ meter, field }) =>
      /^(energy|power)_export/.test(field) &&
      deliveredMeter(delivered, meter).role === undefined &&
      ownRole(readings, meter) === null &&
      roleIn(meter, null) === null &&
      roleIn(meter, 'production') !== null,
  );
}

function ownRole(readings: readonly WebhookReading[], key: string): Role | null {
  const fields = readings.filter(({ meter }) => meter === key).map(({ field }) => field);
  if (fields.some((field) => byTariff.test(field))) return 'grid';
  const known = roleOf(key, null);
  if (known !== null) return known;
  return solarWords.test(key) && fields.some((field) => field.startsWith('energy_export')) ? 'production' : null;
}
