/** The requests of a connection: key, monitor, endpoint, and sending. */
import type {
  ClientResponse,
  MonitorClient,
  MonitorRequest,
  PublicApiKind,
  PublicClient,
  RequestKind,
  RequestOf,
  SendOptions,
  ValueOf,
} from '../clients/client';
import { CemmError, type EndpointName } from '../errors';
import type { MonitorId } from '../protocol/mac';

export interface QueueOptions extends SendOptions {
  /** True if the requested period is over. */
  readonly isPast?: boolean;
  /** True for the first request of a poll. */
  readonly isFirst?: boolean;
}

/** Equal for equal requests only; the `time` is not rounded. */
export function requestKey({ kind, ...parameters }: MonitorRequest): string {
  const members = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== false);
  return JSON.stringify([kind, ...members.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The monitor that handles the request; null for requests about the connection itself. */
export function getRequestMonitor(request: MonitorRequest): MonitorId | null {
  return 'monitor' in request ? request.monitor : null;
}

export function getRequestAlias(request: MonitorRequest): string | null {
  return 'alias' in request ? request.alias : null;
}

/**
 * The order in which queued requests start: a user's message, the search for aliases and the first reading of a meter,
 * lists and current readings, the running period, the past. What follows a list goes before the next list, so that a
 * monitor is read before the lists of hundreds of others have been.
 */
export const ranks = { user: 0, first: 1, now: 2, today: 3, past: 4 } as const;

export type Rank = (typeof ranks)[keyof typeof ranks];

export function rankRequest({ kind }: MonitorRequest, options: Omit<QueueOptions, 'signal' | 'deadlineMs'>): Rank {
  const { patience, isBulk = false, isPast = false, isFirst = false } = options;
  if (patience === 'user' && !isBulk) return ranks.user;
  if (kind === 'meter' || (kind === 'realtime' && isFirst)) return ranks.first;
  if (kind !== 'series' && kind !== 'totals' && kind !== 'timeseries') return ranks.now;
  return isPast ? ranks.past : ranks.today;
}

export function nameEndpoint(request: MonitorRequest): EndpointName {
  switch (request.kind) {
    case 'meters':
      return 'io';
    case 'series':
      return request.unit;
    case 'identity':
      return 'cemm';
    case 'catalogue':
      return 'meters';
    case 'monitors':
    case 'meter':
    case 'realtime':
    case 'totals':
    case 'timeseries':
      return request.kind;
  }
}

/** Sends the request; a request of the other generation of monitors is UNSUPPORTED. */
export function sendRequest(
  client: MonitorClient | PublicClient,
  request: MonitorRequest,
  options: SendOptions,
): Promise<ClientResponse<ValueOf<RequestKind>>> {
  if (client.transport === 'public') {
    if (isPublic(request)) return client.request(request, options);
    return Promise.reject(unsupported('only_series', nameEndpoint(request)));
  }
  if (!isPublic(request)) return client.request(request, options);
  return Promise.reject(unsupported('not_public', nameEndpoint(request)));
}

type PublicRequest = { [K in PublicApiKind]: RequestOf<K> }[PublicApiKind];

function isPublic(request: MonitorRequest): request is PublicRequest {
  return request.kind === 'identity' || request.kind === 'catalogue' || request.kind === 'timeseries';
}

/** The error for a request that only the other generation of monitors supports. */
export function unsupported(reason: 'not_public' | 'only_series', endpoint: EndpointName): CemmError {
  return new CemmError('UNSUPPORTED', { endpoint, reason });
}
