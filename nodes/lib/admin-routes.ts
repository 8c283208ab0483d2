/**
 * Admin routes that act: POST with JSON and a header of our own, from a page of the same origin, with a write permission on
 * each, at most 4 kB, a limit per minute, and answers of a fixed shape. No form of another site can send that header; a
 * script can, where Node-RED answers preflights with `*`, so the origin is checked as well.
 */
import type { IncomingMessage } from 'node:http';
import type { NodeAPI } from 'node-red';
import { requestHeader } from './dialog-requests';
import type * as HomeAssistantApp from './home-assistant-app';
import { lazy } from './register-node';

const homeAssistantApp = lazy<typeof HomeAssistantApp>(__filename, './home-assistant-app');

const mostBodyBytes = 4096;

/** The fixed words a route refuses with. */
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

/** The members of a request's body, whatever it is. */
export type BodyReader = (name: string) => unknown;

export interface AdminRoute {
  readonly method: 'post';
  /** Relative to the admin root, without a slash in front. */
  readonly path: string;
  readonly permission: `${string}.write`;
  readonly perMinute: number;
  /** No answer leaves sooner, in ms: how long it takes must not tell what is behind an address. */
  readonly atLeastMs: number;
  /**
   * Throws a Refusal; anything else that it throws is answered 500. The signal fires when nobody waits any more.
   * @param mayDeploy whether the user may deploy, and so read every variable anyway
   */
  handle(body: BodyReader, signal: AbortSignal, mayDeploy: boolean): Promise<object>;
}

interface AdminRequest extends IncomingMessage {
  readonly body?: unknown;
}

interface AdminResponse {
  readonly writableEnded: boolean;
  status(code: number): this;
  json(body: unknown): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** To be called once per process: Node-RED loads the module of a node once. */
export function registerAdminRoutes(RED: NodeAPI, routes: readonly AdminRoute[]): void {
  // With httpAdminRoot false there is no editor.
  if (Reflect.get(RED.settings, 'httpAdminRoot') === false) return;
  for (const route of routes) {
    const isAllowed = createRateLimit(route.perMinute);
    const mayWrite = RED.auth.needsPermission(route.permission);
    const deploying = RED.auth.needsPermission('flows.write');
    RED.httpAdmin.post(`/${route.path}`, mayWrite, (req: AdminRequest, res: AdminResponse) => {
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

/** Where the permission is not given, the check answers the request: here an answer that nobody gets. */
function passes(check: PermissionCheck, req: AdminRequest, res: AdminResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve(false);
    };
    const nobody: object = Object.create(res, {
      status: { value: () => nobody },
      setHeader: { value: () => nobody },
      end: { value: end },
    }) as object;
    const next = (): void => {
      resolve(true);
    };
    Reflect.apply(check, null, [req, nobody, next]);
  });
}

/**
 * Refuses variables that somebody typed who may not deploy: their values would go to any address.
 * @param id of the deployed node, whose own texts are as they are
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** True as long as there were fewer than so many within the last minute. */
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
 * Whether the request comes from a page of this Node-RED. This adds to the login: without one, another site could do all that a
 * user can.
 * @param isApp in the app of Home Assistant
 */
export function isSameOrigin(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isApp: boolean,
): boolean {
  const { origin } = headers;
  // No browser, or a browser with a page of the same origin.
  if (origin === undefined) return true;
  // Set by browsers on secure pages, and out of reach for scripts; proxies pass it on.
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const [page, host] = [addressOf(origin), headers.host];
  if (page === null) return false;
  if (host !== undefined && isAt(page, host)) return true;
  // Home Assistant puts another name into Host and says here what it was. A script of another site can say so, too, also through
  // a proxy on this machine, hence only the app is believed, where Home Assistant asks for a login first.
  if (!isApp || !isLoopback(socket.remoteAddress)) return false;
  const forwarded = [headers['x-forwarded-host']].flat().join(',').split(',').at(-1)?.trim();
  return forwarded !== undefined && forwarded !== '' && isAt(page, forwarded);
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
