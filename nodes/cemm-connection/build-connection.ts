/** Builds the connection of a connection node: the client of its mode, shared by all nodes. */
import { CemmError } from '../../src/errors';
import type * as Simulation from '../../src/simulator/start-simulator';
import { lazy } from '../lib/register-node';
import { hostOrigin, parseLocalHost } from '../../src/clients/address';
import { verifyMonitor } from '../../src/discovery/probe-host';
import type { SearchResult } from '../../src/discovery/search';
import type { MonitorId } from '../../src/protocol/mac';
import type { MonitorClient } from '../../src/clients/client';
import { createLocalClient, type LocalClient } from '../../src/clients/local-client';
import { createPublicClient } from '../../src/clients/public-client';
import { createRemoteClient } from '../../src/clients/remote-client';
import { createOpenApiConnection, type OpenApiConnectionOptions } from '../../src/connection/open-api-connection';
import { createPublicConnection } from '../../src/connection/public-connection';
import { loopbackAllowed, searchNetwork } from '../lib/network-search';
import type { BuiltConnection } from './connection';
import type { ConnectionSettings, OpenSettings, PublicSettings } from './settings';

// Loaded only for a demo connection.
const loadSimulator = lazy<typeof Simulation>(__filename, '../../src/simulator/start-simulator');

interface OpenApiClient {
  readonly client: MonitorClient;
  /** Address of a local monitor, for the payloads. */
  readonly host?: string;
  readonly relocation?: OpenApiConnectionOptions['relocation'];
  /** Closes additional resources of this connection. */
  readonly close?: () => Promise<void>;
}

/** Called when a local connection uses another address of its monitor. */
export type OnMoved = (monitor: MonitorId, host: string) => void;

/**
 * @param onMoved without it a local connection keeps its address
 * @throws {CemmError} CONFIG; NETWORK `demo_start`
 */
export async function buildConnection(settings: ConnectionSettings, onMoved?: OnMoved): Promise<BuiltConnection> {
  return settings.mode === 'public' ? buildPublic(settings) : buildOpenApi(settings, onMoved);
}

/** A CEMM 3.0 does not answer discovery, so it cannot be found at another address. */
function buildPublic(settings: PublicSettings): BuiltConnection {
  const { host, monitor, timezone, deadlineMs, shard } = settings;
  const allowLoopback = loopbackAllowed(settings.allowLoopback);
  const client = createPublicClient({ host, mac: monitor, allowLoopback });
  const connection = createPublicConnection({ client, timezone, deadlineMs, shard, host });
  return {
    connection,
    async close() {
      await connection.close();
      client.close();
    },
  };
}

async function buildOpenApi(settings: OpenSettings, onMoved: OnMoved | undefined): Promise<BuiltConnection> {
  const { mode, timezone, deadlineMs, shard } = settings;
  const { client, host, relocation, close } = await createOpenApiClient(settings, onMoved);
  const connection = createOpenApiConnection({
    client,
    transport: mode,
    timezone,
    deadlineMs,
    shard,
    ...(host !== undefined && { host }),
    ...(relocation !== undefined && { relocation }),
  });
  return {
    connection,
    async close() {
      await connection.close();
      client.close();
      await close?.();
    },
  };
}

async function createOpenApiClient(settings: OpenSettings, onMoved: OnMoved | undefined): Promise<OpenApiClient> {
  switch (settings.mode) {
    case 'remote':
      return { client: createRemoteClient(settings) };
    case 'local': {
      const { host, monitor } = settings;
      const allowLoopback = loopbackAllowed(settings.allowLoopback);
      const client = createLocalClient({ host, mac: monitor, allowLoopback });
      if (onMoved === undefined) return { client, host };
      return { client, host, relocation: follow(client, { host, allowLoopback }, onMoved) };
    }
    case 'demo': {
      const demo = await startDemo(settings.timezone);
      const client = createLocalClient({ host: demo.address, allowLoopback: true, gapMs: 0 });
      return { client, host: demo.address, close: () => demo.close() };
    }
  }
}

interface Configured {
  readonly host: string;
  readonly allowLoopback: boolean;
}

function follow(client: LocalClient, configured: Configured, onMoved: OnMoved): OpenApiConnectionOptions['relocation'] {
  return {
    identity: () => client.identity,
    find: (id, signal) => relocateMonitor(configured, id, searchNetwork, signal),
    moveTo(host) {
      client.setHost(host);
      if (client.identity !== null) onMoved(client.identity, host);
    },
  };
}

interface Demo {
  /** `http://host:port` */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * The demo monitor: the simulator on a free loopback port of this machine.
 * @throws {CemmError} NETWORK `demo_start`
 */
export async function startDemo(timezone: string): Promise<Demo> {
  const simulator = await loadSimulator()
    .startSimulator({ localPort: 0, timezone })
    .catch(() => null);
  if (simulator !== null && simulator.local !== null)
    return { address: simulator.local, close: () => simulator.close() };
  await simulator?.close();
  throw new CemmError('NETWORK', { reason: 'demo_start' });
}

type SearchForMonitors = (options: {
  readonly signal: AbortSignal;
  readonly allowLoopback: boolean;
}) => Promise<SearchResult>;

/**
 * The configured address if the monitor is back there, otherwise the address found by discovery (with the configured port).
 * Null if the monitor answers at neither.
 */
async function relocateMonitor(
  { host: configured, allowLoopback }: Configured,
  id: MonitorId,
  search: SearchForMonitors,
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
