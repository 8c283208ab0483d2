/** Every endpoint of the three APIs, tested against a faulty server, and the expected errors. */
import should from 'should';
import type { ClientResponse, SendOptions } from '../../../src/clients/client';
import type { ErrorCode } from '../../../src/errors';
import { type Act, type FaultCase, type FaultServer, startFaultServer } from '../network/fault-server';
import {
  apiKey,
  askOptions,
  behindPublicRoot,
  behindRoot,
  type Endpoint,
  errorOf,
  leaks,
  localAt,
  localEndpoints,
  publicAt,
  publicEndpoints,
  remoteAt,
  remoteEndpoints,
} from './harness';

/** For faults that only the deadline ends; short, to keep the tests fast. */
export const shortMs = 400;
/** For faults that end without the deadline; high, for slow machines. */
export const longMs = 30_000;
export const expected: Readonly<Record<FaultCase, ErrorCode>> = {
  silence: 'DEADLINE',
  'dripping headers': 'DEADLINE',
  'dripping body': 'DEADLINE',
  'headers, then silence': 'DEADLINE',
  'silence in mid-body': 'DEADLINE',
  'closed before headers': 'NETWORK',
  'closed in headers': 'NETWORK',
  'reset before headers': 'NETWORK',
  'reset in headers': 'NETWORK',
  'reset in body': 'NETWORK',
  'truncated, with length': 'NETWORK',
  'truncated, without length': 'BAD_PAYLOAD',
  'last chunk missing': 'NETWORK',
  'length too short': 'BAD_PAYLOAD',
  'two lengths': 'BAD_PAYLOAD',
  'garbage instead of HTTP': 'BAD_PAYLOAD',
  'gzip bomb': 'BAD_PAYLOAD',
  'corrupt gzip': 'BAD_PAYLOAD',
  'gzip without saying so': 'BAD_PAYLOAD',
  'HTML page': 'BAD_PAYLOAD',
  'HTML page called JSON': 'BAD_PAYLOAD',
  'invalid UTF-8': 'BAD_PAYLOAD',
  'status 204': 'BAD_PAYLOAD',
  'empty body': 'BAD_PAYLOAD',
  null: 'BAD_PAYLOAD',
  'a number': 'BAD_PAYLOAD',
  'a list': 'BAD_PAYLOAD',
  NaN: 'BAD_PAYLOAD',
  'prototype key': 'BAD_PAYLOAD',
  'deep nest': 'BAD_PAYLOAD',
  'another shape': 'BAD_PAYLOAD',
  'endless headers': 'TOO_LARGE',
  'endless body': 'TOO_LARGE',
  'huge length': 'TOO_LARGE',
  'redirect on the same host': 'REDIRECT',
  'redirect without target': 'REDIRECT',
  'redirect, garbled': 'REDIRECT',
  'redirect to itself': 'REDIRECT',
  'redirect to another host': 'REDIRECT',
  'chunk without a size': 'NETWORK',
  'header with a null byte': 'BAD_PAYLOAD',
  'another protocol': 'DEADLINE',
  'endless interim answers': 'DEADLINE',
  'text after the JSON': 'BAD_PAYLOAD',
  'UTF-16': 'BAD_PAYLOAD',
  'a string': 'BAD_PAYLOAD',
};

/** No CEMM answers when the root is invalid. */
const noRoot: ReadonlySet<FaultCase> = new Set<FaultCase>([
  'two lengths',
  'garbage instead of HTTP',
  'header with a null byte',
  'HTML page',
  'HTML page called JSON',
  'null',
  'a number',
  'a list',
  'a string',
  'another shape',
]);

/** An endpoint with its client. */
export interface Asker {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  readonly open: (server: FaultServer) => {
    ask(options: SendOptions): Promise<ClientResponse<unknown>>;
    close(): void;
  };
}

export interface Side {
  readonly name: 'remote' | 'local' | 'public';
  readonly endpoints: readonly Asker[];
  /** Path of the root; null for the service, which has none. */
  readonly rootPath: string | null;
  serve(act: Act, endpoint: Asker): Promise<FaultServer>;
}

function asking<C extends { close(): void }>(
  endpoints: readonly Endpoint<C>[],
  open: (server: FaultServer) => C,
): readonly Asker[] {
  return endpoints.map((endpoint) => ({
    name: endpoint.name,
    path: endpoint.path,
    body: endpoint.body,
    open(server) {
      const client = open(server);
      return {
        ask: (options) => endpoint.ask(client, options),
        close: () => {
          client.close();
        },
      };
    },
  }));
}

export const remote: Side = {
  name: 'remote',
  endpoints: asking(remoteEndpoints, remoteAt),
  rootPath: null,
  serve: (act) => startFaultServer(() => act),
};

export const local: Side = {
  name: 'local',
  endpoints: asking(localEndpoints, localAt),
  rootPath: '',
  serve: (act, { path }) => startFaultServer(path === '' ? () => act : behindRoot(() => act)),
};

export const publicSide: Side = {
  name: 'public',
  endpoints: asking(publicEndpoints, publicAt),
  rootPath: 'cemm',
  serve: (act, { path }) => startFaultServer(path === 'cemm' ? () => act : behindPublicRoot(() => act)),
};

export function codeFor(side: Side, endpoint: Asker, fault: FaultCase): ErrorCode {
  return endpoint.path === side.rootPath && noRoot.has(fault) ? 'NOT_A_MONITOR' : expected[fault];
}

export function endpointOf(side: Side, name: string): Asker {
  const found = side.endpoints.find((endpoint) => endpoint.name === name);
  if (found === undefined) throw new Error(`no endpoint ${name}`);
  return found;
}

/** Sends one request to a server with this behaviour. */
export async function meet(side: Side, endpoint: Asker, act: Act, deadlineMs = longMs) {
  const server = await side.serve(act, endpoint);
  const client = endpoint.open(server);
  const begun = performance.now();
  try {
    const error = await errorOf(client.ask(askOptions(deadlineMs)));
    const ms = performance.now() - begun;
    should(leaks(error, apiKey)).eql([], `${endpoint.name} leaks the key`);
    should(error.message)
      .match(/^[A-Z`].*\.$/s)
      .and.not.match(/\{\w+\}|undefined|null|\?\?/);
    should(error.message.length).be.below(300);
    should(error.requests).be.aboveOrEqual(1);
    return { error, requests: server.requests.length, ms };
  } finally {
    client.close();
    await server.close();
  }
}
