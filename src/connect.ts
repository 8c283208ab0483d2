/** `connect()`: opens a connection to a host, with an API key, or to a simulated monitor. */
import { isTimezone } from './calendar/zone';
import type { Cemm, Cemm3 } from './cemm';
import { Cemm3Connection, CemmConnection } from './cemm-connection';
import type { MonitorClient } from './clients/client';
import { CemmError } from './errors';
import { createLocalClient } from './clients/local-client';
import { createPublicClient } from './clients/public-client';
import { createRemoteClient } from './clients/remote-client';
import { createOpenApiConnection } from './connection/open-api-connection';
import { createPublicConnection } from './connection/public-connection';
import { startSimulator } from './start-simulator';
import { toMonitorId, type MonitorId } from './protocol/mac';

/** Options of every connection. */
export interface CommonConnectOptions {
  /** Default timeout of one operation with its retries, in ms. Default 25 000. */
  readonly deadlineMs?: number | undefined;
}

/** A monitor through the remote Open API, with an API key from CEMM. */
export interface RemoteConnectOptions extends CommonConnectOptions {
  readonly apiKey: string;
  /** Default `https://open-api.cemm.nl/v1/`; ends in a version segment. */
  readonly baseUrl?: string | undefined;
  /** IANA time zone of the house. Decides when a day begins. Default `Europe/Amsterdam`. */
  readonly timezone?: string | undefined;
}

interface HostOptions extends CommonConnectOptions {
  /** `host`, `host:port` or `http://host:port`; an address of a local network. */
  readonly host: string;
  /** MAC address of the monitor, in any spelling. Another monitor at this host is then an error (`WRONG_MONITOR`). */
  readonly mac?: string | undefined;
  /** Accepts an address of this machine, such as that of the simulator. Default false. */
  readonly allowLoopback?: boolean | undefined;
}

/** A monitor in the same network, through its Local Open API. */
export interface LocalConnectOptions extends HostOptions {
  readonly generation?: 2 | undefined;
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

const defaultBaseUrl = 'https://open-api.cemm.nl/v1/';
const defaultTimezone = 'Europe/Amsterdam';
const defaultDeadlineMs = 25_000;

/**
 * Prepares a connection. Sends no request yet: an unavailable monitor is reported by the first request, so a program may start
 * before its monitor. Call `close()` when the connection is no longer needed.
 * @throws {CemmError} CONFIG: an option cannot be used (`host_…`, `base_…`, `no_key`, `mac`, `timezone`, `deadline`, `mode`);
 * NETWORK `demo_start`: no port for the simulated monitor
 */
export function connect(options: Cemm3ConnectOptions): Promise<Cemm3>;
export function connect(options: RemoteConnectOptions | LocalConnectOptions | DemoConnectOptions): Promise<Cemm>;
export function connect(options: ConnectOptions): Promise<Cemm | Cemm3>;
export async function connect(options: ConnectOptions): Promise<Cemm | Cemm3> {
  const deadlineMs = checkedDeadline(options.deadlineMs);
  const ways = ['apiKey', 'host', 'demo'].filter((way) => way in options);
  if (ways.length !== 1) throw config('mode');
  if ('apiKey' in options) return remote(options, deadlineMs);
  if ('demo' in options) return demo(options, deadlineMs);
  return options.generation === 3 ? cemm3(options, deadlineMs) : local(options, deadlineMs);
}

function remote({ apiKey, baseUrl = defaultBaseUrl, timezone }: RemoteConnectOptions, deadlineMs: number): Cemm {
  const zone = checkedTimezone(timezone);
  return open(createRemoteClient({ baseUrl, apiKey }), { transport: 'remote', timezone: zone, deadlineMs });
}

function local({ host, mac, allowLoopback = false, timezone }: LocalConnectOptions, deadlineMs: number): Cemm {
  const zone = checkedTimezone(timezone);
  const client = createLocalClient({ host, mac: checkedMac(mac), allowLoopback });
  return open(client, { transport: 'local', timezone: zone, deadlineMs, host });
}

async function demo({ timezone }: DemoConnectOptions, deadlineMs: number): Promise<Cemm> {
  const zone = checkedTimezone(timezone);
  const simulator = await startSimulator({ localPort: 0, timezone: zone }).catch(() => null);
  const host = simulator?.local ?? null;
  if (simulator === null || host === null) {
    throw new CemmError('NETWORK', { reason: 'demo_start' });
  }
  const client = createLocalClient({ host, allowLoopback: true, gapMs: 0 });
  return open(client, { transport: 'demo', timezone: zone, deadlineMs, host }, () => simulator.close());
}

function cemm3({ host, mac, allowLoopback = false, timezone }: Cemm3ConnectOptions, deadlineMs: number): Cemm3 {
  const zone = timezone === undefined ? null : checkedTimezone(timezone);
  const client = createPublicClient({ host, mac: checkedMac(mac), allowLoopback });
  const connection = createPublicConnection({ client, timezone: zone, deadlineMs, host });
  return new Cemm3Connection(connection, async () => {
    await connection.close();
    client.close();
  });
}

interface OpenOptions {
  readonly transport: Cemm['transport'];
  readonly timezone: string;
  readonly deadlineMs: number;
  readonly host?: string;
}

/** @param closeMore closes additional resources of this connection */
function open(client: MonitorClient, options: OpenOptions, closeMore?: () => Promise<void>): Cemm {
  const connection = createOpenApiConnection({ client, ...options });
  return new CemmConnection(connection, options.transport, async () => {
    await connection.close();
    client.close();
    await closeMore?.();
  });
}

function checkedDeadline(deadlineMs: number = defaultDeadlineMs): number {
  if (deadlineMs > 0 && deadlineMs <= 2 ** 31 - 1) return deadlineMs;
  throw config('deadline');
}

function checkedTimezone(timezone: string = defaultTimezone): string {
  if (isTimezone(timezone)) return timezone;
  throw config('timezone');
}

function checkedMac(mac: string | undefined): MonitorId | null {
  if (mac === undefined) return null;
  const monitor = toMonitorId(mac);
  if (monitor !== null) return monitor;
  throw config('mac');
}

function config(reason: string): CemmError {
  return new CemmError('CONFIG', { reason });
}
