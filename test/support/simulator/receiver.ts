/** A real HTTP server on loopback that stores all received bytes. */
import http from 'node:http';
import { listenOnLoopback } from '../network/loopback';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  readonly close: () => Promise<void>;
}

export async function startReceiver(
  answer: (response: http.ServerResponse, received: Received) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(chunks) };
      received.push(one);
      answer(response, one);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
