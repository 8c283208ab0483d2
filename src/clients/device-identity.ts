/**
 * The local address of a monitor, and the check that the expected monitor answers there. The root is requested before
 * anything else, again after every failure, and for each new connection when the last time is a minute ago, because another
 * device may have got the address in between.
 */
import { isIP } from 'node:net';
import { guardedLookup, hostOrigin, parseLocalHost, type Resolve } from './address';
import { mayConnect } from '../checks/limits';
import { type Clock, systemClock } from '../time/clock';
import { CemmError, type Failure, hasConsequence } from '../errors';
import { createHttp, type Http } from './http';
import {
  type RequestTarget,
  type RequestArguments,
  invalidInput,
  RequestContexts,
  type RequestContext,
} from './request-context';
import type { MonitorRecord } from '../protocol/responses';
import { type MonitorId, toMacText } from '../protocol/mac';
import { ProtocolError } from '../protocol/json';
import { type JsonResult, readJson } from './http-failures';
import type { ClientResponse, SendOptions } from './client';

interface LocalEndpoint {
  /** At the origin; the paths of each interface follow it. */
  readonly http: Http;
  /** Upper limit for one request in ms, whatever the deadline. */
  readonly timeoutMs: number;
  /** The request that last verified the monitor; null before first contact and after every failure. */
  verifiedBy: DeviceRequest | null;
  /** Monotonic time of it. */
  verifiedAt: number;
}

/**
 * Paths of the Local Open API (http://developer.cemm.nl/local-open-api/) and the public API
 * (https://wiki.cemm.nl/general/publicapi).
 */
export const openApiPath = 'open-api/v1/';
export const publicApiPath = 'api/v1/public/';

/** Options of a client of a monitor in the same network. */
export interface DeviceOptions {
  /** `host`, `host:port` or `http://host:port`. */
  readonly host: string;
  /** The MAC address that must answer there; without one, the first monitor that answers is kept. */
  readonly mac?: MonitorId | null;
  /** Accepts loopback addresses, for the simulator. Default false: only addresses of a local network. */
  readonly allowLoopback?: boolean;
  readonly clock?: Clock;
  /** Resolves a host name to addresses. */
  readonly resolve?: Resolve;
  /** Wraps the HTTP client, to record or to replay requests. */
  readonly wrapHttp?: ((http: Http) => Http) | undefined;
  /**
   * The demo monitor, which runs in this process. It needs no pause between two requests, and only the deadline limits a request:
   * while this process computes, the monitor cannot answer.
   */
  readonly isInProcess?: boolean;
}

/** @throws {CemmError} CONFIG: no host (AddressFlaw), or `host_not_local` */
function openLocalEndpoint(
  text: string,
  { allowLoopback = false, resolve, wrapHttp = unchanged, isInProcess = false }: DeviceOptions,
  clock: Clock,
): LocalEndpoint {
  const address = parseLocalHost(text);
  const rules = { allowLoopback };
  // No lookup takes place for an IP address, so the lookup function does not see it.
  if (isIP(address.host) !== 0 && !mayConnect(address.host, rules)) {
    throw new CemmError('CONFIG', { reason: 'host_not_local' });
  }
  const http = createHttp({
    baseUrl: `${hostOrigin(address)}/`,
    clock,
    sockets: 1,
    proxy: 'none',
    lookup: guardedLookup(rules, resolve),
    ...(isInProcess && { idleMs: longestDeadlineMs }),
  });
  const timeoutMs = isInProcess ? longestDeadlineMs : requestTimeoutMs;
  return { http: wrapHttp(http), timeoutMs, verifiedBy: null, verifiedAt: -Infinity };
}

function unchanged(http: Http): Http {
  return http;
}

/** The root of this generation of monitors, and the root of the other generation. */
interface RootRules<Root> {
  /** Relative to the origin. */
  readonly path: string;
  /** Throws ProtocolError when the response is no such root. */
  readonly parse: (json: unknown) => Root;
  /** The failure for a refused root; null: the failure of the response. */
  readonly refused?: (failure: Failure) => Failure | null;
  /** The failure when neither generation answers. */
  readonly notFound: Failure;
  readonly otherPath: string;
  /** Throws ProtocolError when the response is no root of the other generation. */
  readonly parseOther: (json: unknown) => MonitorRecord;
  readonly other: Failure;
}

/** A new connection within this time after the last verification leads to the same monitor. */
const verifiedForMs = 60_000;
const requestTimeoutMs = 10_000;
/** The longest deadline that a connection can have. */
const longestDeadlineMs = 60_000;

export class DeviceIdentity<Root extends MonitorRecord> {
  private readonly clock: Clock;
  private readonly contexts: RequestContexts;
  private endpoint: LocalEndpoint;
  /** The configured or first-seen monitor. */
  private expected: MonitorId | null;

  /** @throws {CemmError} CONFIG: not an address of a local network */
  constructor(
    private readonly options: DeviceOptions,
    private readonly rules: RootRules<Root>,
  ) {
    const { clock = systemClock } = options;
    this.clock = clock;
    this.contexts = new RequestContexts({ clock, secrets: [] });
    this.expected = options.mac ?? null;
    this.endpoint = openLocalEndpoint(options.host, options, clock);
  }

  get identity(): MonitorId | null {
    return this.expected;
  }

