/** Client of the Local Open API (http://developer.cemm.nl/local-open-api/): a monitor in the local network. */
import type { IoRecord, MonitorRecord, RealtimeResponse } from '../protocol/responses';
import { parseIoList, parseLocalRoot, parseRealtime, parseSeries } from '../protocol/open-api';
import type { MonitorId } from '../protocol/mac';
import { parsePublicIdentity } from '../protocol/public-api';
import { AliasSearch } from './alias-search';
import { invalidInput } from './request-context';
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
import { DeviceIdentity, type DeviceOptions, type DeviceRequest, openApiPath, publicApiPath } from './device-identity';

/** @throws {CemmError} CONFIG: not an address of a local network */
export function createLocalClient(options: DeviceOptions): LocalClient {
  return new LocalClient(options);
}

type Handlers = {
  readonly [K in OpenApiKind]: (request: RequestOf<K>, options: SendOptions) => Promise<ClientResponse<ValueOf<K>>>;
};

export class LocalClient implements MonitorClient {
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

  /** The configured or first-seen monitor; null until one is known. */
  get identity(): MonitorId | null {
    return this.device.identity;
  }

  /**
   * Moves to another address, where the same monitor must answer. Requests in flight fail as broken connections.
   * @throws {CemmError} CONFIG: not an address of a local network
   */
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
        async (sent) => (await this.list(sent)) ?? (await this.find(sent, continueSearch)),
      ),

    meter: ({ monitor, alias }, options) =>
      this.device.request({ endpoint: 'meter', alias }, { monitor, alias }, options, async (sent) => {
        const listed = await this.list(sent);
        const found = listed?.filter((record) => record.alias === alias) ?? [];
        if (found.length > 0) return found;
        if (listed === null && (await this.exists(sent, alias))) return [bareRecord(alias)];
        throw sent.context.error({ code: 'ALIAS', reason: 'no_meter' });
      }),

    realtime: ({ monitor, alias }, options) =>
      this.device.request({ endpoint: 'realtime', alias }, { monitor, alias }, options, async (sent) => {
        const response = parseRealtime(await sent.read(realtimePath(alias), forLocal));
        if (hasChannels(response)) this.search.remember(alias);
        return response;
      }),

    series: ({ monitor, alias, unit, time }, options) =>
      this.device.request({ endpoint: unit, alias }, { monitor, alias, time }, options, async (sent) => {
        const path = `${openApiPath}${alias}/data/${unit}/`;
        return parseSeries(await sent.read(path, forLocal, { time: String(time) }));
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
  private async list(sent: DeviceRequest): Promise<readonly IoRecord[] | null> {
    // Some devices serve this path only without the last slash.
    for (const path of ['io', 'io/']) {
      const reply = await sent.get(`${openApiPath}${path}`);
      if ('json' in reply) return parseIoList(reply.json);
      const { status, code } = reply.failure;
      if (status !== 404 && code !== 'REDIRECT') throw sent.context.error(forLocal(reply.failure));
    }
    await sent.reverify();
    return null;
  }

  private async find(sent: DeviceRequest, continueSearch: boolean): Promise<readonly IoRecord[]> {
    const { context } = sent;
    const aliases = await this.search.run({
      continueSearch,
      exists: (alias) => this.exists(sent, alias),
      // A quarter of the time is left for the caller and for a last slow response.
      hasTime: () => context.remainingMs * 3 > context.elapsedMs,
    });
    return aliases.map(bareRecord);
  }

  private async exists(sent: DeviceRequest, alias: string): Promise<boolean> {
    await sent.context.pause(this.limits.gapMs);
    const reply = await sent.get(realtimePath(alias));
    if ('json' in reply) return hasChannels(parseRealtime(reply.json));
    if (reply.failure.status === 404 || reply.failure.code === 'ALIAS') return false;
    throw sent.context.error(forLocal(reply.failure));
  }
}

function realtimePath(alias: string): string {
  return `${openApiPath}${alias}/realtime/`;
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
