/**
 * Client of the remote Open API (http://developer.cemm.nl/api-en/): one API key, eight endpoints, and polling of
 * promises (202).
 */
import type { MonitorRecord } from '../protocol/responses';
import { parseIoList, parseMonitorList, parseRealtime, parseSeries, parseTotals } from '../protocol/open-api';
import { type MonitorId, toRemoteUid } from '../protocol/mac';
import { parseBaseUrl, privateLookup, type Resolve, speaksPlainly } from './address';
import { invalidInput, type RequestArguments, RequestContexts, type RequestTarget } from './request-context';
import type { MonitorClient, OpenApiKind, RequestOf, ValueOf } from './client';
import { type Clock, systemClock } from '../time/clock';
import { CemmError } from '../errors';
import { pollUntilReady, RetryQuota } from './polling-202';
import { createHttp, type Http } from './http';
import { LatencyEstimate, type Pace } from './promise-schedule';

export interface RemoteClientOptions {
  /** Ends in a version segment such as `v1/`; the last slash is added. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock?: Clock;
  /** 0 inclusive to 1 exclusive; jitter of repeats and retries. */
  readonly random?: () => number;
  /** Resolves a host name to addresses; default `node:dns`. */
  readonly resolve?: Resolve | undefined;
  /** The HTTP client; default createHttp. */
  readonly http?: Http;
  /** Wraps the HTTP client, to record or to replay requests. */
  readonly wrapHttp?: ((http: Http) => Http) | undefined;
}

const limits = { perMonitor: 2, perKey: 4, gapMs: 0 } as const;
/** Promises to wait for, one after the other. */
const lives = { poll: 1, user: 2 } as const;

/** A request to the service. `path` follows the monitor. */
interface RemoteRequest<T> extends RequestTarget, RequestArguments {
  readonly path: string;
  readonly pace: Pace;
  readonly parse: (json: unknown) => T;
}

type RemoteRequests = { readonly [K in OpenApiKind]: (request: RequestOf<K>) => RemoteRequest<ValueOf<K>> };

/**
 * The key stays in this function: a property of an object could be logged.
 * @throws {CemmError} CONFIG: the base address cannot be used (`base_…`), or `no_key`
 */
export function createRemoteClient(options: RemoteClientOptions): MonitorClient {
  const { clock = systemClock, random = Math.random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const apiKey = checkedKey(options.apiKey);
  const opened = options.http ?? openHttp(baseUrl, clock, options.resolve);
  const http = options.wrapHttp?.(opened) ?? opened;
  const contexts = new RequestContexts({ clock, secrets: [apiKey] });
  const latencies = new LatencyEstimate();
  const quota = new RetryQuota();
  /** The spelling of each uid in the list of the service. */
  const uids = new Map<MonitorId, string>();

  const requests: RemoteRequests = {
    monitors: () => ({ endpoint: 'monitors', path: '', pace: 'quick', parse: parseMonitors }),
    meters: ({ monitor }) => ({ endpoint: 'io', monitor, path: 'io/', pace: 'quick', parse: parseIoList }),
    meter: ({ monitor, alias }) => {
      return { endpoint: 'meter', monitor, alias, path: `${alias}/`, pace: 'quick', parse: parseIoList };
    },
    realtime: ({ monitor, alias }) => {
      return { endpoint: 'realtime', monitor, alias, path: `${alias}/realtime/`, pace: 'quick', parse: parseRealtime };
    },
    series: ({ monitor, alias, unit, time }) => {
      const path = `${alias}/data/${unit}/`;
      return { endpoint: unit, monitor, alias, time, path, pace: 'series', parse: parseSeries };
    },
    totals: ({ monitor, alias, time }) => {
      return { endpoint: 'totals', monitor, alias, time, path: `${alias}/totals/`, pace: 'quick', parse: parseTotals };
    },
  };

  function parseMonitors(json: unknown): readonly MonitorRecord[] {
    return parseMonitorList(json).map(({ uid, ...monitor }) => {
      uids.set(monitor.id, uid);
      return monitor;
    });
  }

  function uidOf(monitor: MonitorId): string {
    return encodeURIComponent(uids.get(monitor) ?? toRemoteUid(monitor));
  }

  return {
    transport: 'remote',
    limits,
    request(request, sendOptions) {
      const remote = requests[request.kind](request);
      const { endpoint, monitor, time, pace } = remote;
      return contexts.run(remote, sendOptions, async (context) => {
        const invalid = invalidInput(remote);
        if (invalid !== null) throw context.error(invalid);
        const json = await pollUntilReady(
          context,
          {
            path: monitor === undefined ? 'cemm/' : `cemm/${uidOf(monitor)}/${remote.path}`,
            params: { api_key: apiKey, ...(time !== undefined && { time: String(time) }) },
            pace,
            lives: lives[sendOptions.patience],
            latencyKey: `${monitor ?? ''} ${endpoint}`,
          },
          { http, clock, random, latencies, quota },
        );
        return remote.parse(json);
      });
    },
    close() {
      contexts.close();
      http.close();
    },
  };
}

function checkedKey(text: string): string {
  const apiKey = text.trim();
  if (apiKey !== '') return apiKey;
  throw new CemmError('CONFIG', { reason: 'no_key' });
}

function openHttp(baseUrl: string, clock: Clock, resolve: Resolve | undefined): Http {
  return createHttp({
    baseUrl,
    clock,
    sockets: limits.perKey,
    proxy: 'environment',
    ...(speaksPlainly(baseUrl) && { lookup: privateLookup(resolve) }),
  });
}
