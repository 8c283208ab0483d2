/** A receiver behind a plain web server, and raw connections to it, for the faults of a webhook path. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { WebhookPayload } from '../../../src/model/payload';
import type { Problem } from '../../../src/model/delivery';
import { backgroundClock, type Clock } from '../../../src/time/clock';
import { createAuthenticator, sign, type AuthenticationRules } from '../../../src/webhook/signature';
import { createReceiver } from '../../../src/webhook/receiver';
import { createReceiverState } from '../../../src/webhook/receiver-state';

export const key = 'the key of these faults, a long one';

export interface Receiving {
  readonly port: number;
  readonly delivered: WebhookPayload[];
  readonly problems: Problem[];
  readonly faults: unknown[];
  close(): Promise<void>;
}

export interface ReceivingOptions {
  readonly proof?: AuthenticationRules;
  readonly clock?: Clock;
  readonly deliver?: (payload: WebhookPayload) => void;
  readonly server?: (handle: Parameters<typeof createHttpServer>[1] & object) => Server;
}

export async function receiving(options: ReceivingOptions = {}): Promise<Receiving> {
  const clock = options.clock ?? backgroundClock;
  const delivered: WebhookPayload[] = [];
  const problems: Problem[] = [];
  const faults: unknown[] = [];
  const rules = {
    authenticator: createAuthenticator(options.proof ?? { hmac: { current: key } }),
    maxAgeMs: 300_000,
    monitors: new Set<number>(),
    contextOf: () => ({
      timezone: 'Europe/Amsterdam',
      path: '/cemm',
      catalogue: new Map(),
      monitor: null,
      subject: { meter: 'zon', channel: 'volume' },
      interval: null,
    }),
  };
  const callbacks = {
    deliver: options.deliver ?? ((payload: WebhookPayload) => void delivered.push(payload)),
    problem: (problem: Problem) => void problems.push(problem),
    fault: (error: unknown) => void faults.push(error),
  };
  const receiver = createReceiver(rules, createReceiverState(clock), callbacks, clock);
  const server = (options.server ?? createHttpServer)((req, res) => {
    receiver.handle(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    delivered,
    problems,
    faults,
    async close() {
      receiver.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let counter = 0;

/** A delivery of one reading with a unique value. */
export function delivery(more: Readonly<Record<string, unknown>> = {}): Buffer {
  counter += 1;
  const time = Math.floor(Date.now() / 1000);
  const data = { zon: { volume: { reading: { time, value: counter } } } };
  return Buffer.from(JSON.stringify({ format: 'basic-v1', cemm: 24000001, time, data, ...more }));
}

/** A signed call, byte by byte. */
export function call(body: Buffer, more: readonly string[] = [], { target = '/cemm', version = '1.1' } = {}): Buffer {
  const lengths = more.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    ? []
    : [`Content-Length: ${body.length}`];
  const lines = [
    `POST ${target} HTTP/${version}`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-Signature: ${sign(key, body)}`,
    ...lengths,
    ...more,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

/** Writes the bytes, optionally closes its side, and resolves with all data until the other side has closed. */
export function speak(port: number, bytes: Buffer, { end = false, until = 0 } = {}): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (end) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
      if (until > 0 && statuses(heard).length >= until) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(heard);
    });
  });
}

/** The statuses of the responses, in order. */
export function statuses(heard: string): number[] {
  return [...heard.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map((match) => Number(match[1]))
    .filter((status) => status !== 100);
}
