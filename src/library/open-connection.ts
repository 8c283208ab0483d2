/** Opens a connection: the client of its kind, one connection that all who use it share, and the balances of the house. */
import { Balances, type HouseBalances } from '../balance/balances';
import { DayBalances } from '../balance/day-sums/day-balances';
import { hostOrigin, parseLocalHost } from '../clients/address';
import type { MonitorClient } from '../clients/client';
import type { Http } from '../clients/http';
import { createLocalClient, type LocalClient } from '../clients/local-client';
import { createPublicClient } from '../clients/public-client';
import { createRemoteClient } from '../clients/remote-client';
import { systemClock } from '../time/clock';
import type { MonitorConnection } from '../connection/connection';
import { createOpenApiConnection, type OpenApiConnectionOptions } from '../connection/open-api-connection';
import { createPublicConnection } from '../connection/public-connection';
import type { Shard } from '../connection/shard';
import { verifyMonitor } from '../discovery/probe-host';
import type { SearchResult } from '../discovery/search';
import type { ContractRow } from '../balance/prices/contract-rows';
import { startDemo } from './demo';
import { type DemoNames, demoRows } from './demo-meters';
import type { MeterRow } from '../model/meter-rows';
import { MeterTable } from '../model/meter-table';
import type { MonitorId } from '../protocol/mac';
import { PastDays } from '../store/past-days';

interface CommonSettings {
  /** IANA zone of the installation. */
  readonly timezone: string;
  /** Default timeout of one operation, in ms. */
  readonly deadlineMs: number;
  /** Null: timers poll all monitors. */
  readonly shard: Shard | null;
  /** The meters of the house; absent: none is described. */
  readonly meters?: readonly MeterRow[];
  /** The contracts of the house; absent: none. */
  readonly contracts?: readonly ContractRow[];
}

export interface AddressSettings {
  readonly host: string;
  readonly monitor: MonitorId | null;
  readonly allowLoopback: boolean;
}

export interface PublicSettings extends Omit<CommonSettings, 'timezone'>, AddressSettings {
  readonly mode: 'public';
  /** Null: the monitor's own. */
  readonly timezone: string | null;
}

export type OpenApiSettings = CommonSettings &
  (
    | { readonly mode: 'remote'; readonly baseUrl: string; readonly apiKey: string }
    | ({
        readonly mode: 'local';
        /** The past is read in the background; absent: it is not. */
        readonly readBack?: boolean;
      } & AddressSettings)
    | {
        readonly mode: 'demo';
        /** Default: English. */
        readonly demoNames?: DemoNames | undefined;
      }
  );

/** Settings of a connection, checked. */
export type ConnectionSettings = OpenApiSettings | PublicSettings;

/** Follows a local monitor to a new address. */
export interface Following {
  readonly search: (options: {
    readonly signal: AbortSignal;
    readonly allowLoopback: boolean;
  }) => Promise<SearchResult>;
  /** Called when the connection uses another address. */
  readonly onMoved?: (monitor: MonitorId, host: string) => void;
}

export interface OpenedConnection {
  readonly connection: MonitorConnection;
  readonly balances: HouseBalances;
  /** The sums of days of a CEMM 3.0, for its added up messages; null for other monitors. */
  readonly days: DayBalances | null;
  /** Cancels everything in flight and closes all sockets. */
  readonly close: () => Promise<void>;
}

/**
 * @param following without it a local connection keeps its address
 * @param past keeps what is over; never used for the demo monitor
 * @throws {CemmError} CONFIG; NETWORK `demo_start`
 */
export async function openConnection(
  settings: ConnectionSettings,
  following?: Following,
  past: PastDays | null = null,
): Promise<OpenedConnection> {
  return settings.mode === 'public' ? openPublic(settings, past) : openOpenApi(settings, following, past);
}

/** A CEMM 3.0 does not answer discovery, so it cannot be found at another address. */
function openPublic(settings: PublicSettings, past: PastDays | null): OpenedConnection {
  const { host, monitor, allowLoopback, timezone, deadlineMs, shard } = settings;
  const meters = new MeterTable(settings.meters);
  const client = createPublicClient({ host, mac: monitor, allowLoopback });
  const kept = past ?? inMemory();
  // A MAC address that is filled in later is another owner: what was kept before may be of another monitor.
  const owner = `public ${host} ${monitor ?? ''}`;
  const connection = createPublicConnection({ client, timezone, deadlineMs, shard, host, meters, past: kept, owner });
  const days = new DayBalances({ reader: connection, past: kept, clock: systemClock });
  return {
    connection,
    balances: days,
    days,
    async close() {
      days.close();
      await connection.close();
      client.close();
      await kept.flush();
    },
  };
}

