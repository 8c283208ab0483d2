/** The options of `connect()` and `discover()`, one table for each kind of connection. */
import { CemmError } from '../errors';
import {
  abortSignal,
  checkArgument,
  checkOptions,
  described,
  flag,
  type Kind,
  list,
  milliseconds,
  needed,
  object,
  oneOf,
  type OptionTable,
  text,
  unknownOption,
  wholeNumber,
} from '../checks/options';
import type { StoredMeterRow } from '../model/meter-rows';

/** Options of every connection. */
export interface CommonConnectOptions {
  /**
   * The meters of the house: their names, and roles other than those that the monitor gives them. A role of a method, or a list of
   * `balance()`, comes first. Default: the meters as the monitor describes them.
   */
  readonly meters?: readonly StoredMeterRow[] | undefined;
  /** Default timeout of one operation with its retries, in ms. Default 25 000. */
  readonly deadlineMs?: number | undefined;
}

interface KeepOptions {
  /**
   * Folder in which days that are over are kept for `series()` and `balance()`, so that each is requested once; created when
   * needed. At most 500 MB. It shows when people are at home. Where it cannot be used, a process warning (`KEPT_DAYS`)
   * says so, and days are requested again. Default: nothing is kept.
   */
  readonly keepIn?: string | undefined;
}

/** A monitor through the remote Open API, with an API key from CEMM. */
export interface RemoteConnectOptions extends CommonConnectOptions, KeepOptions {
  readonly apiKey: string;
  /** Default `https://open-api.cemm.nl/v1/`; ends in a version segment. */
  readonly baseUrl?: string | undefined;
  /** IANA time zone of the house. Decides when a day begins. Default `Europe/Amsterdam`. */
  readonly timezone?: string | undefined;
}

export interface HostOptions extends CommonConnectOptions {
  /** `host`, `host:port` or `http://host:port`; an address of a local network. */
  readonly host: string;
  /** MAC address of the monitor, in any spelling. Another monitor at this host is then an error (`WRONG_MONITOR`). */
  readonly mac?: string | undefined;
  /** Accepts an address of this machine, such as that of the simulator. Default false. */
  readonly allowLoopback?: boolean | undefined;
}

/** A monitor in the same network, through its Local Open API. */
export interface LocalConnectOptions extends HostOptions, KeepOptions {
  readonly generation?: 2 | undefined;
  /**
   * Search for a monitor that no longer answers at its address; options as those of `discover()`. The connection moves to an
   * address where the same MAC address answers.
   */
  readonly search?: Pick<DiscoverOptions, 'waitMs' | 'broadcast' | 'port'> | undefined;
  /** IANA time zone of the house. Decides when a day begins. Default `Europe/Amsterdam`. */
  readonly timezone?: string | undefined;
}

/** A CEMM 3.0 in the same network, through its public API. */
export interface Cemm3ConnectOptions extends HostOptions {
  readonly generation: 3;
  /** IANA time zone of the house. Default: the monitor's own setting. */
  readonly timezone?: string | undefined;
}

/** A simulated monitor, started on a free port of this machine. */
export interface DemoConnectOptions extends CommonConnectOptions {
  readonly demo: true;
  /** IANA time zone of the simulated house. Default `Europe/Amsterdam`. */
  readonly timezone?: string | undefined;
}

export type ConnectOptions = RemoteConnectOptions | LocalConnectOptions | Cemm3ConnectOptions | DemoConnectOptions;

export interface DiscoverOptions {
  /** Time for collecting answers, in ms, at most 600 000. Default 5 000; monitors answer within a second. */
  readonly waitMs?: number | undefined;
  /** IPv4 address to send the query to. Default: the broadcast address of every IPv4 network of this machine. */
  readonly broadcast?: string | undefined;
  /** Ends the search, with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
  /** Also accepts answers from this machine, such as the simulator. Default false. */
  readonly allowLoopback?: boolean | undefined;
  /** UDP port of the monitors. Default 9777. */
  readonly port?: number | undefined;
}

const discoverTable: OptionTable<DiscoverOptions> = {
  waitMs: wholeNumber(0, 600_000),
  broadcast: described(text, 'a text: an IPv4 address'),
  signal: abortSignal,
  allowLoopback: flag,
  port: wholeNumber(1, 65_535),
};

const { waitMs, broadcast, port } = discoverTable;
const searchTable: OptionTable<NonNullable<LocalConnectOptions['search']>> = { waitMs, broadcast, port };

const timezone = described(text, 'a text: an IANA name, such as Europe/Amsterdam');
const keepIn = described(text, 'a text: the path of a folder');
const mac = described(text, 'a text: 12 hexadecimal digits');
const host = needed(described(text, 'a text: the address of a monitor, such as 192.168.1.20'));
const common = { deadlineMs: milliseconds, timezone, meters: described(list, 'a list of { meter, name, role }') };

const remote: OptionTable<RemoteConnectOptions> = {
  apiKey: needed(described(text, 'a text: the key that CEMM gave you')),
  baseUrl: text,
  keepIn,
  ...common,
};
const local: OptionTable<LocalConnectOptions> = {
  host,
  mac,
  allowLoopback: flag,
  generation: oneOf([2, 3]),
  search: object,
  keepIn,
  ...common,
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
