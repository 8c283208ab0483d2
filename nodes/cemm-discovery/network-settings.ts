/** How a node searches the network, checked: whom it asks, how long it waits, and how often. */
import { parseLocalHost } from '../../src/clients/address';
import { mayConnect } from '../../src/clients/address-rules';
import { CemmError } from '../../src/clients/errors';
import { networkFloor, waitRange, type DiscoveryConfig } from './config';

const LONGEST_SECONDS = 86_400;
const everybody = '255.255.255.255';

export interface NetworkSettings {
  /** Null: every IPv4 interface's. */
  readonly broadcast: string | null;
  /** A monitor to ask by its address as well. */
  readonly host: string | null;
  readonly waitMs: number;
}

/** @throws CemmError CONFIG `broadcast`, `wait`, `host_…` */
export function readNetworkSettings(
  { broadcast, host, wait }: Pick<DiscoveryConfig, 'broadcast' | 'host' | 'wait'>,
  { expand, allowLoopback }: { readonly expand: (text: string) => string; readonly allowLoopback: boolean },
): NetworkSettings {
  return {
    broadcast: readBroadcast(expand(broadcast).trim(), allowLoopback),
    host: readHost(expand(host).trim()),
    waitMs: readWait(wait),
  };
}

function readBroadcast(address: string, allowLoopback: boolean): string | null {
  if (address === '') return null;
  const isIpv4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(address);
  if (isIpv4 && (address === everybody || mayConnect(address, { allowLoopback }))) return address;
  throw new CemmError('CONFIG', 'The broadcast address must be one of a local network, such as 192.168.1.255.', {
    reason: 'broadcast',
  });
}

function readHost(host: string): string | null {
  if (host === '') return null;
  parseLocalHost(host);
  return host;
}

function readWait(wait: unknown): number {
  const { min, max } = waitRange;
  const seconds = secondsOf(wait);
  if (seconds !== null && seconds >= min && seconds <= max) return seconds * 1000;
  throw new CemmError('CONFIG', `Answers can be waited for during ${min} to ${max} seconds.`, {
    reason: 'wait',
    params: { min, max },
  });
}

/** @throws CemmError CONFIG `interval` */
export function networkIntervalMs(interval: unknown): number {
  const seconds = secondsOf(interval);
  if (seconds !== null && seconds >= networkFloor && seconds <= LONGEST_SECONDS) return seconds * 1000;
  throw new CemmError(
    'CONFIG',
    `The interval must be ${networkFloor} to ${LONGEST_SECONDS} seconds, or 0 to search only when a message arrives.`,
    { reason: 'interval', params: { floor: networkFloor, longest: LONGEST_SECONDS } },
  );
}

/** A number, or a numeric text from an environment variable. */
function secondsOf(stored: unknown): number | null {
  const seconds = typeof stored === 'string' && stored.trim() !== '' ? Number(stored) : stored;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : null;
}
