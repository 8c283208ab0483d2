/** Client of the public API of a CEMM 3.0 (https://wiki.cemm.nl/general/publicapi) in the same network, which needs no login. */
import { isChannelName, isEntryCount, isWord, mostEntries } from '../checks/limits';
import type { Failure } from '../errors';
import type { PublicMonitor } from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import { parseLocalRoot } from '../protocol/open-api';
import { parsePublicIdentity, parsePublicMeters, parsePublicTimeseries } from '../protocol/public-api';
import { secondsToMillis } from '../time/units';
import type {
  ClientResponse,
  IdentifiedMonitor,
  PublicApiKind,
  PublicClient,
  RequestOf,
  SendOptions,
  TimeseriesRequest,
  ValueOf,
} from './client';
import { DeviceIdentity, type DeviceOptions, openApiPath, publicApiPath } from './device-identity';

/** @throws {CemmError} CONFIG: not an address of a local network */
export function createPublicClient(options: DeviceOptions): PublicClient {
  return new PublicMonitorInNetwork(options);
}

type Handlers = {
  readonly [K in PublicApiKind]: (request: RequestOf<K>, options: SendOptions) => Promise<ClientResponse<ValueOf<K>>>;
};

class PublicMonitorInNetwork implements PublicClient {
  readonly transport = 'public';
  readonly limits = { perMonitor: 1, perKey: 1, gapMs: 250 } as const;
  private readonly device: DeviceIdentity<PublicMonitor>;

  constructor(options: DeviceOptions) {
    this.device = new DeviceIdentity(options, {
      path: `${publicApiPath}cemm`,
      parse: parsePublicIdentity,
      refused,
      notFound: { code: 'NOT_A_MONITOR', reason: 'no_public_api' },
      otherPath: openApiPath,
      parseOther: parseLocalRoot,
      other: { code: 'CONFIG', reason: 'mode_local' },
    });
  }

  get identity(): MonitorId | null {
    return this.device.identity;
  }

  request<K extends PublicApiKind>(request: RequestOf<K>, options: SendOptions): Promise<ClientResponse<ValueOf<K>>> {
    return this.handlers[request.kind](request, options);
  }

  close(): void {
    this.device.close();
  }

  private readonly handlers: Handlers = {
    identity: async (_request, options) => {
      const response = await this.device.monitors({ endpoint: 'cemm' }, options);
      return { ...response, value: response.value.map((monitor) => withClock(monitor, response.fetchedAt)) };
    },

    catalogue: ({ monitor }, options) =>
      this.device.request({ endpoint: 'meters' }, { monitor }, options, async (sent) =>
        parsePublicMeters(await sent.read(`${publicApiPath}meters`, forCatalogue)),
      ),

    timeseries: (request, options) => {
      const target = { endpoint: 'timeseries' } as const;
      const invalid = timeseriesFailure(request);
      if (invalid !== null) return this.device.refuse(target, options, invalid);
      return this.device.request(target, { monitor: request.monitor }, options, async (sent) =>
        parsePublicTimeseries(await sent.read(buildTimeseriesPath(request), forTimeseries, paramsOf(request))),
      );
    },
  };
}

/** The first invalid parameter as an INPUT failure, or null. Flows may pass values that the types exclude. */
export function timeseriesFailure({ channel, resolution, count, include }: TimeseriesRequest): Failure | null {
  if (!isChannelName(channel)) return { code: 'INPUT', reason: 'channel' };
  if (!isWord(resolution)) return { code: 'INPUT', reason: 'resolution' };
  if (!isEntryCount(count)) {
    return { code: 'INPUT', reason: 'count', params: { most: mostEntries } };
  }
  return include === '' || isWord(include) ? null : { code: 'INPUT', reason: 'include' };
}

/** The colon between the keys is not encoded, as in the vendor's example. */
function buildTimeseriesPath({ channel }: TimeseriesRequest): string {
  return `${publicApiPath}timeseries?channels=${channel.split(':').map(encodeURIComponent).join(':')}`;
}

function paramsOf({ resolution, count, include }: TimeseriesRequest): Readonly<Record<string, string>> {
  return { ...(include !== '' && { include }), resolution, count: String(count) };
}

/**
 * According to the documentation only the local role "no access" closes this interface; 401 and 403 are the likely
 * statuses. Every other refusal is reported as "no public API here", which names the local role as well.
 */
function refused(failure: Failure): Failure | null {
  return failure.code === 'AUTH' ? { ...failure, reason: 'local_role' } : null;
}

/** The list has no parameters: a monitor that does not know its path has another interface than the documented one. */
function forCatalogue(failure: Failure): Failure {
  if (failure.status === 404) return { ...failure, code: 'UNSUPPORTED', reason: 'request_refused' };
  return refused(failure) ?? failure;
}

/** It is not documented how a monitor refuses a time series, so the general meaning of the status is used. */
function forTimeseries(failure: Failure): Failure {
  const { status = 0 } = failure;
  if (status === 404 || status === 412) return { ...failure, code: 'ALIAS', reason: 'no_channel' };
  if (failure.code === 'UNSUPPORTED') return { ...failure, reason: 'timeseries_refused' };
  return refused(failure) ?? failure;
}

function withClock(monitor: PublicMonitor, now: number): IdentifiedMonitor {
  return { ...monitor, clockDifferenceMs: monitor.time === null ? null : secondsToMillis(monitor.time) - now };
}
