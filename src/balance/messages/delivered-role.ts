/**
 * The role of a delivered meter. Its key is chosen by its owner (https://wiki.cemm.nl/general/publicapi), so what it counts says
 * more: only a smart meter counts by tariff. A monitor may have a webhook for each meter, so what counts is what it has delivered
 * so far, not what is in one delivery.
 */
import { deliveredMeter } from '../../model/delivered-meters';
import { mediumOfKey, roleOf } from '../../model/identity';
import type { Role, WebhookPayload } from '../../model/payload';
import { dayMs } from '../../protocol/time';
import type { BalanceRole } from '../meters/amounts';
import { type MonitorRows, roleByRow } from '../../model/meter-table';
import { type MeterChoice, roleInBalance } from '../meters/choice';
import type { MessagesState } from './state';

/** Channels that say what a meter is: a counter by tariff, a counter of export, a power that may be that of a source. */
export const deliveredKinds = ['tariff', 'export', 'power'] as const;
type DeliveredKind = (typeof deliveredKinds)[number];

interface DeliveredMeter {
  /** Its newest delivery, epoch ms. */
  readonly last: number;
  readonly kinds: readonly DeliveredKind[];
  /** The role that its row in the meters of the connection has; absent without one. */
  readonly role?: Role;
}

/** By key. */
export type DeliveredMeters = Readonly<Record<string, DeliveredMeter>>;

const kindOf: readonly (readonly [DeliveredKind, RegExp])[] = [
  ['tariff', /^energy_(import|export)_t[12]_kwh$/],
  ['export', /^energy_export/],
  ['power', /^power_(w$|export)/],
];

/** More than a house has. */
const mostMeters = 50;
const keptMs = 400 * dayMs;

/** The meters known so far, with those of a delivery. */
export function withDelivered(known: DeliveredMeters, payload: WebhookPayload): DeliveredMeters {
  const { readings, ts } = payload;
  const found = new Map(Object.entries(known).filter(([, { last }]) => last >= ts - keptMs));
  for (const { meter, field } of readings) {
    const before = found.get(meter) ?? { last: ts, kinds: [] };
    if (!found.has(meter) && found.size >= mostMeters) continue;
    const shown = kindOf.flatMap(([kind, pattern]) => (pattern.test(field) ? kind : []));
    const kinds = deliveredKinds.filter((kind) => before.kinds.includes(kind) || shown.includes(kind));
    const { role } = deliveredMeter(payload, meter);
    found.set(meter, { last: Math.max(before.last, ts), kinds, ...(role !== undefined && { role }) });
  }
  return Object.fromEntries(found);
}

/** The newer one decides the role of a meter that both have. */
export function joinDelivered(
  older: DeliveredMeters | undefined,
  newer: DeliveredMeters | undefined,
): DeliveredMeters | undefined {
  if (older === undefined || newer === undefined) return newer ?? older;
  const joined = new Map(Object.entries(older));
  for (const [key, meter] of Object.entries(newer)) {
    const { last, kinds } = joined.get(key) ?? meter;
    const all = deliveredKinds.filter((kind) => kinds.includes(kind) || meter.kinds.includes(kind));
    joined.set(key, { ...meter, last: Math.max(last, meter.last), kinds: all });
  }
  return Object.fromEntries(joined);
}

/** Whole words, because `zonwering` is a consumer. */
const solarWords =
  /(^|[^\p{L}])(zon|zonnepanelen|panelen|omvormer|solar|sun|pv|inverter|wechselrichter|photovoltaik|solaire|onduleur)([^\p{L}]|$)/iu;

type RoleIn = (meter: string, own: Role | null) => BalanceRole | null;

/** The role that a meter of a message counts in; null: it does not count. */
export function roleOfMessage(choice: MeterChoice, meter: string, role: Role | null): BalanceRole | null {
  return roleInBalance(choice, meter, role ?? roleOf(meter, null) ?? mediumOfKey(meter));
}

/** The role in which a meter that has sent something counts now: lists and rows may have changed since. */
export function roleOfKept(
  { meters, delivered = {} }: MessagesState,
  choice: MeterChoice,
  rows: MonitorRows,
): (name: string) => BalanceRole | null {
  return (name) => {
    const isDelivered = Object.hasOwn(delivered, name);
    const own = isDelivered
      ? ownRole(delivered, name)
      : ((Object.hasOwn(meters, name) ? meters[name] : null)?.role ?? null);
    const role = roleByRow(rows.of(name), own);
    return rows.isLeftOut(name) ? null : roleOfMessage(choice, name, role);
  };
}

/** Null for a meter that counts only where it is named, such as that of a battery. */
export function deliveredRole(meters: DeliveredMeters, key: string, roleIn: RoleIn): BalanceRole | null {
  return roleIn(key, null) ?? roleIn(key, ownRole(meters, key));
}

/**
 * The meters that may be an inverter or a battery, and that nothing and nobody names: without them the use of the house is unknown.
 * @param since epoch ms; earlier deliveries do not count
 */
export function unknownSources(meters: DeliveredMeters, choice: MeterChoice, since: number): string[] {
  return Object.entries(meters).flatMap(([key, { last, kinds }]) => {
    const maySupply = kinds.includes('export') || kinds.includes('power');
    const isNamed = ownRole(meters, key) !== null || roleInBalance(choice, key, null) !== null;
    // A list of inverters decides alone.
    return last >= since && maySupply && !isNamed && choice.production === null ? [key] : [];
  });
}

function ownRole(meters: DeliveredMeters, key: string): Role | null {
  const { kinds = [], role = null } = (Object.hasOwn(meters, key) ? meters[key] : undefined) ?? {};
  if (role !== null) return role;
  if (kinds.includes('tariff')) return 'grid';
  const known = roleOf(key, null) ?? mediumOfKey(key);
  if (known !== null) return known;
  return solarWords.test(key) && kinds.includes('export') ? 'production' : null;
}
