/**
 * Whether a request to an admin route comes from a page of this Node-RED. It stands beside the log-in, not in its place:
 * without one, and with the CORS default of Node-RED 4 (`*`), another site can do all that a user can.
 */
import type { IncomingMessage } from 'node:http';

export function isSameOrigin({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const { origin } = headers;
  // No browser, or a browser that asks for the same origin.
  if (origin === undefined) return true;
  // Set by browsers on secure pages, and out of reach for scripts; proxies pass it on.
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const [page, host] = [addressOf(origin), headers.host];
  if (page === null) return false;
  if (host !== undefined && isAt(page, host)) return true;
  // A proxy that puts its own name into Host says here what it was. A script of another site can say so, too, hence only
  // one on this machine, as in an add-on of Home Assistant, is believed.
  const forwarded = [headers['x-forwarded-host']].flat().join(',').split(',').at(-1)?.trim();
  return forwarded !== undefined && forwarded !== '' && isLoopback(socket.remoteAddress) && isAt(page, forwarded);
}

function addressOf(origin: string): URL | null {
  try {
    return new URL(origin);
  } catch {
    // `null`, of a page without an origin.
    return null;
  }
}

/** Many a proxy leaves out the port, which the page knows. */
function isAt({ protocol, hostname, port }: URL, host: string): boolean {
  const [, name = '', given] = /^(.*?)(?::(\d+))?$/.exec(host.trim().toLowerCase()) ?? [];
  const usual = protocol === 'https:' ? '443' : '80';
  return name === hostname && (given === undefined || given === (port === '' ? usual : port));
}

function isLoopback(address = ''): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
