/** A server that takes what is written as InfluxDB does, and keeps it. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Store {
  readonly url: string;
  readonly calls: { request: IncomingMessage; body: string }[];
  close(): Promise<void>;
}

/** Accepts writes like InfluxDB: 204. */
export async function startStore(): Promise<Store> {
  const calls: Store['calls'] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      calls.push({ request, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
