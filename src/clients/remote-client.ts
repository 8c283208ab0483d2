/** The remote Open API (spec.md A): eight endpoints, one API key, promises. */
import type { IoRecord, MonitorRecord, RealtimeResponse, SeriesResponse, TotalsResponse } from '../protocol/responses';
import { parseIoList, parseMonitorList, parseRealtime, parseSeries, parseTotals } from '../protocol/open-api';
import { type MonitorId, toRemoteUid } from '../protocol/mac';
import type { Seconds } from '../protocol/time';
import { parseBaseUrl, privateLookup, type Resolve, speaksPlainly } from './address';
import { invalidInput, RequestContexts } from './request-context';
import type { ClientResponse, SendOptions, MeterRef, MonitorClient, SeriesUnit } from './client';
import { type Clock, systemClock } from '../clock';
import { CemmError, type EndpointName } from '../errors';
import { pollUntilReady, RetryQuota } from './polling-202';
import { createHttp, type Http } from './http';
import { LatencyEstimate } from './promise-schedule';

export interface RemoteClientOptions {
  /** Ends in a version segment such as `v1/`; the last slash is added. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock?: Clock;
  /** 0 inclusive to 1 exclusive; for the jitter of repeats and retries. */
  readonly random?: () => number;
  /** How names become addresses; default `node:dns`. */
  readonly resolve?: Resolve | undefined;
  /** The way out; by default the hardened one. */
  readonly http?: Http;
}

const limits = { perMonitor: 2, perKey: 4, gapMs: 0 } as const;
const lives = { poll: 1, user: 2 } as const;

/** A request as the service sees it. `path` is what follows the monitor, each segment already checked. */
interface RemoteQuestion<T> {
  readonly endpoint: EndpointName;
  readonly monitor?: MonitorId;
  readonly alias?: string;
  readonly path?: string;
  readonly time?: Seconds;
  readonly parse: (json: unknown) => T;
}

/** @throws {CemmError} CONFIG: the base address cannot be used (AddressFlaw), or `no_key` */
export function createRemoteClient(options: RemoteClientOptions): MonitorClient {
  return new RemoteClient(options);
}

class RemoteClient implements MonitorClient {
  readonly transport = 'remote';
  readonly limits = limits;
  private readonly apiKey: string;
  private readonly http: Http;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly contexts: RequestContexts;
  private readonly latencies = new LatencyEstimate();
  private readonly quota = new RetryQuota();
  /** The service's own spelling of each uid, from its list. */
  private readonly uids = new Map<MonitorId, string>();

  constructor({ baseUrl, apiKey, clock = systemClock, random = Math.random, http, resolve }: RemoteClientOptions) {
    const base = parseBaseUrl(baseUrl);
    this.apiKey = apiKey.trim();
    if (this.apiKey === '') {
      throw new CemmError('CONFIG', 'There is no API key. Enter the key that CEMM gave you in the connection.', {
        reason: 'no_key',
      });
    }
    this.clock = clock;
    this.random = random;
    this.http =
      http ??
      createHttp({
        baseUrl: base,
        clock,
        sockets: limits.perKey,
        proxy: 'environment',
        ...(speaksPlainly(base) && { lookup: privateLookup(resolve) }),
      });
    this.contexts = new RequestContexts({ clock, transport: 'remote', secrets: [this.apiKey] });
  }

  async monitors(options: SendOptions): Promise<ClientResponse<readonly MonitorRecord[]>> {
    const answer = await this.ask({ endpoint: 'monitors', parse: parseMonitorList }, options);
    for (const { id, uid } of answer.value) this.uids.set(id, uid);
    return {
      ...answer,
      value: answer.value.map(({ id, name, type, version, core }) => ({ id, name, type, version, core })),
    };
  }

  meters(monitor: MonitorId, options: SendOptions): Promise<ClientResponse<readonly IoRecord[]>> {
    return this.ask({ endpoint: 'io', monitor, path: 'io/', parse: parseIoList }, options);
  }

  meter(ref: MeterRef, options: SendOptions): Promise<ClientResponse<readonly IoRecord[]>> {
    return this.ask({ endpoint: 'meter', ...ref, path: `${ref.alias}/`, parse: parseIoList }, options);
  }

  realtime(ref: MeterRef, options: SendOptions): Promise<ClientResponse<RealtimeResponse>> {
    return this.ask({ endpoint: 'realtime', ...ref, path: `${ref.alias}/realtime/`, parse: parseRealtime }, options);
  }

  series(
    ref: MeterRef,
    unit: SeriesUnit,
    time: Seconds,
    options: SendOptions,
  ): Promise<ClientResponse<SeriesResponse>> {
    return this.ask({ endpoint: unit, ...ref, path: `${ref.alias}/data/${unit}/`, time, parse: parseSeries }, options);
  }

  totals(ref: MeterRef, time: Seconds, options: SendOptions): Promise<ClientResponse<TotalsResponse>> {
    return this.ask({ endpoint: 'totals', ...ref, path: `${ref.alias}/totals/`, time, parse: parseTotals }, options);
  }

  close(): void {
    this.contexts.close();
    this.http.close();
  }

  private ask<T>(request: RemoteQuestion<T>, options: SendOptions): Promise<ClientResponse<T>> {
    const { endpoint, monitor, time, path = '', parse } = request;
    return this.contexts.run(request, options, async (context) => {
      const wrong = invalidInput(request);
      if (wrong !== null) throw context.error(wrong);
      const json = await pollUntilReady(
        context,
        {
          path: monitor === undefined ? 'cemm/' : `cemm/${this.uid(monitor)}/${path}`,
          params: { api_key: this.apiKey, ...(time !== undefined && { time: String(time) }) },
          pace: endpoint === 'day' || endpoint === 'month' || endpoint === 'year' ? 'series' : 'quick',
          lives: lives[options.patience],
          latencyKey: `${monitor ?? ''} ${endpoint}`,
        },
        { http: this.http, clock: this.clock, random: this.random, latencies: this.latencies, quota: this.quota },
      );
      return parse(json);
    });
  }

  private uid(monitor: MonitorId): string {
    return encodeURIComponent(this.uids.get(monitor) ?? toRemoteUid(monitor));
  }
}
