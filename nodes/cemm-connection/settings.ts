/** The checked settings of a connection: either complete, or the reason why it cannot work. */
import { isTimezone } from '../../src/calendar/zone';
import { parseBaseUrl, parseLocalHost } from '../../src/clients/address';
import { parseContractRows } from '../../src/balance/prices/house-contracts';
import { CemmError } from '../../src/errors';
import { type DemoNames, demoMeters } from '../../src/demo-meters';
import { readNumber } from '../../src/limits';
import { parseMeterRows } from '../../src/model/meter-table';
import { parseShard } from '../../src/connection/shard';
import type { AddressSettings, ConnectionSettings } from '../../src/open-connection';
import { toMonitorId, type MonitorId } from '../../src/protocol/mac';
import { isRecord } from '../../src/record';
import { loopbackAllowed } from '../lib/connection-node';
import { migrated } from '../lib/migrate';
import { expandKey } from '../lib/typed-input';
import { connectionDefaults, deadlineRange, type ConnectionConfig } from './config';

export interface StoredConnection {
  readonly config: Partial<ConnectionConfig>;
  readonly apiKey: string | undefined;
  /** Replaces `${ENV}` in a text field. */
  readonly expand: (text: string) => string;
  /** In the language of the connection; default: English. */
  readonly demoNames?: DemoNames;
}

/** @throws {CemmError} CONFIG with the reason of the first problem */
export function readSettings({ config, apiKey, expand, demoNames }: StoredConnection): ConnectionSettings {
  const stored = migrated(connectionDefaults, config);
  const deadlineMs = readDeadline(stored.deadline);
  const shard = parseShard(expand(stored.shard));
  const contracts = parseContractRows(stored.contracts);
  const meters = parseMeterRows(withVariables(stored.meters, expand));
  const zone = expand(stored.timezone);
  if (stored.mode === 'public') {
    const timezone = zone.trim() === '' ? null : readTimezone(zone);
    return { mode: 'public', timezone, deadlineMs, shard, meters, contracts, ...readAddress(stored, expand) };
  }
  const common = { timezone: readTimezone(zone), deadlineMs, shard, meters, contracts };
  switch (stored.mode) {
    case 'remote':
      return {
        ...common,
        mode: 'remote',
        baseUrl: parseBaseUrl(expand(stored.baseUrl)),
        apiKey: readKey(expandKey(apiKey, expand)),
      };
    case 'local':
      return { ...common, mode: 'local', readBack: stored.readBack, ...readAddress(stored, expand) };
    case 'demo':
      return { ...common, mode: 'demo', meters: meters.length === 0 ? demoMeters(demoNames) : meters };
    default:
      throw new CemmError('CONFIG', { reason: 'mode' });
  }
}

/** Every text of a row may hold variables. */
function withVariables(rows: unknown, expand: StoredConnection['expand']): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row: unknown) =>
    isRecord(row)
      ? Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? expand(value) : value]),
        )
      : row,
  );
}

function readAddress(
  { host: stored, mac, allowLoopback }: Pick<ConnectionConfig, 'host' | 'mac' | 'allowLoopback'>,
  expand: StoredConnection['expand'],
): AddressSettings {
  const host = expand(stored);
  parseLocalHost(host);
  return { host, monitor: readMac(expand(mac)), allowLoopback: loopbackAllowed(allowLoopback) };
}

function readTimezone(text: string): string {
  const timezone = text.trim();
  if (isTimezone(timezone)) return timezone;
  throw new CemmError('CONFIG', { reason: 'timezone' });
}

/** Seconds as a number, or as a text from an environment variable. */
function readDeadline(stored: unknown): number {
  const { min, max } = deadlineRange;
  const seconds = readNumber(stored);
  if (seconds !== null && seconds >= min && seconds <= max) return seconds * 1000;
  throw new CemmError('CONFIG', { reason: 'deadline', params: { min, max } });
}

function readKey(stored: string | undefined): string {
  const key = stored?.trim() ?? '';
  if (key !== '') return key;
  throw new CemmError('CONFIG', { reason: 'no_key' });
}

function readMac(text: string): MonitorId | null {
  if (text.trim() === '') return null;
  const monitor = toMonitorId(text);
  if (monitor !== null) return monitor;
  throw new CemmError('CONFIG', { reason: 'mac' });
}
