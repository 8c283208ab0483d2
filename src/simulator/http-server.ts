/** The HTTP server of one interface of the simulator: passes requests to its routes and simulates network faults. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultName } from './faults';
import { sleep } from './simulated-clock';

export interface RouteRequest {
  readonly method: string;
  /** Ends in a slash, also if the path of the request does not. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path as the request has it. */
  readonly written?: string;
}

export interface RouteResponse {
  readonly status: number;
  readonly body: string;
  /** Default application/json; charset=utf-8. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the response, or null if the request is for another route. */
export type Route = (question: RouteRequest) => RouteResponse | null;

export function json(status: number, value: unknown): RouteResponse {
  return { status, body: JSON.stringify(value) };
}

export function failure(status: number, error: string): RouteResponse {
  return json(status, { error });
}

export const onlyGet = refuseOthers('GET');
export const onlyPost = refuseOthers('POST');

function refuseOthers(method: string): RouteResponse {
  return { ...failure(405, `only ${method}`), headers: { Allow: method } };
}

interface HttpInterfaceOptions {
  /** Name of the interface in `requests` and in the log. */
  readonly name: 'local' | 'remote';
  readonly port: number;
  readonly address: string;
  /** Routes for the user of the simulator. They come first and have no faults. */
  readonly pages: readonly Route[];
  readonly routes: readonly Route[];
  /** Read at each request, because faults can change. */
  readonly faults: ReadonlySet<FaultName>;
  readonly requests: Map<string, number>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

export interface HttpInterface {
  /** `http://127.0.0.1:1234`. */
  readonly origin: string;
  /** Destroys all sockets. */
  close(): Promise<void>;
}

const slowMs = 3000;
/** Number of paths in `requests`. Requests for more paths are counted together. */
const mostPaths = 1000;
const mostPathLength = 200;

/** Rejects with the error of `listen` (EADDRINUSE, EACCES). */
export async function startHttpInterface(options: HttpInterfaceOptions): Promise<HttpInterface> {
  const off = new AbortController();
  const server = createServer((request, response) => {
    const question = parseRequest(request);
    countRequest(options, question.path);
    writeLog(options, question, response);
    const page = firstAnswer(question, options.pages);
    if (page !== null) sendResponse(page, response, new Set());
    else if (options.faults.has('slow')) void respondLater(question, response);
    else respond(options, question, response);
  });

  async function respondLater(question: RouteRequest, response: ServerResponse): Promise<void> {
    await sleep(slowMs, off.signal);
    if (!off.signal.aborted) respond(options, question, response);
  }

  server.listen(options.port, options.address);
  await once(server, 'listening');

  return {
    origin: formatOrigin(server.address(), options.address),
    close: () => {
      off.abort();
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();
      return closed;
    },
  };
}

function parseRequest({ method = '', url = '/' }: IncomingMessage): RouteRequest {
  // Not parsed by URL, which throws for some request lines and changes others.
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  return {
    method,
    path: path.endsWith('/') ? path : `${path}/`,
    written: path,
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
  };
}

function respond({ routes, faults }: HttpInterfaceOptions, question: RouteRequest, response: ServerResponse): void {
  if (faults.has('silent')) return;
  const answer = faults.has('html') ? signInPage : firstAnswer(question, routes);
  sendResponse(answer ?? failure(404, 'not found'), response, faults);
}

function firstAnswer(question: RouteRequest, routes: readonly Route[]): RouteResponse | null {
  try {
    for (const route of routes) {
      const answer = route(question);
      if (answer !== null) return answer;
    }
    return null;
  } catch {
    // The simulator can run inside Node-RED, so an error must not end the process.
    return failure(500, 'the simulator failed');
  }
}

function sendResponse(answer: RouteResponse, response: ServerResponse, faults: ReadonlySet<FaultName>): void {
  const body = Buffer.from(answer.body);
  const half = body.subarray(0, Math.ceil(body.length / 2));
  const sent = faults.has('truncated') ? half : body;
  response.writeHead(answer.status, {
    'Content-Type': answer.contentType ?? 'application/json; charset=utf-8',
    'Content-Length': sent.length,
    ...answer.headers,
  });
  if (!faults.has('reset')) response.end(sent);
  else if (half.length === 0) response.socket?.resetAndDestroy();
  else response.write(half, () => response.socket?.resetAndDestroy());
}

const signInPage: RouteResponse = {
  status: 200,
  body: '<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>',
  contentType: 'text/html; charset=utf-8',
};

function countRequest({ name, requests }: HttpInterfaceOptions, path: string): void {
  const known = `${name} ${path.slice(0, mostPathLength)}`;
  const key = requests.has(known) || requests.size < mostPaths ? known : `${name} *`;
  requests.set(key, (requests.get(key) ?? 0) + 1);
}

/** Logs a request when its connection is closed or the response is sent. `status` is null if there was no response. */
function writeLog(
  { name, log }: HttpInterfaceOptions,
  { method, path, query }: RouteRequest,
  response: ServerResponse,
): void {
  const start = performance.now();
  response.once('close', () => {
    const time = query.get('time');
    log({
      interface: name,
      method,
      path: (time === null ? path : `${path}?time=${time}`).slice(0, mostPathLength),
      status: response.headersSent ? response.statusCode : null,
      ms: Math.round(performance.now() - start),
    });
  });
}

function formatOrigin(bound: string | AddressInfo | null, address: string): string {
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
