/** `connect()`: opens a connection to a host, with an API key, or to a simulated monitor. */
import { resolve } from 'node:path';
import { isTimezone } from '../calendar/zone';
import type { Cemm, Cemm3 } from './cemm';
import {
  type Cemm3ConnectOptions,
  type CommonConnectOptions,
  checkConnectOptions,
  type ConnectOptions,
  type DemoConnectOptions,
  type HostOptions,
  type LocalConnectOptions,
  type RemoteConnectOptions,
} from './connect-options';
import { Cemm3Connection, CemmConnection } from './cemm-connection';
import { searchFor } from './discover';
import { systemClock } from '../time/clock';
import { CemmError } from '../errors';
import { type AddressSettings, type Following, openConnection, type OpenApiSettings } from './open-connection';
import { parseMeterRows } from '../model/meter-table';
import { toMonitorId, type MonitorId } from '../protocol/mac';
import { type KeepProblem, mostHouses, PastDays } from '../store/past-days';

const defaultBaseUrl = 'https://open-api.cemm.nl/v1/';
const defaultTimezone = 'Europe/Amsterdam';
const defaultDeadlineMs = 25_000;

/**
 * Prepares a connection. Sends no request yet: an unavailable monitor is reported by the first request, so a program may start
 * before its monitor. Call `close()` when the connection is no longer needed.
 * @throws {CemmError} CONFIG: an option cannot be used (`host_…`, `base_…`, `no_key`, `mac`, `timezone`, `deadline`, `meters`, `mode`,
 * `option_missing`, `option_type`, `option_unknown`); NETWORK `demo_start`: no port for the simulated monitor
 */
export function connect(options: Cemm3ConnectOptions): Promise<Cemm3>;
export function connect(options: RemoteConnectOptions | LocalConnectOptions | DemoConnectOptions): Promise<Cemm>;
export function connect(options: ConnectOptions): Promise<Cemm | Cemm3>;
export async function connect(given?: ConnectOptions): Promise<Cemm | Cemm3> {
  const options = checkConnectOptions(given);
  const deadlineMs = checkedDeadline(options.deadlineMs);
  return 'generation' in options && options.generation === 3
    ? openCemm3(options, deadlineMs)
    : open(options, deadlineMs);
}

async function open(
  options: RemoteConnectOptions | LocalConnectOptions | DemoConnectOptions,
  deadlineMs: number,
): Promise<Cemm> {
  const settings = settingsOf(options, deadlineMs);
  const search = 'host' in options ? options.search : undefined;
  const following: Following = {
    search: ({ signal, allowLoopback }) => searchFor({ ...search, signal, allowLoopback }),
  };
  const past = 'demo' in options ? null : keptDays(options.keepIn);
  const { connection, balances, close } = await openConnection(settings, following, past);
  return new CemmConnection(connection, balances, settings.mode, close);
}

const keepProblems: Readonly<Record<KeepProblem, string>> = {
  damaged: 'A file of past days is damaged and is set aside',
  not_kept: 'Past days cannot be kept',
  too_many: `Past days of ${mostHouses} monitors are kept, and not those of another one`,
};

function keptDays(folder: string | undefined): PastDays | null {
  if (folder === undefined) return null;
  const onProblem = (problem: KeepProblem, path: string): void => {
    process.emitWarning(`${keepProblems[problem]}: ${path}`, { code: 'KEPT_DAYS' });
  };
  return new PastDays({ folder: resolve(folder), clock: systemClock, onProblem });
}

function settingsOf(
  options: RemoteConnectOptions | LocalConnectOptions | DemoConnectOptions,
  deadlineMs: number,
): OpenApiSettings {
  const common = { timezone: checkedTimezone(options.timezone), deadlineMs, shard: null, ...meterRows(options) };
  if ('apiKey' in options) {
    const { apiKey, baseUrl = defaultBaseUrl } = options;
    return { ...common, mode: 'remote', apiKey, baseUrl };
  }
  return 'host' in options
    ? { ...common, mode: 'local', ...readAddressSettings(options) }
    : { ...common, mode: 'demo' };
}

async function openCemm3(options: Cemm3ConnectOptions, deadlineMs: number): Promise<Cemm3> {
  const timezone = options.timezone === undefined ? null : checkedTimezone(options.timezone);
  const { connection, close } = await openConnection({
    mode: 'public',
    timezone,
    deadlineMs,
    shard: null,
    ...meterRows(options),
    ...readAddressSettings(options),
  });
  return new Cemm3Connection(connection, close);
}

function meterRows({ meters }: CommonConnectOptions): Pick<OpenApiSettings, 'meters'> {
  return meters === undefined ? {} : { meters: parseMeterRows(meters) };
}

function readAddressSettings({ host, mac, allowLoopback = false }: HostOptions): AddressSettings {
  return { host, monitor: checkedMac(mac), allowLoopback };
}

function checkedDeadline(deadlineMs: number = defaultDeadlineMs): number {
  if (deadlineMs > 0 && deadlineMs <= 2 ** 31 - 1) return deadlineMs;
  throw new CemmError('CONFIG', { reason: 'deadline' });
}

function checkedTimezone(timezone: string = defaultTimezone): string {
  if (isTimezone(timezone)) return timezone;
  throw new CemmError('CONFIG', { reason: 'timezone' });
}

function checkedMac(mac: string | undefined): MonitorId | null {
  if (mac === undefined) return null;
  const monitor = toMonitorId(mac);
  if (monitor !== null) return monitor;
  throw new CemmError('CONFIG', { reason: 'mac' });
}
