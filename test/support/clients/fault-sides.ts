/** Every endpoint of the three APIs, tested against a faulty server, and the expected errors. */
import should from 'should';
import type { ClientResponse, SendOptions } from '../../../src/clients/client';
import type { ErrorCode } from '../../../src/errors';
import { type Act, expectedCode, type FaultCase, type FaultServer, startFaultServer } from '../network/fault-server';
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

export function codeFor(side: Side, endpoint: Asker, fault: FaultCase): ErrorCode | undefined {
  return endpoint.path === side.rootPath && noRoot.has(fault) ? 'NOT_A_MONITOR' : expectedCode(fault);
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
