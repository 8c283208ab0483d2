/**
 * The server of a port for deliveries only, shared by all webhook routes of one port and bind address. `GET /health` tells a
 * load balancer if all of them are ready.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { getOrSet } from '../checks/get-or-set';
import { HttpExchange, jsonResponse, type JsonResponse, errorResponse } from './http-exchange';
import { type Clock, backgroundClock } from '../time/clock';
import { type ListenAddress, type ListenFailure, PortListener } from './port-listener';
import { networkOf } from './remote-network';

/** Options for `tls.createSecureContext`. */
export type Certificate = Pick<SecureContextOptions, 'key' | 'cert' | 'ca' | 'passphrase'>;

export interface DeliveryRoute {
  /** True if a URL (path and query) belongs to this route. */
  matches(url: string): boolean;
  readonly isReady: boolean;
  handle(req: IncomingMessage, res: ServerResponse): void;
}

const serverLimits = {
  headersTimeout: 3000,
  requestTimeout: 5000,
  keepAliveTimeout: 10_000,
  // Interval at which Node checks the timeouts above; its default of 30 s would be the real timeout.
  connectionsCheckingInterval: 500,
  maxHeaderSize: 8192,
};
const handshakeTimeout = 3000;
const mostConnections = 1000;
/** A quarter of all connections: one address cannot hold all of them, and a proxy needs far fewer. */
export const connectionsPerAddress = 250;

const nothingHere = jsonResponse(404, 'not_found', 'Nothing is received at this path.');
const healthMethods = jsonResponse(405, 'method', 'Only GET is answered here.', { Allow: 'GET, HEAD' });

export class DeliveryServer {
  private readonly routes = new Set<DeliveryRoute>();
  private listener: PortListener | null = null;

  /** @param changed called when the port was opened, and when its failure changes */
  constructor(
    readonly address: ListenAddress,
    private readonly changed: () => void,
    private readonly mostPerAddress = connectionsPerAddress,
    private readonly clock: Clock = backgroundClock,
  ) {}

  /** Null while the port is open or being opened. */
  get failure(): ListenFailure | null {
    return this.listener?.failure ?? null;
  }

  get isOpen(): boolean {
    return this.listener?.isOpen ?? false;
  }

  get isSecure(): boolean {
    return this.listener?.server instanceof SecureServer;
  }

  /**
   * Opens the port, or changes the certificate of an open one.
   * @throws {Error} if the certificate cannot be used
   */
  open(certificate: Certificate | null): void {
    const server = this.listener?.server;
    if (server instanceof SecureServer && certificate !== null) {
      server.setSecureContext(certificate);
      return;
    }
    if (server !== undefined && !this.isSecure && certificate === null) return;
    const next = this.createServer(certificate);
    this.close();
    this.listener = new PortListener(next, this.address, this.clock, this.changed);
  }

  /** Keeps the routes for the next `open`. */
  close(): void {
    this.listener?.close();
    this.listener = null;
  }

  add(route: DeliveryRoute): void {
    this.routes.add(route);
  }

  remove(route: DeliveryRoute): void {
    this.routes.delete(route);
  }

  private createServer(certificate: Certificate | null): Server {
    const responses = new WeakMap<Socket, ServerResponse>();
    const server =
      certificate === null
        ? createServer(serverLimits)
        : createSecureServer({ ...serverLimits, ...certificate, handshakeTimeout });
    server.maxConnections = mostConnections;
    const limit = new ConnectionLimit(this.mostPerAddress);
    server.on('connection', (socket: Socket) => {
      limit.add(socket);
    });
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      limit.use(req.socket);
      responses.set(req.socket, res);
      this.serve(req, res);
    });
    server.on('clientError', (error: Error, socket: Socket) => {
      refuseConnection(error, socket, responses.get(socket));
    });
    return server;
  }

  private serve(req: IncomingMessage, res: ServerResponse): void {
    const url = req.url ?? '';
    if (isHealth(url)) {
      this.answerHealth(req, res);
      return;
    }
    for (const route of this.routes) {
      if (!route.matches(url)) continue;
      route.handle(req, res);
      return;
    }
    new HttpExchange(req, res, this.clock).respond(nothingHere);
  }

  private answerHealth(req: IncomingMessage, res: ServerResponse): void {
    const isReady = this.routes.size > 0 && [...this.routes].every((route) => route.isReady);
    if (req.method !== 'GET' && req.method !== 'HEAD') new HttpExchange(req, res, this.clock).respond(healthMethods);
    else if (!isReady) new HttpExchange(req, res, this.clock).respond(errorResponse('busy'));
    else res.writeHead(204, { 'Cache-Control': 'no-store' }).end();
  }
}

function isHealth(url: string): boolean {
  return /^\/health\/?(?:\?|$)/i.test(url);
}

const clientErrors: Readonly<Record<string, JsonResponse>> = {
  ERR_HTTP_REQUEST_TIMEOUT: jsonResponse(408, 'too_slow', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: jsonResponse(431, 'too_large', 'The headers are larger than 8 kB.'),
};
const notHttp = jsonResponse(400, 'bad_request', 'This is not a request that can be read.');

/**
 * Responds to requests that Node's HTTP parser rejects, unless a response on the same connection is still being written. A
 * complete request in front of it is answered first.
 */
function refuseConnection(error: Error, socket: Socket, response: ServerResponse | undefined): void {
  const code = String(Reflect.get(error, 'code'));
  // Other errors come from the connection or the TLS handshake, where no response is possible.
  const isOfParser = Object.hasOwn(clientErrors, code) || code.startsWith('HPE_');
  if (isOfParser && response?.req.complete === true && !response.writableFinished && !response.destroyed) {
    // Only once: every further byte causes an error as well.
    if (response.listenerCount('close', endConnection) === 0) response.on('close', endConnection);
    return;
  }
  const isFree = response === undefined || response.writableFinished || !response.headersSent;
  if (!isOfParser || !isFree || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = clientErrors[code] ?? notHttp;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => {
      socket.destroy();
    },
  );
}

function endConnection(this: ServerResponse): void {
  this.req.socket.destroy();
}

/** Prevents one address from holding all connections of a port: a new connection closes its least recently used one. */
class ConnectionLimit {
  /** By network; the least recently used first, by address and port: with TLS a request has another socket. */
  private readonly networks = new Map<string, Map<string, Socket>>();

  constructor(private readonly most: number) {}

  add(socket: Socket): void {
    const network = networkOf(socket.remoteAddress);
    const theirs = getOrSet(this.networks, network, () => new Map());
    const name = nameSocket(socket);
    theirs.set(name, socket);
    const forgetSocket = (): void => {
      if (theirs.get(name) === socket) theirs.delete(name);
      if (theirs.size === 0) this.networks.delete(network);
    };
    socket.once('close', forgetSocket);
    if (theirs.size <= this.most) return;
    const [oldest] = theirs;
    if (oldest === undefined) return;
    theirs.delete(oldest[0]);
    oldest[1].destroy();
  }

  /** A request arrived on this connection. */
  use(of: Socket): void {
    const theirs = this.networks.get(networkOf(of.remoteAddress));
    const name = nameSocket(of);
    const socket = theirs?.get(name);
    if (theirs === undefined || socket === undefined) return;
    theirs.delete(name);
    theirs.set(name, socket);
  }
}

function nameSocket({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
