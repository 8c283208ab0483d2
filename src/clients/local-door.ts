/** One address of a monitor, and whether the right monitor was met there. */
import { isIP } from 'node:net';
import { hostOrigin, parseLocalHost } from './address';
import { guardedLookup, mayConnect } from './address-rules';
import type { Resolve } from './address-rules';
import type { Clock } from './clock';
import { CemmError } from './errors';
import { createHttp } from './http';
import type { Http } from './http';
import type { Inquiry } from './inquiry';

export interface LocalDoor {
  readonly http: Http;
  /** The question that last met the right monitor here; null on first contact and after every failure. */
  metBy: Inquiry | null;
}

export interface LocalDoorRules {
  readonly allowLoopback?: boolean;
  readonly resolve?: Resolve;
}

/** @throws {CemmError} CONFIG: no host (AddressFlaw), or `host_not_local` */
export function openLocalDoor(
  text: string,
  { allowLoopback = false, resolve }: LocalDoorRules,
  clock: Clock,
): LocalDoor {
  const address = parseLocalHost(text);
  const rules = { allowLoopback };
  // An address written out is connected to without any lookup, so the hook never sees it.
  if (isIP(address.host) !== 0 && !mayConnect(address.host, rules)) {
    throw new CemmError(
      'CONFIG',
      'The address is not one of a local network. Enter the local IP address of the monitor.',
      {
        reason: 'host_not_local',
      },
    );
  }
  const http = createHttp({
    baseUrl: `${hostOrigin(address)}/open-api/v1/`,
    clock,
    sockets: 1,
    proxy: 'none',
    lookup: guardedLookup(rules, resolve),
  });
  return { http, metBy: null };
}
