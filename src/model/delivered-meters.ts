/** The meters of a delivery in the words of the connection: their roles and names, and those that are no part of the house. */
import { presentParts } from '../checks/record';
import type { MonitorRows } from './meter-table';
import type { DeliveredMeter, WebhookPayload } from './payload';
import type { CatalogueMeter, DeliveryCatalogue } from './public-meters';

const unknownMeter: CatalogueMeter = { label: null, type: null, role: null, channels: new Map() };

/** The catalogue with the roles of the rows. */
export function catalogueWithRows(catalogue: DeliveryCatalogue, rows: MonitorRows): DeliveryCatalogue {
  const described = rows.all.flatMap(({ role, meters }) =>
    role === null
      ? []
      : meters.map(({ name }): [string, CatalogueMeter] => {
          const known = catalogue.get(name) ?? unknownMeter;
          return [name, { ...known, ...(role === 'none' ? { isLeftOut: true } : { chosenRole: role }) }];
        }),
  );
  return new Map([...catalogue, ...described]);
}

/** Roles and names of the delivered meters that have a row; null if none has. */
export function deliveredMeters(keys: Iterable<string>, rows: MonitorRows): Record<string, DeliveredMeter> | null {
  const found = [...new Set(keys)].flatMap((key): [string, DeliveredMeter][] => {
    const row = rows.of(key);
    if (row === null || row.role === 'none') return [];
    const { name, role } = row;
    return [[key, presentParts({ name, role })]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** Name and role of a delivered meter in the connection of the receiver. */
export function deliveredMeter({ meters = {} }: Pick<WebhookPayload, 'meters'>, key: string): DeliveredMeter {
  return (Object.hasOwn(meters, key) ? meters[key] : undefined) ?? {};
}

/** A delivery of a node without these rows. */
export function describeDelivered(payload: WebhookPayload, rows: MonitorRows): WebhookPayload {
  const readings = payload.readings.filter(({ meter }) => !rows.isLeftOut(meter));
  const values = Object.fromEntries(Object.entries(payload.values).filter(([meter]) => !rows.isLeftOut(meter)));
  const keys = readings.map(({ meter }) => meter);
  const meters = { ...deliveredMeters(keys, rows), ...payload.meters };
  return { ...payload, readings, values, ...(Object.keys(meters).length > 0 && { meters }) };
}
