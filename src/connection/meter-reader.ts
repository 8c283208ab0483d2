/** Requests about known meters, and the payloads of their responses. */
import { type Period, requestTime } from '../calendar/periods';
import type { ClientResponse, MonitorClient } from '../clients/client';
import type { Clock } from '../clock';
import { CemmError, toCemmError } from '../errors';
import type {
  MeterInfo,
  MonitorInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  SourceInfo,
  TotalsPayload,
} from '../model/payload';
import { channelsOffered, normalizeRealtime, readingsOfNow } from '../model/realtime';
import { normalizeSeries } from '../model/series';
import { normalizeTotals } from '../model/totals';
import type { RealtimeResponse, SeriesResponse, TotalsResponse } from '../protocol/responses';
import type { Seconds } from '../protocol/time';
import { isPulsed, type KnownMonitor } from '../model/identity';
import type { ReadRealtimeOptions } from './connection';
import type { Deadline } from './deadline';
import { noMeters, TariffHistory } from './inventory';
import type { KeptSeries } from './kept-series';
import { LocalPeriodRequests } from './period-request';
import type { RequestCoordinator } from './request-coordinator';

export interface MeterReaderParts {
  readonly client: Pick<MonitorClient, 'transport'>;
  readonly clock: Clock;
  readonly coordinator: RequestCoordinator;
  readonly transport: 'remote' | 'local' | 'demo';
  /** Address of a local monitor. */
  readonly host: () => string | undefined;
  /** Keeps the series of periods that are over. */
  readonly kept: KeptSeries | null;
}

export interface KnownMeter {
  readonly monitor: KnownMonitor;
  readonly meter: MeterInfo;
  readonly alias: string;
}

export class MeterReader {
  private readonly localPeriods = new LocalPeriodRequests();
  private readonly tariffs = new TariffHistory();

  constructor(private readonly parts: MeterReaderParts) {}

  async realtime({ monitor, meter, alias }: KnownMeter, deadline: Deadline): Promise<RealtimePayload> {
    const { coordinator } = this.parts;
    refuseDirectionless(meter);
    const answer = await coordinator.request({ kind: 'realtime', monitor: monitor.id, alias }, deadline());
    return this.realtimePayload(answer, monitor, meter);
  }

  /** Reads all meters; rejects only when none can be read. */
  async realtimeOfAll(
    monitor: KnownMonitor,
    meters: readonly MeterInfo[],
    deadline: Deadline,
    onMeterError: ReadRealtimeOptions['onMeterError'],
  ): Promise<RealtimePayload[]> {
    const readings = meters.flatMap((meter) =>
      meter.alias === undefined ? [] : [this.realtime({ monitor, meter, alias: meter.alias }, deadline)],
    );
    if (readings.length === 0) throw noMeters();
    const settled = await Promise.allSettled(readings);
    const good = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const [first, ...others] = settled.flatMap((result) =>
      result.status === 'rejected' ? [toCemmError(result.reason)] : [],
    );
    if (first === undefined) return good;
    if (good.length === 0) throw first;
    for (const error of [first, ...others]) onMeterError?.(error);
    return good;
  }

  /** @param isAgain ask the monitor, also for a series that is kept */
  async series(known: KnownMeter, period: Period, deadline: Deadline, isAgain: boolean): Promise<PeriodSeriesPayload> {
    const { monitor, meter, alias } = known;
    const { clock, kept } = this.parts;
    refuseDirectionless(meter);
    const subject = { monitor: monitor.id, alias, period };
    const earlier = isAgain ? null : ((await kept?.get(subject)) ?? null);
    const answer = earlier ?? (await this.seriesResponse(known, period, deadline));
    const now = clock.now();
    this.tariffs.answered(monitor, meter, answer.value.channels.keys());
    const isSingleCounter = this.tariffs.isSingleCounter(monitor, meter);
    const source: SourceInfo = { ...this.source(answer), ...(earlier !== null && { kept: true }) };
    const payload = normalizeSeries({
      response: answer.value,
      period,
      now,
      monitor,
      meter,
      source,
      isSingleCounter,
    });
    if (earlier === null) kept?.put(subject, answer, payload.complete);
    return payload;
  }

  async totals(known: KnownMeter, period: Period, deadline: Deadline): Promise<TotalsPayload> {
    const { monitor, meter } = known;
    refuseDirectionless(meter);
    const answer = await this.totalsResponse(known, period, deadline);
    const now = this.parts.clock.now();
    const isSingleCounter = this.tariffs.isSingleCounter(monitor, meter);
    const source = this.source(answer);
    return normalizeTotals({ response: answer.value, period, now, monitor, meter, source, isSingleCounter });
  }

  realtimePayload(answer: ClientResponse<RealtimeResponse>, monitor: MonitorInfo, meter: MeterInfo): RealtimePayload {
    refuseDirectionless(meter);
    // The watch keeps the monitor; its address may have changed.
    const host = this.parts.host();
    const here = host === undefined ? monitor : { ...monitor, host };
    this.tariffs.answered(monitor, meter, channelsOffered(answer.value));
    const isSingleCounter = this.tariffs.isSingleCounter(monitor, meter);
    const source = this.source(answer);
    return normalizeRealtime({ response: answer.value, monitor: here, meter, source, isSingleCounter });
  }

  source({ fetchedAt, latencyMs, requests, promises }: ClientResponse<unknown>): SourceInfo {
    return { transport: this.parts.transport, fetchedAt, latencyMs, requests, promises };
  }

  private async seriesResponse(
    { monitor, alias }: KnownMeter,
    period: Period,
    deadline: Deadline,
  ): Promise<ClientResponse<SeriesResponse>> {
    const { client, clock, coordinator } = this.parts;
    const { unit } = period;
    const send = (time: Seconds): Promise<ClientResponse<SeriesResponse>> =>
      coordinator.request(
        { kind: 'series', monitor: monitor.id, alias, unit, time },
        { ...deadline(), isPast: period.end <= clock.now() },
      );
    return client.transport === 'remote' ? send(requestTime(period)) : this.localPeriods.read(monitor.id, period, send);
  }

  /** A device has no endpoint for totals: the current readings are those of the running day, and older ones are not available. */
  private async totalsResponse(
    { monitor, meter, alias }: KnownMeter,
    period: Period,
    deadline: Deadline,
  ): Promise<ClientResponse<TotalsResponse>> {
    const { client, clock, coordinator } = this.parts;
    if (client.transport === 'remote') {
      const time = requestTime(period);
      const answer = await coordinator.request(
        { kind: 'totals', monitor: monitor.id, alias, time },
        { ...deadline(), isPast: period.end <= clock.now() },
      );
      this.tariffs.answered(monitor, meter, answer.value.data.keys());
      return answer;
    }
    if (clock.now() >= period.end) {
      throw new CemmError('UNSUPPORTED', { endpoint: 'totals', alias, reason: 'current_day_only' });
    }
    const answer = await coordinator.request({ kind: 'realtime', monitor: monitor.id, alias }, deadline());
    this.tariffs.answered(monitor, meter, channelsOffered(answer.value));
    return { ...answer, value: readingsOfNow(answer.value) };
  }
}

/** @throws {CemmError} INPUT `battery_s0` for a battery at an S0 output, which has no direction */
function refuseDirectionless(meter: MeterInfo): void {
  if (meter.role !== 'battery' || !isPulsed(meter)) return;
  throw new CemmError('INPUT', { reason: 'battery_s0', params: { field: 'role', meter: meter.alias ?? '' } });
}
