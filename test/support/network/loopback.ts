/** Ports and sockets of loopback addresses. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';

/** @returns the port, which the system has assigned */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Ends its connections, and resolves when it listens no longer. */
export async function closeServer(server: HttpServer): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** True if a program listens at the port. */
export async function isPortOpen(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect({ port, host });
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** A socket for datagrams; other sockets may share its port. */
export async function bindSocket(port: number, address: string): Promise<dgram.Socket> {
  const socket = dgram.createSocket({ type: 'udp4', reuseAddr: true });
  socket.bind(port, address);
  await once(socket, 'listening');
  return socket;
}
