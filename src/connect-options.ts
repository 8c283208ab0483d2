/** The options of `connect()` and `discover()`, one table for each kind of connection. */
import type {
  Cemm3ConnectOptions,
  ConnectOptions,
  DemoConnectOptions,
  LocalConnectOptions,
  RemoteConnectOptions,
} from './connect';
import type { DiscoverOptions } from './discover';
import { CemmError } from './errors';
import {
  abortSignal,
  checkArgument,
  checkOptions,
  described,
  flag,
  type Kind,
  milliseconds,
  needed,
  object,
  oneOf,
  type OptionTable,
  port,
  text,
  unknownOption,
} from './options';

const discoverTable: OptionTable<DiscoverOptions> = {
  waitMs: milliseconds,
  broadcast: described(text, 'a text: an IPv4 address'),
  signal: abortSignal,
  allowLoopback: flag,
  port,
};

const { waitMs, broadcast } = discoverTable;
const searchTable: OptionTable<NonNullable<LocalConnectOptions['search']>> = { waitMs, broadcast, port };

const timezone = described(text, 'a text: an IANA name, such as Europe/Amsterdam');
const keepIn = described(text, 'a text: the path of a folder');
const mac = described(text, 'a text: 12 hexadecimal digits');
const host = needed(described(text, 'a text: the address of a monitor, such as 192.168.1.20'));
const common = { deadlineMs: milliseconds, timezone };

const remote: OptionTable<RemoteConnectOptions> = {
  apiKey: needed(described(text, 'a text: the key that CEMM gave you')),
  baseUrl: text,
  keepIn,
  ...common,
};
const local: OptionTable<LocalConnectOptions> = {
  ...{ host, mac, allowLoopback: flag, generation: oneOf([2, 3]), search: object },
  ...{ keepIn, ...common },
};
const cemm3: OptionTable<Cemm3ConnectOptions> = {
  host,
  mac,
  allowLoopback: flag,
  generation: oneOf([2, 3]),
  ...common,
};
const demo: OptionTable<DemoConnectOptions> = { demo: needed(oneOf([true])), ...common };

const ways = ['apiKey', 'host', 'demo'] as const;

/**
 * Checks the names and kinds of all options, not yet what their texts say.
 * @returns the options without the ways that are undefined, such as `apiKey` in `{ host: '…', apiKey: process.env.KEY }`
 * @throws {CemmError} CONFIG `mode`, `option_missing`, `option_type`, `option_unknown`
 */
export function checkConnectOptions(options: ConnectOptions | undefined): ConnectOptions {
  if (options === undefined) throw new CemmError('CONFIG', { reason: 'mode' });
  checkArgument('CONFIG', 'options', options, object);
  const given = { ...options };
  const named = ways.filter((way) => way in given);
  for (const way of named) if (Reflect.get(given, way) === undefined) Reflect.deleteProperty(given, way);
  const [way, ...others] = ways.filter((name) => name in given);
  if (others.length > 0) throw new CemmError('CONFIG', { reason: 'mode' });
  const chosen = way ?? named[0];
  if (chosen === undefined) throw withoutWay(given);
  const table: Readonly<Record<string, Kind>> = {
    apiKey: remote,
    host: 'generation' in given && given.generation === 3 ? cemm3 : local,
    demo,
  }[chosen];
  const value: unknown = Reflect.get(given, chosen);
  // First, because it is what the other options depend on.
  checkArgument('CONFIG', chosen, value, table[chosen] ?? object);
  checkOptions('CONFIG', given, table);
  if ('search' in given && given.search !== undefined) checkOptions('CONFIG', given.search, searchTable, 'search');
  return given;
}

/** A misspelled way is named; otherwise the ways are. */
function withoutWay(given: object): CemmError {
  const known = [...ways, ...Object.keys({ ...remote, ...local, ...demo })];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  return unknown === undefined || unknown === 'mode'
    ? new CemmError('CONFIG', { reason: 'mode' })
    : unknownOption('CONFIG', unknown, [...new Set(known)]);
}

/** @throws {CemmError} CONFIG `option_type`, `option_unknown` */
export function checkDiscoverOptions(options: DiscoverOptions): void {
  checkOptions('CONFIG', options, discoverTable);
}
