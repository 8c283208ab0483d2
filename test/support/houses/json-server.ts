/** A server on this machine that answers each address with JSON. */
import { createServer, type Server } from 'node:http';
import { listenOnLoopback } from '../network/loopback';

export interface JsonAnswer {
  readonly status: number;
  readonly body: object;
}

export class JsonServer {
  private server: Server | null = null;

  constructor(private readonly answer: (url: string) => JsonAnswer) {}

  /** @returns `host:port` */
  async openServer(): Promise<string> {
    const server = createServer((request, response) => {
      const { status, body } = this.answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    this.server = server;
    return `127.0.0.1:${await listenOnLoopback(server)}`;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
