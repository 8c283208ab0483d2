/** A real HTTP server on loopback that stores all received bytes. */
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../network/loopback';

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
    buffer(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        const one = { method, path: url, headers, body };
        received.push(one);
        answer(response, one);
      },
      // The sender has left.
      () => undefined,
    );
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => closeServer(server),
  };
}
