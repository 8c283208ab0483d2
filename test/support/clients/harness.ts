/** Harness of the client tests: every endpoint of all clients, valid responses, and the search for secrets. */
import { inspect } from 'node:util';
import type {
  ClientResponse,
  MonitorClient,
  OpenApiKind,
  PublicApiKind,
  PublicClient,
  RequestOf,
  SendOptions,
  TimeseriesRequest,
} from '../../../src/clients/client';
import { CemmError } from '../../../src/errors';
import { createLocalClient } from '../../../src/clients/local-client';
import { createPublicClient } from '../../../src/clients/public-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import type { MonitorId } from '../../../src/protocol/mac';
import type { Seconds } from '../../../src/time/units';
import { spellingsIn } from '../node-red/secrets';
import { type Act, type FaultServer, json, type ReceivedRequest } from '../network/fault-server';

/** A key whose characters differ in every encoding. */
export const apiKey = 'k+ey/=&% ?ümläut-7f3a9c';

export const monitor = '001ec08596cc' as MonitorId;
export const mac = '00:1E:C0:85:96:CC';
export const noon = 1_700_000_000 as Seconds;
const moment = 1_700_000_000_000;

export const root = { data: { mac, name: 'CEMM Basic', type: 'E5AD', version: '2.18.1.0', core: '1.24' } };

export const publicRoot = {
  id: 24000293,
  name: 'Development',
  mac,
  version: '1.10.0',
  timezone: 'Europe/Amsterdam',
  time: noon,
};

export interface Endpoint<C = MonitorClient> {
  readonly name: string;
  /** Path after the base address. */
  readonly path: string;
  /** A valid response. */
  readonly body: unknown;
  ask(client: C, options: SendOptions): Promise<ClientResponse<unknown>>;
}

const ref = { monitor, alias: 'p1' };
const series = { io_id: 1, time: moment, data: { electric_power: [[moment, 5]] } };

function endpoint<K extends OpenApiKind>(name: string, path: string, body: unknown, request: RequestOf<K>): Endpoint {
  return { name, path, body, ask: (client, options) => client.request(request, options) };
}

const common = (io: unknown): Endpoint[] => [
  endpoint('realtime', 'p1/realtime/', { io_id: 1, data: { t1: [moment, 1] } }, { kind: 'realtime', ...ref }),
  ...(['day', 'month', 'year'] as const).map((unit) =>
    endpoint(unit, `p1/data/${unit}/`, series, { kind: 'series', ...ref, unit, time: noon }),
  ),
  endpoint('io', 'io/', io, { kind: 'meters', monitor }),
];

const remoteIo = { data: [{ io_id: 1, port: 3, type: 'p1', port_option: 'p1_in', full_id: 0 }] };
const localIo = { data: [{ io_id: 1, port: 3, type: 'p1', alias: 'p1' }] };
const totals = { io_id: 1, time: moment, data: { t1: [moment, 100.5] } };

export const remoteEndpoints: readonly Endpoint[] = [
  endpoint('monitors', '', { data: [{ uid: '00-1E-C0-85-96-CC' }] }, { kind: 'monitors' }),
  ...common(remoteIo),
  endpoint('meter', 'p1/', remoteIo, { kind: 'meter', ...ref }),
  endpoint('totals', 'p1/totals/', totals, { kind: 'totals', ...ref, time: noon }),
];

export const localEndpoints: readonly Endpoint[] = [
  endpoint('root', '', root, { kind: 'monitors' }),
  ...common(localIo).map((one) => (one.name === 'io' ? { ...one, path: 'io' } : one)),
  endpoint('meter', 'io', localIo, { kind: 'meter', ...ref }),
];

export const week: TimeseriesRequest = { channel: 'zon:flow', resolution: 'day', count: 7, include: 'cemm' };

function publicEndpoint<K extends PublicApiKind>(
  path: string,
  body: unknown,
  request: RequestOf<K>,
): Endpoint<PublicClient> {
  return { name: path, path, body, ask: (client, options) => client.request(request, options) };
}

const oneMeter = { meters: [{ id: 1, key: 'zon', channels: [{ id: 1, key: 'flow', unit: 'L/min' }] }] };

export const publicEndpoints: readonly Endpoint<PublicClient>[] = [
  publicEndpoint('cemm', publicRoot, { kind: 'identity' }),
  publicEndpoint('meters', oneMeter, { kind: 'catalogue', monitor }),
  publicEndpoint('timeseries', { data: [[noon, 5]] }, { kind: 'timeseries', monitor, ...week }),
];

export function askOptions(deadlineMs = 20_000, patience: SendOptions['patience'] = 'poll'): SendOptions {
  return { deadlineMs, patience, signal: new AbortController().signal };
}

/** Retries at once. */
export function remoteAt({ origin }: Pick<FaultServer, 'origin'>): MonitorClient {
  return createRemoteClient({ baseUrl: `${origin}/v1`, apiKey, random: () => 0 });
}

export function localAt({ origin }: Pick<FaultServer, 'origin'>) {
  return createLocalClient({ host: origin, allowLoopback: true });
}

export function publicAt({ origin }: Pick<FaultServer, 'origin'>): PublicClient {
  return createPublicClient({ host: origin, allowLoopback: true });
}

/** Sends the valid root to a client of the public API, so that it reaches the endpoint under test. */
export function behindPublicRoot(act: (request: ReceivedRequest) => Act): (request: ReceivedRequest) => Act {
  return (request) => (request.path === '/api/v1/public/cemm' ? json(publicRoot) : act(request));
}

/** Sends the valid root to a local client, so that it reaches the endpoint under test. */
export function behindRoot(act: (request: ReceivedRequest) => Act): (request: ReceivedRequest) => Act {
  return (request) => (request.path === '/open-api/v1/' ? json(root) : act(request));
}

/** The CemmError of a request. Fails the test for any other result. */
export async function errorOf(question: Promise<unknown>): Promise<CemmError> {
  const outcome: unknown = await question.then(
    () => 'an answer',
    (error: unknown) => error,
  );
  if (outcome instanceof CemmError) return outcome;
  throw new Error(`a CemmError was expected, not ${inspect(outcome)}`);
}

/** Places of an error that contain the secret in any encoding. */
export function leaks(error: CemmError, secret: string): string[] {
  const places = {
    message: error.message,
    stack: error.stack ?? '',
    json: JSON.stringify(error),
    inspect: inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    cause: inspect(error.cause, { depth: Infinity, showHidden: true }),
    copy: inspect(error.copy(), { depth: Infinity, showHidden: true }),
  };
  return Object.entries(places)
    .filter(([, text]) => spellingsIn(text, secret).length > 0)
    .map(([place]) => place);
}
