/** A receiver of deliveries behind an HTTP server, and the deliveries that are sent to it. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { WebhookPayload } from '../../../src/model/payload';
import type { Problem } from '../../../src/model/delivery';
import { type Clock, backgroundClock } from '../../../src/time/clock';
import { createAuthenticator, type AuthenticationRules, sign } from '../../../src/webhook/signature';
import { Receiver, type ReceiverCallbacks } from '../../../src/webhook/receiver';
import { createReceiverState, type ReceiverState } from '../../../src/webhook/receiver-state';
import { plainContext } from './context';
import { exchange, type Response } from '../network/exchange';
import { closeServer, listenOnLoopback } from '../network/loopback';

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
  function close(): Promise<void> {
    made.receiver.close();
    return closeServer(server);
  }
  return Object.assign(made, { port });
}

export interface Reply extends Response {
  readonly json: Record<string, unknown>;
}

export interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly signature?: string | null;
}

export async function sendDelivery(
  port: number,
  body: Buffer | string,
  { method = 'POST', path = '/cemm', headers = {}, signature = sign(key, Buffer.from(body)) }: Sending = {},
): Promise<Reply> {
  const length = 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
  const signed = signature === null ? {} : { 'x-signature': signature };
  const all = { 'content-type': 'application/json', ...length, ...signed, ...headers };
  const response = await exchange(`http://127.0.0.1:${port}`, { method, path, headers: all }, body);
  const json = JSON.parse(response.text || '{}') as Record<string, unknown>;
  return { ...response, json };
}
