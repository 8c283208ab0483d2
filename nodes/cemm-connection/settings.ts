/** The checked settings of a connection: either complete, or the reason why it cannot work. */
import { isTimezone } from '../../src/calendar/zone';
import { parseBaseUrl, parseLocalHost } from '../../src/clients/address';
import { parseContractRows } from '../../src/balance/prices/house-contracts';
import { CemmError } from '../../src/errors';
import type { DemoNames } from '../../src/library/demo-meters';
import { parseMeterRows } from '../../src/model/meter-table';
import { parseShard } from '../../src/connection/shard';
import type { AddressSettings, ConnectionSettings } from '../../src/library/open-connection';
import { toMonitorId, type MonitorId } from '../../src/protocol/mac';
import { isRecord } from '../../src/checks/record';
import { loopbackAllowed } from '../lib/run/connection-node';
import { pricesCheck } from '../lib/editor/prices/checks';
import { parseProperties } from '../lib/stored/stored-properties';
import { expandKey } from '../lib/stored/typed-input';
import { connectionFields, type ConnectionConfig } from './config';

export interface StoredConnection {
  /** A flow that was edited by hand may hold anything. */
  readonly config: Readonly<Partial<Record<keyof ConnectionConfig, unknown>>>;
  readonly apiKey: string | undefined;
  /** Replaces `${ENV}` in a text field. */
  readonly expand: (text: string) => string;
  /** In the language of the connection; default: English. */
  readonly demoNames?: DemoNames;
}

/** The stored properties with the type of their rules, and the first one that cannot be used. */
export function parseConnection(
  config: StoredConnection['config'],
  expand: StoredConnection['expand'],
): { readonly config: ConnectionConfig; readonly problem: CemmError | null } {
  const checks = { prices: pricesCheck((key) => key.replace('form.price.', '')) };
  const properties = parseProperties(
    { rules: connectionFields, checks, expand, reason: 'connection_property' },
    config,
  );
  return { config: properties.config, problem: properties.problem(properties.config.mode) };
}

/** @throws {CemmError} CONFIG with the reason of the first problem */
export function readSettings({ config, apiKey, expand, demoNames }: StoredConnection): ConnectionSettings {
  const { config: stored, problem } = parseConnection(config, expand);
  if (problem !== null) throw problem;
  const deadlineMs = stored.deadline * 1000;
  const shard = parseShard(expand(stored.shard));
  const contracts = parseContractRows(withVariables(stored.contracts, expand, ['prices']));
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
      return { ...common, mode: 'demo', demoNames };
  }
}

/**
 * Every text of a row may hold variables.
 * @param except names of texts whose variables are replaced with each use
 */
function withVariables(rows: unknown, expand: StoredConnection['expand'], except: readonly string[] = []): unknown {
  if (!Array.isArray(rows)) return rows;
  const expanded = (name: string, value: unknown): unknown =>
    typeof value === 'string' && !except.includes(name) ? expand(value) : value;
  return rows.map((row: unknown) =>
    isRecord(row) ? Object.fromEntries(Object.entries(row).map(([name, value]) => [name, expanded(name, value)])) : row,
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

function readKey(stored: string | undefined): string {
  const key = stored?.trim() ?? '';
  if (key !== '') return key;
  throw new CemmError('CONFIG', { reason: 'no_key' });
}

/** @throws {CemmError} CONFIG `mac` */
export function readMac(text: string): MonitorId | null {
  if (text.trim() === '') return null;
  const monitor = toMonitorId(text);
  if (monitor !== null) return monitor;
  throw new CemmError('CONFIG', { reason: 'mac' });
}
