/** Opens a port, retries while it cannot be opened, and closes it with all its connections. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../time/clock';

export interface ListenAddress {
  readonly port: number;
  /** An IP address of this machine, or `0.0.0.0` or `::` for all of them. */
  readonly bind: string;
}

/** Reason of a port that is not open. */
export type ListenFailure = 'port_in_use' | 'port_privileged' | 'bind_unavailable' | 'listen_failed';

/** A port that was just closed by a deploy or another process is free by then. */
const firstRetryMs = 250;
const retryMs = 2000;
/** Time for running requests after the port was closed. */
const closingMs = 500;

export class PortListener {
  /** Null while the port is open or being opened. */
  failure: ListenFailure | null = null;
  private readonly sockets = new Set<Socket>();
  private stopRetry: (() => void) | null = null;
  private closed = false;

  /** @param changed called when the port was opened, and when its failure changes */
  constructor(
    readonly server: Server,
    private readonly address: ListenAddress,
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('listening', () => {
      this.setFailure(null);
    });
    server.on('error', (error) => {
      // An open server also emits errors, for connections that it could not accept.
      if (!server.listening) this.retry(listenFailureOf(error));
    });
    this.listen();
  }

  get isOpen(): boolean {
    return this.server.listening;
  }

  /** Frees the port at once; requests in progress have half a second. */
  close(): void {
    this.closed = true;
    this.stopRetry?.();
    this.server.close();
    this.server.closeIdleConnections();
    this.clock.after(closingMs, () => {
      for (const socket of this.sockets) socket.destroy();
    });
  }

  private listen(): void {
    this.server.listen({ port: this.address.port, host: this.address.bind });
  }

  private retry(failure: ListenFailure): void {
    if (this.closed) return;
    const isFirst = this.stopRetry === null;
    this.stopRetry = this.clock.after(isFirst ? firstRetryMs : retryMs, () => {
      this.listen();
    });
    if (!isFirst) this.setFailure(failure);
  }

  private setFailure(failure: ListenFailure | null): void {
    const before = this.failure;
    this.failure = failure;
    if (failure !== before && !this.closed) this.changed();
  }
}

export function listenFailureOf(error: Error): ListenFailure {
  const code: unknown = Reflect.get(error, 'code');
  if (code === 'EADDRINUSE') return 'port_in_use';
  if (code === 'EACCES' || code === 'EPERM') return 'port_privileged';
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL'
    ? 'bind_unavailable'
    : 'listen_failed';
}
