/**
 * What a CEMM 3.0 says of itself and its channels, at the address of a local connection (vendor-facts.md section 3: `cemm`
 * and `meters` of the public API). An Open API monitor has no such pages; then nothing is known, which is no failure.
 */
import { isIP } from 'node:net';
import type { NodeAPI } from 'node-red';
import { guardedLookup, hostOrigin, parseLocalHost } from '../../src/clients/address';
import { mayConnect } from '../../src/limits';
import { systemClock } from '../../src/clock';
import { createHttp, type Http } from '../../src/clients/http';
import type { MonitorInfo } from '../../src/model/payload';
import {
  type CatalogueMonitor,
  type DeliveryCatalogue,
  readCatalogueMonitor,
  readDeliveryCatalogue,
} from '../../src/protocol/delivery-catalogue';
import { parseJson } from '../../src/protocol/json';
import { toMonitorId } from '../../src/protocol/mac';
import { loopbackAllowed } from '../lib/network-search';

export interface MonitorCatalogue {
  readonly monitor: MonitorInfo | null;
  readonly channels: DeliveryCatalogue;
}

const timeoutMs = 5000;
const largestBytes = 512 * 1024;

/** The host that a local connection is set to, before anything in it is replaced; null for any other connection. */
export function localHostOf(RED: Pick<NodeAPI, 'nodes'>, connectionId: string): string | null {
  let host: string | null = null;
  RED.nodes.eachNode((node) => {
    if (node.id !== connectionId || Reflect.get(node, 'mode') !== 'local') return;
    const stored: unknown = Reflect.get(node, 'host');
    if (typeof stored === 'string' && stored.trim() !== '') host = stored;
  });
  return host;
}

/** Null where nothing answers that could be a CEMM 3.0. Never rejects. */
export async function askCatalogue(host: string, signal: AbortSignal): Promise<MonitorCatalogue | null> {
  const http = open(host);
  if (http === null) return null;
  try {
    const monitor = readCatalogueMonitor(await ask(http, 'cemm', signal));
    if (monitor === null) return null;
    return { monitor: infoOf(monitor), channels: readDeliveryCatalogue(await ask(http, 'meters', signal)) };
  } catch {
    return null;
  } finally {
    http.close();
  }
}

function open(host: string): Http | null {
  const rules = { allowLoopback: loopbackAllowed() };
  try {
    const address = parseLocalHost(host);
    if (isIP(address.host) !== 0 && !mayConnect(address.host, rules)) return null;
    return createHttp({
      baseUrl: `${hostOrigin(address)}/api/v1/public/`,
      clock: systemClock,
      sockets: 1,
      proxy: 'none',
      lookup: guardedLookup(rules),
      maxBytes: largestBytes,
    });
  } catch {
    return null;
  }
}

/** Null for anything but a JSON answer with status 200. @throws ProtocolError */
async function ask(http: Http, path: string, signal: AbortSignal): Promise<unknown> {
  const outcome = await http.get({ path, timeoutMs, signal });
  return outcome.kind === 'answer' && outcome.status === 200 ? parseJson(outcome.body) : null;
}

function infoOf({ cemm, mac, name, version }: CatalogueMonitor): MonitorInfo {
  return {
    id: toMonitorId(mac),
    cemm,
    ...(name === null ? {} : { name }),
    ...(version === null ? {} : { version }),
  };
}
