/**
 * Admin routes with effects: POST with JSON and a custom header, from a page of the same origin, a write permission on each, at
 * most 4 kB, a limit per minute, and responses of a fixed shape. A form of another site cannot send that header. A script can
 * if Node-RED answers preflights with `*`, so the origin is checked as well.
 */
import { setTimeout } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import type { NodeAPI } from 'node-red';
import { requestHeader } from './stored/config';
import type * as HomeAssistantApp from './home-assistant-app';
import { lazy } from '../../src/loading/lazy';

const homeAssistantApp = lazy(() => require('./home-assistant-app') as typeof HomeAssistantApp);

const mostBodyBytes = 4096;

/** The codes of refused requests. */
type AdminErrorCode =
  | 'bad_request'
  | 'other_origin'
  | 'too_large'
  | 'too_many'
  | 'not_deployed'
  | 'key_elsewhere'
  | 'variable'
  | 'unexpected';

export class AdminError extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly code: AdminErrorCode,
  ) {
    super(code);
  }
}

/** Returns one member of the request body, of any shape. */
export type BodyReader = (name: string) => unknown;

export interface AdminRoute {
  /** Relative to the admin root, without a leading slash. */
  readonly path: string;
  readonly permission: `${string}.write`;
  readonly perMinute: number;
  /** Shortest response time in ms: the duration must not reveal what is behind an address. */
  readonly atLeastMs: number;
  /**
   * Throws a Refusal; anything else that it throws is answered with 500. The signal fires when the client has disconnected.
   * @param mayDeploy true if the user may deploy, and can read every variable anyway
   */
  handle(body: BodyReader, signal: AbortSignal, mayDeploy: boolean): Promise<object>;
}

interface AdminRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly query: Readonly<Record<string, unknown>>;
}

interface AdminResponse {
  readonly writableEnded: boolean;
  status(code: number): this;
  json(body: unknown): unknown;
  on(event: 'close', listener: () => void): unknown;
}

type Answer = (req: AdminRequest, res: AdminResponse) => void;

/**
 * Method and path of a route → its handler. Node-RED loads a node again when its package is removed and installed without a
 * restart, and its app keeps the routes of before. Only the latest load knows the deployed nodes.
 */
const latest = new WeakMap<object, Map<string, Answer>>();

/** Adds a route, or gives the route of an earlier load this handler. */
export function serveLatest(
  RED: NodeAPI,
  method: 'get' | 'post',
  path: string,
  permission: string,
  handler: Answer,
): void {
  const { httpAdmin } = RED;
  const handlers = latest.get(httpAdmin) ?? new Map<string, Answer>();
  latest.set(httpAdmin, handlers);
  const route = `${method} ${path}`;
  const isNew = !handlers.has(route);
  handlers.set(route, handler);
  if (!isNew) return;
  httpAdmin[method](`/${path}`, RED.auth.needsPermission(permission), (req: AdminRequest, res: AdminResponse) => {
    handlers.get(route)?.(req, res);
  });
}

/** Call at each load of the module of a node. */
export function registerAdminRoutes(RED: NodeAPI, routes: readonly AdminRoute[]): void {
  // With httpAdminRoot false there is no editor.
  if (Reflect.get(RED.settings, 'httpAdminRoot') === false) return;
  for (const route of routes) {
    const isAllowed = createRateLimit(route.perMinute);
    const deploying = RED.auth.needsPermission('flows.write');
    serveLatest(RED, 'post', route.path, route.permission, (req, res) => {
      const left = new AbortController();
      res.on('close', () => {
        left.abort();
      });
      const isOurPage = () => isSameOrigin(req, homeAssistantApp().runsInHomeAssistantApp(RED));
      const mayDeploy = (): Promise<boolean> => passes(deploying, req, res);
      void answer(route, req, { isAllowed, isOurPage, mayDeploy }, left.signal).then(({ status, body }) => {
        if (!left.signal.aborted) res.status(status).json(body);
      });
    });
  }
}

interface RouteAnswer {
  readonly status: number;
  readonly body: object;
}

interface Checks extends Readonly<Record<'isAllowed' | 'isOurPage', () => boolean>> {
  readonly mayDeploy: () => Promise<boolean>;
}

