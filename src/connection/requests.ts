/** The requests a connection can be asked: what is shared, polled and counted is always one of these. */
import type { ClientResponse, SendOptions, MonitorClient, SeriesUnit } from '../clients/client';
import { CemmError, type EndpointName } from '../errors';
import type { IdentifiedMonitor, PublicClient, TimeseriesRequest } from '../clients/public-client';
import type {
  IoRecord,
  MonitorRecord,
  PublicMeter,
  RealtimeResponse,
  Samples,
  SeriesResponse,
  TotalsResponse,
} from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import type { Seconds } from '../protocol/time';

interface Answers {
  monitors: readonly MonitorRecord[];
  meters: readonly IoRecord[];
  meter: readonly IoRecord[];
  realtime: RealtimeResponse;
  series: SeriesResponse;
  totals: TotalsResponse;
  identity: readonly IdentifiedMonitor[];
  catalogue: readonly PublicMeter[];
  timeseries: Samples;
}

export type MonitorRequest =
  | { readonly kind: 'monitors' }
  | { readonly kind: 'meters'; readonly monitor: MonitorId; readonly goOn?: boolean }
  | { readonly kind: 'meter'; readonly monitor: MonitorId; readonly alias: string }
  | { readonly kind: 'realtime'; readonly monitor: MonitorId; readonly alias: string }
  | {
      readonly kind: 'series';
      readonly monitor: MonitorId;
      readonly alias: string;
      readonly unit: SeriesUnit;
      readonly time: Seconds;
    }
  | { readonly kind: 'totals'; readonly monitor: MonitorId; readonly alias: string; readonly time: Seconds }
  | PublicRequest;

/** Of the public API of a CEMM 3.0. */
export type PublicRequest =
  | { readonly kind: 'identity' }
  | { readonly kind: 'catalogue'; readonly monitor: MonitorId }
  | ({ readonly kind: 'timeseries'; readonly monitor: MonitorId } & TimeseriesRequest);

export type ResponseTo<Q extends MonitorRequest> = Answers[Q['kind']];

/** Equal for equal requests and for nothing else: days are never merged by rounding their `time`. */
export function requestKey(request: MonitorRequest): string {
  const { kind } = request;
  switch (kind) {
    case 'monitors':
    case 'identity':
      return kind;
    case 'meters':
      return JSON.stringify([kind, request.monitor, ...(request.goOn === true ? ['goOn'] : [])]);
    case 'catalogue':
      return JSON.stringify([kind, request.monitor]);
    case 'meter':
    case 'realtime':
      return JSON.stringify([kind, request.monitor, request.alias]);
    case 'series':
      return JSON.stringify([kind, request.monitor, request.alias, request.unit, request.time]);
    case 'totals':
      return JSON.stringify([kind, request.monitor, request.alias, request.time]);
    case 'timeseries': {
      const { monitor, channel, resolution, count, include } = request;
      return JSON.stringify([kind, monitor, channel, resolution, count, include]);
    }
  }
}

/** The monitor that has to work for the answer; null where the request is about the connection itself. */
export function monitorOf(request: MonitorRequest): MonitorId | null {
  return 'monitor' in request ? request.monitor : null;
}

export function aliasOf(request: MonitorRequest): string | null {
  return 'alias' in request ? request.alias : null;
}

export function endpointOf(request: MonitorRequest): EndpointName {
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

/** Puts the request to a client; one of the other generation's interface is UNSUPPORTED. */
export function send(
  client: MonitorClient | PublicClient,
  request: MonitorRequest,
  options: SendOptions,
): Promise<ClientResponse<ResponseTo<MonitorRequest>>> {
  if (isPublic(request)) {
    if (client.transport === 'public') return sendPublic(client, request, options);
    return Promise.reject(unsupported('not_public', endpointOf(request)));
  }
  if (client.transport === 'public') return Promise.reject(unsupported('only_series', endpointOf(request)));
  return sendOpen(client, request, options);
}

function isPublic(request: MonitorRequest): request is PublicRequest {
  return request.kind === 'identity' || request.kind === 'catalogue' || request.kind === 'timeseries';
}

/** What only the other generation of monitors can be asked. */
export function unsupported(reason: 'not_public' | 'only_series', endpoint: EndpointName): CemmError {
  return new CemmError('UNSUPPORTED', unsupportedSentences[reason], { endpoint, reason });
}

const unsupportedSentences = {
  not_public: 'Only a CEMM 3.0 can be asked for this. Use a connection with the mode "public API".',
  only_series:
    'Of a CEMM 3.0 only its meters and time series can be asked. Use the series node, or a webhook for current values.',
} as const;

function sendPublic(
  client: PublicClient,
  request: PublicRequest,
  options: SendOptions,
): Promise<ClientResponse<ResponseTo<MonitorRequest>>> {
  switch (request.kind) {
    case 'identity':
      return client.monitors(options);
    case 'catalogue':
      return client.catalogue(request.monitor, options);
    case 'timeseries':
      return client.timeseries(request.monitor, request, options);
  }
}

function sendOpen(
  client: MonitorClient,
  request: Exclude<MonitorRequest, PublicRequest>,
  options: SendOptions,
): Promise<ClientResponse<ResponseTo<MonitorRequest>>> {
  switch (request.kind) {
    case 'monitors':
      return client.monitors(options);
    case 'meters':
      return client.meters(request.monitor, { ...options, goOn: request.goOn ?? false });
    case 'meter':
      return client.meter(request, options);
    case 'realtime':
      return client.realtime(request, options);
    case 'series':
      return client.series(request, request.unit, request.time, options);
    case 'totals':
      return client.totals(request, request.time, options);
  }
}
