/** Client of the Local Open API (http://developer.cemm.nl/local-open-api/): a monitor in the local network. */
import type { IoRecord, MonitorRecord, RealtimeResponse } from '../protocol/responses';
import { parseIoList, parseLocalRoot, parseRealtime, parseSeries } from '../protocol/open-api';
import type { MonitorId } from '../protocol/mac';
import { parsePublicIdentity } from '../protocol/public-api';
import { AliasSearch } from './alias-search';
import { invalidInput, type RequestContext } from './request-context';
import type {
  ClientResponse,
  ConcurrencyLimits,
  MonitorClient,
  OpenApiKind,
  RequestOf,
  SendOptions,
  ValueOf,
} from './client';
import type { Failure } from '../errors';
import {
  getLocally,
  type LocalEndpoint,
  DeviceIdentity,
  type DeviceOptions,
  openApiPath,
  publicApiPath,
} from './device-identity';

export interface LocalClient extends MonitorClient {
  readonly transport: 'local';
  /** The configured or first-seen monitor; null until one is known. */
  readonly identity: MonitorId | null;
  /**
   * Moves to another address, where the same monitor must answer. Requests in flight fail as broken connections.
   * @throws {CemmError} CONFIG: not an address of a local network
   */
  setHost(host: string): void;
}

/** @throws {CemmError} CONFIG: not an address of a local network */
export function createLocalClient(options: DeviceOptions): LocalClient {
  return new MonitorInNetwork(options);
}

type Handlers = {
  readonly [K in OpenApiKind]: (request: RequestOf<K>, options: SendOptions) => Promise<ClientResponse<ValueOf<K>>>;
};

class MonitorInNetwork implements LocalClient {
  readonly transport = 'local';
  readonly limits: ConcurrencyLimits;
  private readonly device: DeviceIdentity<MonitorRecord>;
  private readonly search = new AliasSearch();

  constructor(options: DeviceOptions) {
    this.limits = { perMonitor: 1, perKey: 1, gapMs: options.isInProcess === true ? 0 : 250 };
    this.device = new DeviceIdentity(options, {
      path: openApiPath,
      parse: parseLocalRoot,
      notFound: { code: 'NOT_A_MONITOR', reason: 'no_root' },
      otherPath: `${publicApiPath}cemm`,
      parseOther: parsePublicIdentity,
      other: { code: 'CONFIG', reason: 'mode_public' },
    });
  }

  get identity(): MonitorId | null {
    return this.device.identity;
  }

  setHost(host: string): void {
    this.device.setHost(host);
  }

  request<K extends OpenApiKind>(request: RequestOf<K>, options: SendOptions): Promise<ClientResponse<ValueOf<K>>> {
    return this.handlers[request.kind](request, options);
  }

  close(): void {
    this.device.close();
  }

  private readonly handlers: Handlers = {
    monitors: (_request, options) => this.device.monitors({ endpoint: 'root' }, options),

    meters: ({ monitor, continueSearch = false }, options) =>
      this.device.request(
        { endpoint: 'io' },
        { monitor },
        options,
        async (context, endpoint) =>
          (await this.list(context, endpoint)) ?? (await this.find(context, endpoint, continueSearch)),
      ),

    meter: ({ monitor, alias }, options) =>
      this.device.request({ endpoint: 'meter', alias }, { monitor, alias }, options, async (context, endpoint) => {
        const listed = await this.list(context, endpoint);
        const found = listed?.filter((record) => record.alias === alias) ?? [];
        if (found.length > 0) return found;
        if (listed === null && (await this.exists(context, endpoint, alias))) return [bareRecord(alias)];
        throw context.error({ code: 'ALIAS', reason: 'no_meter' });
      }),

    realtime: ({ monitor, alias }, options) =>
      this.device.request({ endpoint: 'realtime', alias }, { monitor, alias }, options, async (context, endpoint) => {
        const response = parseRealtime(await this.getOfMeter(context, endpoint, `${alias}/realtime/`));
        if (hasChannels(response)) this.search.remember(alias);
        return response;
      }),

    series: ({ monitor, alias, unit, time }, options) =>
      this.device.request({ endpoint: unit, alias }, { monitor, alias, time }, options, async (context, endpoint) => {
        const params = { time: String(time) };
        return parseSeries(await this.getOfMeter(context, endpoint, `${alias}/data/${unit}/`, params));
      }),

    totals: ({ monitor, alias, time }, options) => {
      const failure: Failure = invalidInput({ monitor, alias, time }) ?? {
        code: 'UNSUPPORTED',
        reason: 'local_totals',
      };
      return this.device.refuse({ endpoint: 'totals', alias }, options, failure);
    },
  };

  /** The I/O list of the device; null if it has none. */
  private async list(context: RequestContext, endpoint: LocalEndpoint): Promise<readonly IoRecord[] | null> {
    // Some devices serve this path only without the last slash.
    for (const path of ['io', 'io/']) {
      const reply = await this.get(context, endpoint, path);
      if ('json' in reply) return parseIoList(reply.json);
      if (reply.failure.status !== 404 && reply.failure.code !== 'REDIRECT')
        throw context.error(forLocal(reply.failure));
    }
    await this.device.reverify(context, endpoint);
    return null;
  }

  private async find(
    context: RequestContext,
    endpoint: LocalEndpoint,
    continueSearch: boolean,
  ): Promise<readonly IoRecord[]> {
    const aliases = await this.search.run({
      continueSearch,
      exists: (alias) => this.exists(context, endpoint, alias),
      // A quarter of the time is left for the caller and for a last slow response.
      hasTime: () => context.remainingMs * 3 > context.elapsedMs,
    });
    return aliases.map(bareRecord);
  }

  private async exists(context: RequestContext, endpoint: LocalEndpoint, alias: string): Promise<boolean> {
    await context.pause(this.limits.gapMs);
    const reply = await this.get(context, endpoint, `${alias}/realtime/`);
    if ('json' in reply) return hasChannels(parseRealtime(reply.json));
    if (reply.failure.status === 404 || reply.failure.code === 'ALIAS') return false;
    throw context.error(forLocal(reply.failure));
  }

  private async getOfMeter(
    context: RequestContext,
    endpoint: LocalEndpoint,
    path: string,
    params?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const reply = await this.get(context, endpoint, path, params);
    if ('json' in reply) return reply.json;
    if (reply.failure.status === 404) await this.device.reverify(context, endpoint);
    throw context.error(forLocal(reply.failure));
  }

  private get(
    context: RequestContext,
    endpoint: LocalEndpoint,
    path: string,
    params?: Readonly<Record<string, string>>,
  ) {
    return getLocally(context, endpoint, `${openApiPath}${path}`, params);
  }
}

/** Adapts the failure of a status to a device, which has no API key and no service behind it. */
function forLocal(failure: Failure): Failure {
  if (failure.status === 404 || failure.code === 'ALIAS') return { ...failure, code: 'ALIAS', reason: 'no_meter' };
  if (failure.code === 'AUTH') return { ...failure, reason: 'local_access' };
  return failure;
}

function hasChannels({ data, totals }: RealtimeResponse): boolean {
  return data.size > 0 || (totals?.size ?? 0) > 0;
}

function bareRecord(alias: string): IoRecord {
  return { ioId: null, port: null, type: null, portOption: null, fullId: null, alias };
}
