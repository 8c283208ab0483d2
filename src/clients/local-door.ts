/** One address of a monitor, where it may speak one interface or another, and whether the right monitor was met there. */
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
  /** At the origin: each interface has its paths below. */
  readonly http: Http;
  /** The question that last met the right monitor here; null on first contact and after every failure. */
  metBy: Inquiry | null;
}

/** Paths below the origin of a monitor: the Local Open API (spec.md B) and the public API of a CEMM 3.0 (vendor-facts 3). */
export const openApiPath = 'open-api/v1/';
export const publicApiPath = 'api/v1/public/';

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
    baseUrl: `${hostOrigin(address)}/`,
    clock,
    sockets: 1,
    proxy: 'none',
    lookup: guardedLookup(rules, resolve),
  });
  return { http, metBy: null };
}
