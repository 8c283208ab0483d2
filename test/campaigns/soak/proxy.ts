/** A TCP proxy in user space that can be switched off: network failures without changing the network. */
import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../support/network/loopback';

/** `refuses` closes at once, `swallows` accepts and stays silent. */
export type ProxyMode = 'through' | 'refuses' | 'swallows';

export interface Proxy {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** Connections so far. */
  readonly connections: number;
  /** Applies to open connections at once. */
  set(mode: ProxyMode): void;
  close(): Promise<void>;
}

/** @param to `http://host:port` */
export async function startProxy(to: string): Promise<Proxy> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let mode: ProxyMode = 'through';
  let connections = 0;
  const follow = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((caller) => {
    connections += 1;
    follow(caller);
    if (mode === 'refuses') caller.resetAndDestroy();
    else if (mode === 'swallows') caller.resume();
    else {
      const monitor = follow(connect(Number(port), hostname));
      caller.pipe(monitor).pipe(caller);
      caller.on('close', () => monitor.destroy());
      monitor.on('close', () => caller.destroy());
    }
  });
  const ownPort = await listenOnLoopback(server);
  return {
    host: `127.0.0.1:${ownPort}`,
    get connections() {
      return connections;
    },
    set(next) {
      mode = next;
      if (next !== 'through') for (const socket of [...sockets]) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of [...sockets]) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}
