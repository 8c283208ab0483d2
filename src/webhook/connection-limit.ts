/** Prevents one address from holding all connections of a port: a new connection closes its least recently used one. */
import type { Socket } from 'node:net';
import { networkOf } from './remote-network';

export class ConnectionLimit {
  /** By network; the least recently used first, by address and port: with TLS a request has another socket. */
  private readonly networks = new Map<string, Map<string, Socket>>();

  constructor(private readonly most: number) {}

  add(socket: Socket): void {
    const network = networkOf(socket.remoteAddress);
    const theirs = this.networks.get(network) ?? new Map<string, Socket>();
    this.networks.set(network, theirs);
    const name = nameSocket(socket);
    theirs.set(name, socket);
    const forget = (): void => {
      if (theirs.get(name) === socket) theirs.delete(name);
      if (theirs.size === 0) this.networks.delete(network);
    };
    socket.once('close', forget);
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
