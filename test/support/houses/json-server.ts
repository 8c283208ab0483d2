/** A server on this machine that answers each address with JSON. */
import { type Receiver, startReceiver } from '../simulator/receiver';

export interface JsonAnswer {
  readonly status: number;
  readonly body: object;
}

export class JsonServer {
  private receiver: Receiver | null = null;

  constructor(private readonly answer: (url: string) => JsonAnswer) {}

  /** @returns `host:port` */
  async openServer(): Promise<string> {
    this.receiver = await startReceiver((response, { path }) => {
      const { status, body } = this.answer(path);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return new URL(this.receiver.url).host;
  }

  async stop(): Promise<void> {
    await this.receiver?.close();
    this.receiver = null;
  }
}
