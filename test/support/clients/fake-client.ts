/** A fake client whose responses a test controls. */
import type {
  ClientResponse,
  MonitorClient,
  MonitorRequest,
  OpenApiKind,
  RequestKind,
  RequestOf,
  SendOptions,
  ValueOf,
} from '../../../src/clients/client';
import type { Clock } from '../../../src/time/clock';
import { CemmError } from '../../../src/errors';
import { getRequestMonitor } from '../../../src/connection/requests';
import type { IoRecord, Measurement, MonitorRecord, RealtimeResponse } from '../../../src/protocol/responses';
import { toMonitorId, type MonitorId } from '../../../src/protocol/mac';
import { millis, type Millis } from '../../../src/time/units';

export type Value = ValueOf<RequestKind>;

export interface Call {
  readonly request: MonitorRequest;
  readonly options: SendOptions;
  readonly at: number;
  readonly done: boolean;
  answer(value: Value): void;
  fail(error: CemmError): void;
}

type Limits = MonitorClient['limits'];

export function monitorId(text: string): MonitorId {
  const id = toMonitorId(text);
  if (id === null) throw new Error(`${text} is no MAC`);
  return id;
}

export const MONITOR = monitorId('001122aabbcc');
export const OTHER = monitorId('001122aabbdd');

export function monitorRecord(id: MonitorId, name: string | null = null): MonitorRecord {
  return { id, name, type: null, version: null, core: null };
}

export function io(ioId: number, type: string, alias: string | null = null): IoRecord {
  return { ioId, port: 3, type, portOption: null, fullId: null, alias };
}

export function measured(time: Millis, value: number): Measurement {
  return { time, value, flaw: null };
}

export function makePowerResponse(time: Millis, watts: number): RealtimeResponse {
  return { ioId: 1, data: new Map([['electric_power', measured(time, watts)]]), totals: null };
}

export function failure(code: ConstructorParameters<typeof CemmError>[0] = 'NETWORK'): CemmError {
  return new CemmError(code, { requests: 1, status: code === 'ALIAS' ? 412 : undefined });
}

/**
 * A client with the test's responses. Calls wait for a response; `script` answers them at once. It counts requests in flight
 * and obeys the signal like a real client.
 */
export class FakeClient implements MonitorClient {
  readonly calls: Call[] = [];
  readonly peakOf = new Map<string, number>();
  peak = 0;
  closed = false;
  script: ((request: MonitorRequest) => Value | CemmError | null) | null = null;
  private inFlight = 0;
  private readonly perMonitor = new Map<string, number>();
  private readonly cancels = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    readonly transport: 'remote' | 'local' = 'remote',
    readonly limits: Limits = { perMonitor: 2, perKey: 4, gapMs: 0 },
  ) {}

  request<K extends OpenApiKind>(request: RequestOf<K>, options: SendOptions): Promise<ClientResponse<ValueOf<K>>> {
    return this.call(request as MonitorRequest, options) as Promise<ClientResponse<ValueOf<K>>>;
  }

  close(): void {
    this.closed = true;
    for (const cancel of [...this.cancels]) cancel();
  }

  /** Calls without a response. */
  get open(): Call[] {
    return this.calls.filter(({ done }) => !done);
  }

  count(kind: MonitorRequest['kind'], alias?: string): number {
    return this.calls.filter(
      ({ request }) =>
        request.kind === kind && (alias === undefined || ('alias' in request && request.alias === alias)),
    ).length;
  }

  private call(request: MonitorRequest, options: SendOptions): Promise<ClientResponse<Value>> {
    return new Promise((resolve, reject) => {
      this.enter(request);
      const leaveOnce = () => {
        if (call.done) return false;
        call.done = true;
        this.cancels.delete(cancel);
        options.signal.removeEventListener('abort', cancel);
        this.exit(request);
        return true;
      };
      const call = {
        request,
        options,
        at: this.clock.monotonic(),
        done: false,
        answer: (value: Value) => {
          const facts = { fetchedAt: this.clock.now(), latencyMs: 5, requests: 1, promises: 0 };
          if (leaveOnce()) resolve({ value, ...facts });
        },
        fail: (error: CemmError) => {
          if (leaveOnce()) reject(error);
        },
      };
      const cancel = () => {
        call.fail(failure('CANCELLED'));
      };
      this.cancels.add(cancel);
      options.signal.addEventListener('abort', cancel);
      this.calls.push(call);
      const scripted = this.script?.(request) ?? null;
      if (scripted instanceof CemmError) call.fail(scripted.copy());
      else if (scripted !== null) call.answer(scripted);
    });
  }

  private enter(request: MonitorRequest): void {
    const key = getRequestMonitor(request) ?? '';
    this.inFlight += 1;
    this.peak = Math.max(this.peak, this.inFlight);
    const now = (this.perMonitor.get(key) ?? 0) + 1;
    this.perMonitor.set(key, now);
    this.peakOf.set(key, Math.max(this.peakOf.get(key) ?? 0, now));
  }

  private exit(request: MonitorRequest): void {
    const key = getRequestMonitor(request) ?? '';
    this.inFlight -= 1;
    this.perMonitor.set(key, (this.perMonitor.get(key) ?? 0) - 1);
  }
}

/** Answers like a healthy connection with one monitor and a smart meter. */
export function healthy(clock: Clock): (request: MonitorRequest) => Value {
  return (request) => {
    switch (request.kind) {
      case 'monitors':
        return [monitorRecord(MONITOR, 'Home')];
      case 'meters':
      case 'meter':
        return [io(1, 'p1', 'p1')];
      case 'realtime':
        return makePowerResponse(clock.now(), 100);
      case 'series':
        return { ioId: 1, time: null, channels: new Map() };
      case 'totals':
        return { ioId: 1, time: null, data: new Map([['t1', measured(millis(clock.now() - 60_000), 12.5)]]) };
      case 'identity':
      case 'catalogue':
      case 'timeseries':
        throw new Error('an Open API has no such request');
    }
  };
}
