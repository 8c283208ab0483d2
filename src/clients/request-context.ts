/** One request of a caller: validates its arguments, and holds its deadline, its cancellation, its cost so far and its error. */
import { isAlias } from '../checks/limits';
import type { MonitorId } from '../protocol/mac';
import { type Seconds, toSeconds } from '../time/units';
import { CemmError, type EndpointName, type Failure, internalFault } from '../errors';
import { ProtocolError } from '../protocol/json';
import { shapeFailure } from './http-failures';
import type { ClientResponse, SendOptions } from './client';
import type { Clock } from '../time/clock';
import { waitFor } from '../time/wait';
import type { Http, HttpOutcome, HttpRequest } from './http';
import { mentions } from './redaction';

export interface RequestArguments {
  readonly monitor?: MonitorId;
  readonly alias?: string;
  readonly time?: Seconds;
}

/** The first invalid argument as an INPUT failure, or null. Flows may pass values that the types exclude. */
export function invalidInput({ monitor, alias, time }: RequestArguments): Failure | null {
  if (monitor !== undefined && !/^[0-9a-f]{12}$/.test(monitor)) return { code: 'INPUT', reason: 'monitor' };
  if (alias !== undefined && !isAlias(alias)) return { code: 'INPUT', reason: 'alias' };
  const wrongTime = time !== undefined && (toSeconds(time) === null || !Number.isInteger(time));
  return wrongTime ? { code: 'INPUT', reason: 'time' } : null;
}

export interface RequestTarget {
  readonly endpoint: EndpointName;
  readonly alias?: string;
}

interface RequestContextRules {
  readonly clock: Clock;
  /** Texts that no error may contain. */
  readonly secrets: readonly string[];
}

export class RequestContext {
  requests = 0;
  promises = 0;
  /** A response came over a new connection. */
  hasNewSocket = false;
  private readonly startedAt: number;
  private readonly stop = new AbortController();
  private ending: Failure | null = null;

  constructor(
    private readonly about: RequestTarget,
    private readonly rules: RequestContextRules,
    private readonly deadlineMs: number,
  ) {
    this.startedAt = rules.clock.monotonic();
  }

  get elapsedMs(): number {
    return this.rules.clock.monotonic() - this.startedAt;
  }

  get remainingMs(): number {
    return this.deadlineMs - this.elapsedMs;
  }

  /** Makes every request and pause of this context reject with the error for `failure`. */
  endWith(failure: Failure): void {
    this.ending ??= failure;
    this.stop.abort();
  }

  /** Sends and counts one request. Rejects with a CemmError when the context has ended. */
  async get(http: Http, request: Omit<HttpRequest, 'signal'>): Promise<HttpOutcome> {
    this.check();
    const outcome = await http.get({ ...request, signal: this.stop.signal });
    this.requests += outcome.sent;
    this.hasNewSocket ||= outcome.kind === 'answer' && outcome.isNewSocket === true;
    this.check();
    return outcome;
  }

  /** Rejects at once when the context ends. */
  async pause(delayMs: number): Promise<void> {
    this.check();
    await waitFor(this.rules.clock, delayMs, this.stop.signal);
    this.check();
  }

  /** The failure as the error that leaves the library, without secrets that the other side may have sent back. */
  error(failure: Failure): CemmError {
    const { endpoint, alias = null } = this.about;
    const { secrets } = this.rules;
    const safeAlias = alias !== null && isAlias(alias) && !mentions(alias, secrets) ? alias : null;
    return new CemmError(failure.code, {
      status: failure.status,
      endpoint,
      alias: safeAlias ?? undefined,
      requests: this.requests,
      elapsedMs: Math.round(this.elapsedMs),
      reason: failure.reason,
      params: withoutSecrets(failure.params ?? {}, secrets),
    });
  }

  private check(): void {
    if (this.ending !== null) throw this.error(this.ending);
  }
}

type Params = Readonly<Record<string, string | number>>;

function withoutSecrets(params: Params, secrets: readonly string[]): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, mentions(String(value), secrets) ? '…' : value]),
  );
}

/** The requests of a client that are in flight. */
export class RequestContexts {
  private readonly open = new Set<RequestContext>();
  private closed = false;

  constructor(private readonly rules: RequestContextRules) {}

  /** Returns the value of `work` with its cost. Rejects with CemmError only. */
  async run<T>(
    about: RequestTarget,
    options: SendOptions,
    work: (context: RequestContext) => Promise<T>,
  ): Promise<ClientResponse<T>> {
    const { clock } = this.rules;
    const context = new RequestContext(about, this.rules, options.deadlineMs);
    const cancel = (): void => {
      context.endWith({ code: 'CANCELLED', reason: 'stopped' });
    };
    const cancelDeadline = clock.after(options.deadlineMs, () => {
      context.endWith({ code: 'DEADLINE', reason: context.promises > 0 ? 'promise' : 'no_answer' });
    });
    options.signal.addEventListener('abort', cancel);
    this.open.add(context);
    if (this.closed) context.endWith(closed);
    if (options.signal.aborted) cancel();
    try {
      const value = await work(context);
      const { requests, promises } = context;
      return { value, fetchedAt: clock.now(), latencyMs: Math.round(context.elapsedMs), requests, promises };
    } catch (error) {
      throw error instanceof CemmError ? error : context.error(failureBehind(error));
    } finally {
      cancelDeadline();
      options.signal.removeEventListener('abort', cancel);
      this.open.delete(context);
    }
  }

  close(): void {
    this.closed = true;
    for (const context of this.open) context.endWith(closed);
  }
}

const closed: Failure = { code: 'CANCELLED', reason: 'closed' };

function failureBehind(error: unknown): Failure {
  return error instanceof ProtocolError ? shapeFailure(error) : internalFault(error);
}
