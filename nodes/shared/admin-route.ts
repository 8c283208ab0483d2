/**
 * Admin routes that act: POST with JSON and a header of our own, which no form of another site can send (a script can, where
 * Node-RED answers preflights with `*`), from a page of the same origin, with a write permission on each, 4 kB at most, so
 * many a minute, and answers of a fixed shape.
 */
import type { IncomingMessage } from 'node:http';
import type { NodeAPI } from 'node-red';
import { requestHeader } from './admin';
import { isSameOrigin } from './same-origin';

const bodyLimit = 4096;

/** The fixed words a route refuses with. */
export type AdminWord =
  'bad_request' | 'other_origin' | 'too_large' | 'too_many' | 'not_deployed' | 'key_elsewhere' | 'unexpected';

export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly word: AdminWord,
  ) {
    super(word);
  }
}

/** The members of a request's body, whatever it is. */
export type Body = (name: string) => unknown;

export interface AdminRoute {
  readonly method: 'post';
  /** Relative to the admin root, without a slash in front. */
  readonly path: string;
  readonly permission: `${string}.write`;
  readonly perMinute: number;
  /** No answer leaves sooner, in ms: how long it takes must not tell what is behind an address. */
  readonly atLeastMs: number;
  /** Throws a Refusal; anything else that it throws is answered 500. The signal fires when nobody waits any more. */
  act(body: Body, signal: AbortSignal): Promise<object>;
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
  // With httpAdminRoot false there is no editor to ask anything.
  if (Reflect.get(RED.settings, 'httpAdminRoot') === false) return;
  for (const route of routes) {
    const isAllowed = createRateLimit(route.perMinute);
    const mayWrite = RED.auth.needsPermission(route.permission);
    RED.httpAdmin.post(`/${route.path}`, mayWrite, (req: AdminRequest, res: AdminResponse) => {
      const left = new AbortController();
      res.on('close', () => {
        left.abort();
      });
      void answer(route, req, isAllowed, left.signal).then(({ status, body }) => {
        if (!left.signal.aborted) res.status(status).json(body);
      });
    });
  }
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

/** Never rejects. */
async function answer(
  route: AdminRoute,
  req: AdminRequest,
  isAllowed: () => boolean,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    if (!isOurs(req)) throw new Refusal(400, 'bad_request');
    if (!isSameOrigin(req)) throw new Refusal(403, 'other_origin');
    if (!(Number(req.headers['content-length'] ?? Infinity) <= bodyLimit)) throw new Refusal(413, 'too_large');
    if (!isAllowed()) throw new Refusal(429, 'too_many');
    const { body } = req;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400, 'bad_request');
    const members: Body = (name) => (Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined);
    const [reply] = await Promise.all([route.act(members, signal), pause(route.atLeastMs, signal)]);
    return { status: 200, body: reply };
  } catch (thrown) {
    const { status, word } = thrown instanceof Refusal ? thrown : new Refusal(500, 'unexpected');
    return { status, body: { error: word } };
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
export function createRateLimit(perMinute: number, now: () => number = () => performance.now()): () => boolean {
  let times: number[] = [];
  return () => {
    const time = now();
    times = times.filter((earlier) => time - earlier < 60_000);
    if (times.length >= perMinute) return false;
    times.push(time);
    return true;
  };
}
