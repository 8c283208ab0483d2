/**
 * The role of a delivered meter. Its key is chosen by its owner (https://wiki.cemm.nl/general/publicapi), so what it counts says
 * more: only a smart meter counts by tariff. A monitor may have a webhook for each meter, so what counts is what it has delivered
 * so far, not what is in one delivery.
 */
import { deliveredMeter } from '../../model/delivered-meters';
import { mediumOfKey, roleOf } from '../../model/identity';
import type { RowRole } from '../../model/meter-rows';
import type { Role, WebhookPayload } from '../../model/payload';
import { dayMs } from '../../time/units';
import type { BalanceRole } from '../meters/amounts';
import { type MonitorRows, noRows, roleByRow } from '../../model/meter-table';
import { type MeterChoice, roleInBalance } from '../meters/choice';
import { deliveredKinds, type DeliveredKind, type DeliveredMeters, type MessagesState } from './state';

const kindOf: readonly (readonly [DeliveredKind, RegExp])[] = [
  ['tariff', /^energy_(import|export)_t[12]_kwh$/],
  ['export', /^energy_export/],
  ['power', /^power_(w$|export)/],
];

/** The kinds of channels that the fields of a meter show. */
export function kindsOfFields(fields: readonly string[]): DeliveredKind[] {
  return kindOf.flatMap(([kind, pattern]) => (fields.some((field) => pattern.test(field)) ? kind : []));
}

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
    const shown = kindsOfFields([field]);
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

/** The keys that monitors themselves give to a smart meter. */
const gridWords = /(^|[^\p{L}])(smartmeter|slimme ?meter|hoofdmeter|dsmr)([^\p{L}]|$)/iu;

/** @param ofRow its role in the meters of the connection that received it; null without one */
export type RoleIn = (meter: string, own: Role | null, ofRow: Role | null) => BalanceRole | null;

/** The role that a meter of a message counts in; null: it does not count. */
export function roleOfMessage(
  choice: MeterChoice,
  meter: string,
  role: Role | null,
  ofRow: RowRole | null = null,
): BalanceRole | null {
  return roleInBalance(choice, meter, role ?? roleOf(meter, null) ?? mediumOfKey(meter), ofRow);
}

/** The role in which a meter that has sent something counts now: lists and rows may have changed since. */
export function roleOfKept(
  { meters, delivered = {} }: MessagesState,
  choice: MeterChoice,
  rows: MonitorRows,
): (name: string) => BalanceRole | null {
  return (name) => {
    const row = rows.of(name);
    const own = Object.hasOwn(delivered, name)
      ? ownRole(delivered, name)
      : ((Object.hasOwn(meters, name) ? meters[name] : null)?.role ?? null);
    return roleOfMessage(choice, name, roleByRow(row, own), row?.role ?? rowRole(delivered, name));
  };
}

/** Null for a meter that counts only where it is named, such as that of a battery. */
export function deliveredRole(meters: DeliveredMeters, key: string, roleIn: RoleIn): BalanceRole | null {
  return roleIn(key, null, null) ?? roleIn(key, ownRole(meters, key), rowRole(meters, key));
}

/** The role that its row gives to a delivered meter; null without one. */
function rowRole(meters: DeliveredMeters, key: string): Role | null {
  return (Object.hasOwn(meters, key) ? meters[key]?.role : undefined) ?? null;
}

/**
 * The meters that may be an inverter or a battery, and that nothing and nobody names: without them the use of the house is unknown.
 * @param since epoch ms; earlier deliveries do not count
 */
export function unknownSources(
  meters: DeliveredMeters,
  choice: MeterChoice,
  since: number,
  rows: MonitorRows = noRows,
): string[] {
  return Object.entries(meters).flatMap(([key, { last, kinds }]) => {
    const maySupply = kinds.includes('export') || kinds.includes('power');
    // A row may be newer than the deliveries: what it leaves out, or calls a consumer, is no source of before either.
    const ofRow = rows.of(key)?.role ?? null;
    const isNoSource = ofRow === 'none' || ofRow === 'consumption';
    const isNamed = isNoSource || ownRole(meters, key) !== null || roleInBalance(choice, key, null) !== null;
    // A list of inverters decides alone.
    return last >= since && maySupply && !isNamed && choice.production === null ? [key] : [];
  });
}

function ownRole(meters: DeliveredMeters, key: string): Role | null {
  const { kinds = [] } = (Object.hasOwn(meters, key) ? meters[key] : undefined) ?? {};
  const role = rowRole(meters, key);
  if (role !== null) return role;
  if (kinds.includes('tariff')) return 'grid';
  const known = roleOf(key, null) ?? mediumOfKey(key);
  if (known !== null) return known;
  if (gridWords.test(key)) return 'grid';
  return solarWords.test(key) && kinds.includes('export') ? 'production' : null;
}
