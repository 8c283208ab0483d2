/** A receiver of deliveries behind an HTTP server, and the deliveries that are sent to it. */
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import type { WebhookPayload } from '../../../src/model/payload';
import type { Problem } from '../../../src/model/delivery';
import { type Clock, backgroundClock } from '../../../src/time/clock';
import { createAuthenticator, type AuthenticationRules, sign } from '../../../src/webhook/signature';
import { Receiver, type ReceiverCallbacks } from '../../../src/webhook/receiver';
import { createReceiverState, type ReceiverState } from '../../../src/webhook/receiver-state';
import { plainContext } from './context';
import { listenOnLoopback } from '../network/loopback';

export const key = 'a key that both sides know, and nobody guesses';
export const contextOf = () => plainContext;

export interface Harness {
  readonly port: number;
  readonly delivered: WebhookPayload[];
  readonly problems: Problem[];
  readonly faults: unknown[];
  readonly state: ReceiverState;
  receiver: Receiver;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly proof?: AuthenticationRules;
  readonly maxAgeMs?: number;
  readonly monitors?: readonly number[];
  readonly clock?: Clock;
  readonly callbacks?: Partial<ReceiverCallbacks>;
  readonly before?: (req: IncomingMessage, next: () => void) => void;
  readonly server?: (handle: RequestListener) => Server;
}

export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const clock = options.clock ?? backgroundClock;
  const state = createReceiverState(clock);
  const delivered: WebhookPayload[] = [];
  const problems: Problem[] = [];
  const faults: unknown[] = [];
  const receiver = new Receiver(
    {
      authenticator: createAuthenticator(options.proof ?? { hmac: { current: key } }),
      maxAgeMs: options.maxAgeMs ?? 300_000,
      monitors: new Set(options.monitors ?? []),
      contextOf,
    },
    state,
    {
      deliver: (payload) => delivered.push(payload),
      problem: (problem) => problems.push(problem),
      fault: (error) => faults.push(error),
      ...options.callbacks,
    },
    clock,
  );
  const made: Harness = { port: 0, delivered, problems, faults, state, receiver, close };
  const server = (options.server ?? createServer)((req, res) => {
    const handle = (): void => {
      made.receiver.handle(req, res);
    };
    if (options.before) options.before(req, handle);
    else handle();
  });
  const port = await listenOnLoopback(server);
  async function close(): Promise<void> {
    made.receiver.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return Object.assign(made, { port });
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

export interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly signature?: string | null;
}

export function sendDelivery(
  port: number,
  body: Buffer | string,
  { method = 'POST', path = '/cemm', headers = {}, signature }: Sending = {},
): Promise<Reply> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const signed = signature === undefined ? sign(key, bytes) : signature;
    const call = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: {
        'content-type': 'application/json',
        ...('transfer-encoding' in headers ? {} : { 'content-length': String(bytes.length) }),
        ...(signed === null ? {} : { 'x-signature': signed }),
        ...headers,
      },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const parsed: unknown = text === '' ? {} : JSON.parse(text);
        resolve({
          status: response.statusCode ?? 0,
          text,
          json: parsed as Record<string, unknown>,
          headers: response.headers,
        });
      });
    });
    call.end(bytes);
  });
}

let counter = 0;

/** Value of the latest delivery. */
export function latestValue(): number {
  return counter;
}

export function delivery(more: Record<string, unknown> = {}): Buffer {
  counter += 1;
  const time = Math.floor(Date.now() / 1000);
  const data = { zon: { volume: { reading: { time, value: counter } } } };
  return Buffer.from(JSON.stringify({ format: 'basic-v1', cemm: 24000001, time, data, ...more }));
}
