import type {
  ClientResponse,
  SendOptions,
  ListOptions,
  MeterRef,
  MonitorClient,
  SeriesUnit,
} from '../../../../src/clients/client';
import type { Clock } from '../../../../src/clock';
import { CemmError } from '../../../../src/errors';
import { monitorOf, type ResponseTo, type MonitorRequest } from '../../../../src/connection/requests';
import type { IoRecord, Measurement, MonitorRecord, RealtimeResponse } from '../../../../src/protocol/responses';
import { toMonitorId, type MonitorId } from '../../../../src/protocol/mac';
import { millis, type Millis, type Seconds } from '../../../../src/protocol/time';

export type Value = ResponseTo<MonitorRequest>;

export interface Call {
  readonly question: MonitorRequest;
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

export function realtime(time: Millis, watts: number): RealtimeResponse {
  return { ioId: 1, data: new Map([['electric_power', measured(time, watts)]]), totals: null };
}

export function failure(code: ConstructorParameters<typeof CemmError>[0] = 'NETWORK'): CemmError {
  return new CemmError(code, `It is ${code}.`, { requests: 1, status: code === 'ALIAS' ? 412 : undefined });
}

/**
 * A client whose answers are the test's. Calls wait until they are answered; `script` answers them as they come.
 * It counts what is in the air and obeys the signal as a client must.
 */
export class FakeClient implements MonitorClient {
  readonly calls: Call[] = [];
  readonly peakOf = new Map<string, number>();
  peak = 0;
  closed = false;
  script: ((question: MonitorRequest) => Value | CemmError | null) | null = null;
  private inTheAir = 0;
  private readonly perMonitor = new Map<string, number>();
  private readonly cancels = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    readonly transport: 'remote' | 'local' = 'remote',
    readonly limits: Limits = { perMonitor: 2, perKey: 4, gapMs: 0 },
  ) {}

  monitors(options: SendOptions): Promise<ClientResponse<readonly MonitorRecord[]>> {
    return this.call({ kind: 'monitors' }, options);
  }

  meters(monitor: MonitorId, options: ListOptions): Promise<ClientResponse<readonly IoRecord[]>> {
    return this.call({ kind: 'meters', monitor, goOn: options.goOn ?? false }, options);
  }

  meter(ref: MeterRef, options: SendOptions): Promise<ClientResponse<readonly IoRecord[]>> {
    return this.call({ kind: 'meter', monitor: ref.monitor, alias: ref.alias }, options);
  }

  realtime(ref: MeterRef, options: SendOptions): Promise<ClientResponse<RealtimeResponse>> {
    return this.call({ kind: 'realtime', monitor: ref.monitor, alias: ref.alias }, options);
  }

  series(ref: MeterRef, unit: SeriesUnit, time: Seconds, options: SendOptions) {
    return this.call({ kind: 'series' as const, monitor: ref.monitor, alias: ref.alias, unit, time }, options);
  }

  totals(ref: MeterRef, time: Seconds, options: SendOptions) {
    return this.call({ kind: 'totals' as const, monitor: ref.monitor, alias: ref.alias, time }, options);
  }

  close(): void {
    this.closed = true;
    for (const cancel of [...this.cancels]) cancel();
  }

  /** Calls that wait for an answer. */
  get open(): Call[] {
    return this.calls.filter(({ done }) => !done);
  }

  count(kind: MonitorRequest['kind'], alias?: string): number {
    return this.calls.filter(
      ({ question }) =>
        question.kind === kind && (alias === undefined || ('alias' in question && question.alias === alias)),
    ).length;
  }

  private call<Q extends MonitorRequest>(question: Q, options: SendOptions): Promise<ClientResponse<ResponseTo<Q>>> {
    return new Promise((resolve, reject) => {
      this.enter(question);
      const leave = () => {
        if (call.done) return false;
        call.done = true;
        this.cancels.delete(cancel);
        options.signal.removeEventListener('abort', cancel);
        this.exit(question);
        return true;
      };
      const call = {
        question,
        options,
        at: this.clock.monotonic(),
        done: false,
        answer: (value: Value) => {
          const facts = { fetchedAt: this.clock.now(), latencyMs: 5, requests: 1, promises: 0 };
          if (leave()) resolve({ value: value as ResponseTo<Q>, ...facts });
        },
        fail: (error: CemmError) => {
          if (leave()) reject(error);
        },
      };
      const cancel = () => {
        call.fail(failure('CANCELLED'));
      };
      this.cancels.add(cancel);
      options.signal.addEventListener('abort', cancel);
      this.calls.push(call);
      const scripted = this.script?.(question) ?? null;
      if (scripted instanceof CemmError) call.fail(scripted.copy());
      else if (scripted !== null) call.answer(scripted);
    });
  }

  private enter(question: MonitorRequest): void {
    const lane = monitorOf(question) ?? '';
    this.inTheAir += 1;
    this.peak = Math.max(this.peak, this.inTheAir);
    const now = (this.perMonitor.get(lane) ?? 0) + 1;
    this.perMonitor.set(lane, now);
    this.peakOf.set(lane, Math.max(this.peakOf.get(lane) ?? 0, now));
  }

  private exit(question: MonitorRequest): void {
    const lane = monitorOf(question) ?? '';
    this.inTheAir -= 1;
    this.perMonitor.set(lane, (this.perMonitor.get(lane) ?? 0) - 1);
  }
}

/** Answers as a healthy connection with one monitor and a smart meter would. */
export function healthy(clock: Clock, watts = 100): (question: MonitorRequest) => Value {
  return (question) => {
    switch (question.kind) {
      case 'monitors':
        return [monitorRecord(MONITOR, 'Home')];
      case 'meters':
      case 'meter':
        return [io(1, 'p1', 'p1')];
      case 'realtime':
        return realtime(clock.now(), watts);
      case 'series':
        return { ioId: 1, time: null, channels: new Map() };
      case 'totals':
        return { ioId: 1, time: null, data: new Map([['t1', measured(millis(clock.now() - 60_000), 12.5)]]) };
      case 'identity':
      case 'catalogue':
      case 'timeseries':
        throw new Error('an Open API has no such question');
    }
  };
}