async function openOpenApi(
  settings: OpenApiSettings,
  following: Following | undefined,
  past: PastDays | null,
): Promise<OpenedConnection> {
  const { mode, timezone, deadlineMs, shard } = settings;
  const { client, close, ...address } = await createClient(settings, following);
  // Without a folder, what is over is kept until the connection closes, by the same rules.
  const kept = (mode === 'demo' ? null : past) ?? inMemory();
  const meters = new MeterTable(chooseMeterRows(settings));
  const common = { timezone, deadlineMs, shard, past: kept, owner: nameOwner(settings), meters };
  const connection = createOpenApiConnection({ client, transport: mode, ...common, ...address });
  // Without a folder it would be read again after each start.
  const readsBack = mode === 'local' && settings.readBack === true && past !== null;
  const balances = new Balances({ reader: connection, clock: systemClock, readsBack });
  return {
    connection,
    balances,
    days: null,
    async close() {
      balances.close();
      await connection.close();
      client.close();
      await Promise.all([kept.flush(), close?.()]);
    },
  };
}

/** Names what the connection leads to. The store contains a hash of it. */
function nameOwner(settings: OpenApiSettings): string {
  switch (settings.mode) {
    case 'remote':
      return `remote ${settings.baseUrl} ${settings.apiKey}`;
    case 'local':
      return `local ${settings.host}`;
    case 'demo':
      return 'demo';
  }
}

function chooseMeterRows(settings: OpenApiSettings): readonly MeterRow[] {
  const { meters = [] } = settings;
  return settings.mode === 'demo' ? demoRows(meters, settings.demoNames) : meters;
}

function inMemory(): PastDays {
  return new PastDays({ folder: null, clock: systemClock, onProblem: () => undefined });
}

interface OpenApiClient extends Pick<OpenApiConnectionOptions, 'host' | 'relocation'> {
  readonly client: MonitorClient;
  /** Closes additional resources of this connection. */
  readonly close?: () => Promise<void>;
}

async function createClient(settings: OpenApiSettings, following: Following | undefined): Promise<OpenApiClient> {
  switch (settings.mode) {
    case 'remote':
      return { client: createRemoteClient(settings) };
    case 'local': {
      const { host, monitor, allowLoopback } = settings;
      const client = createLocalClient({ host, mac: monitor, allowLoopback });
      if (following === undefined) return { client, host };
      return { client, host, relocation: relocationOf(client, settings, following) };
    }
    case 'demo': {
      const demo = await startDemo(settings.timezone);
      const whenReady = (http: Http): Http => ({
        get: async (request) => {
          await demo.ready;
          return http.get(request);
        },
        close: () => {
          http.close();
        },
      });
      const client = createLocalClient({
        host: demo.address,
        allowLoopback: true,
        isInProcess: true,
        wrapHttp: whenReady,
      });
      return { client, host: demo.address, close: () => demo.close() };
    }
  }
}

function relocationOf(
  client: LocalClient,
  configured: AddressSettings,
  { search, onMoved }: Following,
): NonNullable<OpenApiConnectionOptions['relocation']> {
  return {
    identity: () => client.identity,
    find: (id, signal) => findMonitor(id, configured, search, signal),
    moveTo(host) {
      client.setHost(host);
      if (client.identity !== null) onMoved?.(client.identity, host);
    },
  };
}

/**
 * The configured address if the monitor is back there, otherwise the address found by discovery (with the configured port).
 * Null if the monitor answers at neither.
 */
async function findMonitor(
  id: MonitorId,
  { host: configured, allowLoopback }: AddressSettings,
  search: Following['search'],
  signal: AbortSignal,
): Promise<string | null> {
  const { monitors } = await search({ signal, allowLoopback });
  const { port } = parseLocalHost(configured);
  const candidates = monitors.filter((monitor) => monitor.id === id).map(({ host }) => addressAt(host, port));
  const confirm = verifyMonitor({ allowLoopback });
  for (const host of new Set([configured, ...candidates])) {
    if ((await confirm(host, signal))?.id === id) return host;
  }
  return null;
}

function addressAt(host: string, port: number): string {
  return port === 80 ? host : hostOrigin({ host, port }).replace('http://', '');
}