/** Never rejects. */
async function answer(
  route: AdminRoute,
  req: AdminRequest,
  { isAllowed, isOurPage, mayDeploy }: Checks,
  signal: AbortSignal,
): Promise<RouteAnswer> {
  try {
    if (!isOurs(req)) throw new AdminError(400, 'bad_request');
    if (!isOurPage()) throw new AdminError(403, 'other_origin');
    if (!(Number(req.headers['content-length'] ?? Infinity) <= mostBodyBytes)) throw new AdminError(413, 'too_large');
    if (!isAllowed()) throw new AdminError(429, 'too_many');
    const { body } = req;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AdminError(400, 'bad_request');
    const members: BodyReader = (name) => (Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined);
    const [reply] = await Promise.all([
      route.handle(members, signal, await mayDeploy()),
      pause(route.atLeastMs, signal),
    ]);
    return { status: 200, body: reply };
  } catch (thrown) {
    const { status, code } = thrown instanceof AdminError ? thrown : new AdminError(500, 'unexpected');
    return { status, body: { error: code } };
  }
}

type PermissionCheck = ReturnType<NodeAPI['auth']['needsPermission']>;

/** If the permission is missing, the check itself responds; here its response is discarded. */
function passes(check: PermissionCheck, req: AdminRequest, res: AdminResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const endAnswer = (): void => {
      resolve(false);
    };
    const nobody: object = Object.create(res, {
      status: { value: () => nobody },
      setHeader: { value: () => nobody },
      end: { value: endAnswer },
    }) as object;
    const next = (): void => {
      resolve(true);
    };
    Reflect.apply(check, null, [req, nobody, next]);
  });
}

/**
 * Refuses variables typed by a user who may not deploy: their values could be sent to any address.
 * @param id the deployed node, whose own texts are allowed
 */
export function refuseVariables(RED: NodeAPI, id: string, body: BodyReader, names: readonly string[]): void {
  let stored: object = {};
  RED.nodes.eachNode((node) => {
    if (node.id === id) stored = node;
  });
  for (const name of names) {
    const typed = body(name);
    const isDeployed = Object.hasOwn(stored, name) && Reflect.get(stored, name) === typed;
    if (typeof typed === 'string' && typed.includes('${') && !isDeployed) throw new AdminError(403, 'variable');
  }
}

function isOurs({ headers }: IncomingMessage): boolean {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  return isJson && headers[requestHeader.toLowerCase()] !== undefined;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** True while fewer than `perMinute` requests came within the last minute. */
function createRateLimit(perMinute: number, now: () => number = () => performance.now()): () => boolean {
  let times: number[] = [];
  return () => {
    const time = now();
    times = times.filter((earlier) => time - earlier < 60_000);
    if (times.length >= perMinute) return false;
    times.push(time);
    return true;
  };
}

/**
 * True if the request comes from a page of this Node-RED. Needed besides the login: another site could otherwise do all that a
 * logged-in user can.
 * @param isApp true in the Node-RED app of Home Assistant
 */
export function isSameOrigin(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isApp: boolean,
): boolean {
  const { origin } = headers;
  // Not a browser, or a browser with a page of the same origin.
  if (origin === undefined) return true;
  // Set by browsers on secure pages and not settable by scripts; proxies forward it.
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const [page, host] = [parseOrigin(origin), headers.host];
  if (page === null) return false;
  if (host !== undefined && isAt(page, host)) return true;
  // Home Assistant changes Host and puts the original into this header. A script of another site can set the header, too, even
  // through a proxy on this machine. So it is used in the app only, where Home Assistant requires a login first.
  if (!isApp || !isLoopback(socket.remoteAddress)) return false;
  const forwarded = [headers['x-forwarded-host']].flat().join(',').split(',').at(-1)?.trim();
  return forwarded !== undefined && forwarded !== '' && isAt(page, forwarded);
}

function parseOrigin(origin: string): URL | null {
  try {
    return new URL(origin);
  } catch {
    // `null` is the origin of a page without one.
    return null;
  }
}

/** Many proxies leave out the port; the page's URL contains it. */
function isAt({ protocol, hostname, port }: URL, host: string): boolean {
  const [, name = '', given] = /^(.*?)(?::(\d+))?$/.exec(host.trim().toLowerCase()) ?? [];
  const usual = protocol === 'https:' ? '443' : '80';
  return name === hostname && (given === undefined || given === (port === '' ? usual : port));
}

function isLoopback(address = ''): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
