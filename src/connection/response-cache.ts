/**
 * The cache of a connection: the lists of monitors and of I/Os for ten minutes, a 412 until the connection closes or the I/O
 * list of the monitor changes, a 403 for ten minutes, and a refused key. A 403 is about the key only if the list of monitors is
 * refused; otherwise it is about the request.
 */
import type { ClientResponse, MonitorRequest, RequestKind, ValueOf } from '../clients/client';
import type { CemmError } from '../errors';
import type { Clock } from '../time/clock';
import { getRequestMonitor, requestKey } from './requests';
import { minuteMs } from '../time/units';
import { setRecent } from '../checks/set-recent';

export const inventoryMaxAgeMs = 10 * minuteMs;
const forbiddenMs = 10 * minuteMs;

/** Aliases come from messages, so their number is limited. */
const mostRefusals = 1_000;

type AnyResponse = ClientResponse<ValueOf<RequestKind>>;

interface Listed {
  readonly answer: AnyResponse;
  /** Monotonic time. */
  readonly at: number;
}

interface Refusal {
  readonly request: MonitorRequest;
  readonly error: CemmError;
  /** Monotonic time; Infinity: until something changes. */
  readonly until: number;
}

export class ResponseCache {
  private readonly lists = new Map<string, Listed>();
  private readonly refusals = new Map<string, Refusal>();
  private refusedKey: CemmError | null = null;

  constructor(
    private readonly clock: Clock,
    /** False for a connection without a key, which cannot be refused. */
    private readonly hasKey: boolean,
  ) {}

  /** A list that is not older than this; null for all other requests. */
  recall(request: MonitorRequest, maxAgeMs: number): AnyResponse | null {
    const listed = this.lists.get(requestKey(request));
    return listed !== undefined && this.clock.monotonic() - listed.at < maxAgeMs ? listed.answer : null;
  }

  /** The 412 or 403 of this alias and endpoint, or of the key, as a new error object. */
  knownFailure(request: MonitorRequest): CemmError | null {
    const refusal = this.refusedForMs(request) > 0 ? this.refusals.get(endpointKey(request)) : undefined;
    return refusal?.error.copy() ?? this.keyRefusal;
  }

  /** Time for which polls of this request are held back by a refusal; Infinity: until something changes. */
  refusedForMs(request: MonitorRequest): number {
    const until = this.refusals.get(endpointKey(request))?.until ?? Number.NEGATIVE_INFINITY;
    return Math.max(0, until - this.clock.monotonic());
  }

  /** The 403 of the list of monitors, until any request succeeds. */
  get keyRefusal(): CemmError | null {
    return this.refusedKey?.copy() ?? null;
  }

  /** Returns the requests whose polls may continue after this response. */
  answered(request: MonitorRequest, answer: AnyResponse): (other: MonitorRequest) => boolean {
    const key = endpointKey(request);
    this.refusals.delete(key);
    let lifted = (other: MonitorRequest): boolean => endpointKey(other) === key;
    if (this.refusedKey !== null) {
      this.refusedKey = null;
      // The service accepts the key again, so other refusals may be over, too.
      this.dropRefusals(({ until }) => until < Infinity);
      lifted = () => true;
    }
    if (isListRequest(request)) {
      if (this.hasChanged(request, answer)) {
        const monitor = getRequestMonitor(request);
        const concerns = (other: MonitorRequest): boolean => monitor === null || getRequestMonitor(other) === monitor;
        this.dropRefusals((refusal) => concerns(refusal.request));
        const before = lifted;
        lifted = (other) => before(other) || concerns(other);
      }
      // The result of a continued search also answers the plain request for the list.
      for (const name of [requestKey(request), key]) this.lists.set(name, { answer, at: this.clock.monotonic() });
    }
    return lifted;
  }

  failed(request: MonitorRequest, error: CemmError): void {
    if (error.code === 'AUTH') {
      if (this.hasKey && request.kind === 'monitors') this.refusedKey = error.copy();
      else this.refuse(request, error, this.clock.monotonic() + forbiddenMs);
    }
    // Only a 412 of the service is cached: a monitor that has just started may lack a meter for a minute.
    if (error.status === 412) this.refuse(request, error, Infinity);
  }

  clear(): void {
    this.lists.clear();
    this.refusals.clear();
    this.refusedKey = null;
  }

  private refuse(request: MonitorRequest, error: CemmError, until: number): void {
    setRecent(this.refusals, endpointKey(request), { request, error: error.copy(), until }, mostRefusals);
  }

  private hasChanged(request: MonitorRequest, answer: AnyResponse): boolean {
    // The response contains the time, so it always differs.
    if (request.kind === 'identity') return false;
    const before = this.lists.get(endpointKey(request))?.answer.value;
    return before !== undefined && JSON.stringify(before) !== JSON.stringify(answer.value);
  }

  private dropRefusals(concerned: (refusal: Refusal) => boolean): void {
    for (const [key, refusal] of this.refusals) if (concerned(refusal)) this.refusals.delete(key);
  }
}

function isListRequest({ kind }: MonitorRequest): boolean {
  return kind === 'monitors' || kind === 'meters' || kind === 'identity' || kind === 'catalogue';
}

/** The request without parameters that do not affect a refusal, such as `time`. */
function endpointKey(request: MonitorRequest): string {
  switch (request.kind) {
    case 'series':
      return JSON.stringify([request.kind, request.unit, request.monitor, request.alias]);
    case 'totals':
      return JSON.stringify([request.kind, request.monitor, request.alias]);
    case 'timeseries':
      return JSON.stringify([request.kind, request.monitor, request.channel]);
    case 'meters':
      return requestKey({ kind: request.kind, monitor: request.monitor });
    case 'identity':
    case 'catalogue':
    case 'monitors':
    case 'meter':
    case 'realtime':
      return requestKey(request);
  }
}
