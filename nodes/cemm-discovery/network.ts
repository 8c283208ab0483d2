/** Searches the network: checks the addresses, runs a search, and compares it with the one before. */
import { CemmError } from '../../src/errors';
import { loopbackAllowed } from '../lib/run/connection-node';
import { isBroadcastAddress, readHost } from '../../src/checks/limits';
import { presentParts } from '../../src/checks/record';
import type { DiscoveryConfig } from './config';
import { probeHost, verifyMonitor } from '../../src/discovery/probe-host';
import type { FoundMonitor } from '../../src/discovery/candidates';
import type { SeenMonitor, SeenMonitors } from '../../src/discovery/seen-monitors';
import { monitorPayload } from '../../src/model/monitor-payloads';
import type { MonitorInfo, MonitorPayload, SourceInfo } from '../../src/model/payload';
import { searchNetwork } from '../lib/network-search';

/** @throws {CemmError} as search() and probeHost() */
export async function findInNetwork(
  { broadcast, host, waitMs }: NetworkSettings,
  seenMonitors: SeenMonitors,
  signal: AbortSignal,
): Promise<MonitorPayload[]> {
  const [result, answering] = await Promise.all([
    searchNetwork({ broadcast, waitMs, signal }),
    host === null ? null : probeHost(host, { allowLoopback: loopbackAllowed(), signal }),
  ]);
  const heard = result.monitors.map((monitor) => ({ monitor: toMonitorInfo(monitor), verified: monitor.verified }));
  const asked = answering === null ? [] : [{ monitor: answering.monitor, verified: true }];
  // A monitor found by the search and by its address is reported once.
  const found = [...heard.filter(({ monitor }) => monitor.id !== answering?.monitor.id), ...asked];
  const silent = await stillThere(seenMonitors.listMissing(found), signal);
  const { fetchedAt, latencyMs, requests } = result;
  const broadcastSource: SourceInfo = { transport: 'broadcast', fetchedAt, latencyMs, requests, promises: 0 };
  return seenMonitors.update([...found, ...silent]).map((change) => {
    const isAsked = answering !== null && change.monitor === answering.monitor;
    return monitorPayload({ ...change, source: isAsked ? answering.source : broadcastSource });
  });
}

/** Datagrams may get lost: a monitor that the search missed is requested at its address. */
async function stillThere(missing: readonly SeenMonitor[], signal: AbortSignal): Promise<SeenMonitor[]> {
  const confirm = verifyMonitor({ allowLoopback: loopbackAllowed() });
  const answers = await Promise.all(
    missing.map(async (seen) => {
      const { host, id } = seen.monitor;
      const root = host === undefined ? null : await confirm(host, signal);
      return root?.id === id ? [{ ...seen, verified: true }] : [];
    }),
  );
  return answers.flat();
}

function toMonitorInfo({ id, host, name, type, version, core }: FoundMonitor): MonitorInfo {
  return presentParts({ id, host, name, type, version, core });
}

interface NetworkSettings {
  /** Null: the broadcast address of every IPv4 interface. */
  readonly broadcast: string | null;
  /** A monitor to probe by its address as well. */
  readonly host: string | null;
  readonly waitMs: number;
}

/** @throws {CemmError} CONFIG `broadcast`, `also_try` */
export function readNetworkSettings(
  { broadcast, host, wait }: Pick<DiscoveryConfig, 'broadcast' | 'host' | 'wait'>,
  { expand, allowLoopback }: { readonly expand: (text: string) => string; readonly allowLoopback: boolean },
): NetworkSettings {
  return {
    broadcast: readBroadcast(expand(broadcast).trim(), allowLoopback),
    host: readAlsoTry(expand(host).trim()),
    waitMs: wait * 1000,
  };
}

function readBroadcast(address: string, allowLoopback: boolean): string | null {
  if (address === '') return null;
  if (isBroadcastAddress(address, { allowLoopback })) return address;
  throw new CemmError('CONFIG', { reason: 'broadcast' });
}

function readAlsoTry(host: string): string | null {
  if (host === '') return null;
  if (typeof readHost(host) === 'string') throw new CemmError('CONFIG', { reason: 'also_try' });
  return host;
}