  /** @throws {CemmError} CONFIG: not an address of a local network */
  setHost(host: string): void {
    const endpoint = openLocalEndpoint(host, this.options, this.clock);
    this.endpoint.http.close();
    this.endpoint = endpoint;
  }

  /** The monitor at the address, without a cache. */
  monitors(about: RequestTarget, options: SendOptions): Promise<ClientResponse<readonly Root[]>> {
    return this.contexts.run(about, options, async (context) => [await this.identify(this.open(context))]);
  }

  /** Sends a request to the expected monitor only; requests the root first when the monitor is not verified. */
  request<T>(
    about: RequestTarget,
    asked: RequestArguments,
    options: SendOptions,
    work: (request: DeviceRequest) => Promise<T>,
  ): Promise<ClientResponse<T>> {
    return this.contexts.run(about, options, async (context) => {
      const request = this.open(context);
      const { endpoint } = request;
      const wrong = invalidInput(asked) ?? this.otherMonitor(asked);
      if (wrong !== null) throw context.error(wrong);
      try {
        if (endpoint.verifiedBy === null) await this.identify(request);
        // Again, because the first contact may have set the expected monitor.
        const other = this.otherMonitor(asked);
        if (other !== null) throw context.error(other);
        const value = await work(request);
        // Before it counts. The root comes over the same connection, which stays open.
        const isOld = this.clock.monotonic() - endpoint.verifiedAt > verifiedForMs;
        if (context.hasNewSocket && isOld) await request.reverify();
        return value;
      } catch (error) {
        if (!(error instanceof CemmError && hasConsequence(error.code, 'keeps_identity'))) endpoint.verifiedBy = null;
        throw error;
      }
    });
  }

  /** Fails without a request. */
  refuse(about: RequestTarget, options: SendOptions, failure: Failure): Promise<ClientResponse<never>> {
    return this.contexts.run(about, options, (context) => Promise.reject(context.error(failure)));
  }

  close(): void {
    this.contexts.close();
    this.endpoint.http.close();
  }

  private open(context: RequestContext): DeviceRequest {
    return new DeviceRequest(context, this.endpoint, (request) => this.identify(request));
  }

  private otherMonitor({ monitor }: RequestArguments): Failure | null {
    if (monitor === undefined || this.expected === null || monitor === this.expected) return null;
    const params = { asked: toMacText(monitor), expected: toMacText(this.expected) };
    return { code: 'INPUT', reason: 'other_monitor', params };
  }

  /** Requests the root and compares the monitor with the expected one. */
  private async identify(request: DeviceRequest): Promise<Root> {
    const { context, endpoint } = request;
    endpoint.verifiedBy = null;
    const root = await this.readRoot(request);
    this.expected ??= root.id;
    if (root.id !== this.expected) {
      const params = { found: toMacText(root.id), expected: toMacText(this.expected) };
      throw context.error({ code: 'WRONG_MONITOR', reason: 'other_mac', params });
    }
    endpoint.verifiedBy = request;
    endpoint.verifiedAt = this.clock.monotonic();
    return root;
  }

  private async readRoot(request: DeviceRequest): Promise<Root> {
    const { path, parse, refused, notFound } = this.rules;
    const { context } = request;
    const reply = await request.get(path);
    if ('failure' in reply) {
      const known = refused?.(reply.failure) ?? null;
      if (known !== null) throw context.error(known);
      if (!isForeign(reply.failure)) throw context.error(reply.failure);
    } else {
      const root = parsedOrNull(reply.json, parse);
      if (root !== null) return root;
    }
    throw context.error((await this.isOtherGeneration(request)) ? this.rules.other : notFound);
  }

  private async isOtherGeneration(request: DeviceRequest): Promise<boolean> {
    const reply = await request.get(this.rules.otherPath);
    return 'json' in reply && parsedOrNull(reply.json, this.rules.parseOther) !== null;
  }
}

/** One request of a caller to the monitor at the address. */
export class DeviceRequest {
  constructor(
    readonly context: RequestContext,
    readonly endpoint: LocalEndpoint,
    private readonly identify: (request: DeviceRequest) => Promise<unknown>,
  ) {}

  /** Sends a GET and parses the response as JSON. Rejects with a CemmError when the context has ended. */
  async get(path: string, params: Readonly<Record<string, string>> = {}): Promise<JsonResult> {
    const { http, timeoutMs } = this.endpoint;
    const outcome = await this.context.get(http, { path, params, timeoutMs });
    return outcome.kind === 'failure' ? { failure: outcome.failure } : readJson(outcome.body, outcome.status);
  }

  /** Like get(); rejects with the error of a failure. */
  async read(
    path: string,
    adapt: (failure: Failure) => Failure,
    params?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const reply = await this.get(path, params);
    if ('json' in reply) return reply.json;
    if (reply.failure.status === 404) await this.reverify();
    throw this.context.error(adapt(reply.failure));
  }

  /** Verifies the device again before a meter or a list is reported missing: another device may have got the address. */
  async reverify(): Promise<void> {
    if (this.endpoint.verifiedBy !== this) await this.identify(this);
  }
}

/** True for a web page or a refusal in place of the root. Failures that may be transient are not included. */
function isForeign({ reason, status = 0 }: Failure): boolean {
  return (
    reason === 'html' || reason === 'not_http' || (status >= 400 && status < 500 && status !== 408 && status !== 429)
  );
}

function parsedOrNull<T extends MonitorRecord>(json: unknown, parse: (json: unknown) => T): T | null {
  try {
    return parse(json);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}
