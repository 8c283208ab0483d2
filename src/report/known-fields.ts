/**
 * The places of an answer or a delivery at which this package knows what a field holds. Everywhere else no number, amount or
 * version stays.
 */
import { rows } from '../model/fields';
import type { Place } from './counters';
import type { RequestedPath } from './recording';

/** Names from the root to a member; the entries of a list have the names of the list. */
export type Names = readonly string[];

/** The request or the delivery to which a value belongs. */
export interface Origin {
  /** Alias of the path, or meter of the query. */
  readonly meter: string;
  /** Channel of the query; blank if the answer names its channels. */
  readonly channel: string;
  readonly kind: Place['kind'];
  /** It is about one meter or a delivery, not a list. */
  readonly hasValues: boolean;
  readonly isDelivery?: boolean;
}

/** The origin of the answer to a request. */
export function findAnswerOrigin({ path, query }: RequestedPath): Origin {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [meter = '', channel = ''] = (query['channels'] ?? '').split(':', 2);
  if (meter !== '') return { meter, channel, kind: 'slots', hasValues: true };
  const place = segments.findIndex((segment) => segment === 'realtime' || segment === 'data' || segment === 'totals');
  return {
    meter: segments[place - 1] ?? '',
    channel: '',
    kind: segments[place] === 'data' ? 'slots' : 'reading',
    hasValues: place > 0,
  };
}

export const ofDelivery: Origin = { meter: '', channel: '', kind: 'slots', hasValues: true, isDelivery: true };

/** A member and whether its place is known. */
export interface Field {
  /** Name of the member that holds the value, or of the list it is in. */
  readonly name: string;
  readonly isKnown: boolean;
}

/** `.` is between the names: of the root and the lists, of values, of the public API, and of a delivery. */
const fields: ReadonlySet<string> = new Set(
  `data data.mac data.uid data.name data.type data.version data.core
  data.io_id data.port data.alias data.port_option data.full_id
  io_id time totals promise expires code error message status
  id mac local_ip timezone modules currency name icon icon_color version core type
  meters meters.id meters.key meters.label meters.type meters.role meters.icon meters.icon_color
  meters.channels meters.channels.id meters.channels.key meters.channels.label meters.channels.unit
  meters.channels.aggregation_method
  format cemm cemm.id`.split(/\s+/),
);

const channels: ReadonlySet<string> = new Set(
  Object.values(rows).flatMap((row) => row.channels.map(({ channel }) => channel)),
);

export function isKnownChannel(channel: string): boolean {
  return channels.has(channel);
}

/** True at `data.CHANNEL` and `totals.CHANNEL`, and at `data` itself, which a time series has. */
export function holdsValues(names: Names, { hasValues }: Origin): boolean {
  const [first] = names;
  if (!hasValues) return false;
  return names.length === 2 ? first === 'data' || first === 'totals' : names.length === 1 && first === 'data';
}

/** True at `data.METER.CHANNEL.TOPIC` of a delivery, where the record of a value is. */
export function holdsRecord(names: Names, { isDelivery = false }: Origin): boolean {
  return isDelivery && names.length === 4 && names[0] === 'data';
}

export function fieldAt(names: Names, origin: Origin): Field {
  const name = names.at(-1) ?? '';
  const isInRecord = holdsRecord(names.slice(0, -1), origin) && (name === 'time' || name === 'value');
  const isName = origin.isDelivery === true && names.length <= 4 && names[0] === 'data';
  return { name, isKnown: fields.has(names.join('.')) || holdsValues(names, origin) || isInRecord || isName };
}
