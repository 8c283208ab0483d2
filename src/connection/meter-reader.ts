/** Requests about known meters, and the payloads of their responses. */
import { requestTime, type SeriesPeriod } from '../calendar/periods';
import type { ClientResponse } from '../clients/client';
import type { Clock } from '../time/clock';
import { CemmError, toCemmError } from '../errors';
import type { MeterInfo, PeriodSeriesPayload, RealtimePayload, SourceInfo, TotalsPayload } from '../model/payload';
import { channelsOffered, normalizeRealtime, readingsOfNow } from '../model/realtime';
import { normalizeSeries } from '../model/series';
import { normalizeTotals } from '../model/totals';
import type { RealtimeResponse, SeriesResponse, TotalsResponse } from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import { hourMs, minuteMs, type Seconds } from '../time/units';
import { hasChangedSlots, readVersions } from '../store/changed-slots';
import { fillVersion } from '../store/join-answers';
import type { KeptSeries } from '../store/kept-answers';
import { describeRead, isSettled, type ReadTimes } from '../store/past-rules';
import type { KnownMonitor } from '../model/identity';
import type { KeptSeriesPayload } from '../model/read-options';
import type { ReadOptions, ReadRealtimeOptions } from './connection';
import type { Deadline } from './deadline';
import { noMeters, refuseDirectionless } from './choices';
import { TariffHistory } from './tariff-history';
import {
  type Answer,
  type Form,
  hasValues,
  type KeptAnswers,
  seriesForm,
  type Subject,
  totalsForm,
} from './kept-series';
import { MonitorTimes } from './monitor-time';
import { LocalPeriodRequests } from './period-request';
import type { RequestCoordinator } from './request-coordinator';

export interface MeterReaderParts {
  readonly clock: Clock;
  readonly coordinator: RequestCoordinator;
  readonly transport: 'remote' | 'local' | 'demo';
  /** Address of a local monitor. */
  readonly host: () => string | undefined;
  /** Keeps what is over. */
  readonly kept: KeptAnswers | null;
  /** The time of a request in the background. */
  readonly background: () => Deadline;
}

export interface KnownMeter {
  readonly monitor: KnownMonitor;
  readonly meter: MeterInfo;
  readonly alias: string;
}

type SeriesListeners = Pick<ReadOptions, 'onChanged' | 'onRead'>;

export class MeterReader {
  private readonly localPeriods = new LocalPeriodRequests();
  private readonly tariffs = new TariffHistory();
  private readonly times: MonitorTimes;
  /** The monotonic time at which the last request for the newest time of a meter has ended. */
  private readonly askedTimes = new Map<string, number>();

  constructor(private readonly parts: MeterReaderParts) {
    this.times = new MonitorTimes(parts.clock);
  }

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

  async series(
    known: KnownMeter,
    period: SeriesPeriod,
    deadline: Deadline,
    listeners: SeriesListeners,
  ): Promise<PeriodSeriesPayload> {
    const { monitor, meter } = known;
    refuseDirectionless(meter);
    const ask = async (time: Deadline): Promise<ClientResponse<SeriesResponse>> => {
      const answer = await this.seriesResponse(known, period, time);
      this.times.series(monitor.id, answer.value);
      return answer;
    };
    const answer = await this.answer(seriesForm, known, period, deadline, ask);
    return this.seriesPayload(answer, known, period, listeners);
  }

  /** The kept part of a series, without a request; null if nothing is. */
  async keptSeries(
    known: KnownMeter,
    period: SeriesPeriod,
    deadline: Deadline,
    listeners: SeriesListeners,
  ): Promise<KeptSeriesPayload | null> {
    const { kept } = this.parts;
    const subject: Subject = { monitor: known.monitor.id, alias: known.alias, period };
    const fact = (await kept?.get(seriesForm, subject)) ?? null;
    if (kept === null || fact === null) return null;
    // No request is sent for it, unless it is time to read it again in the background.
    if (await kept.isFinal(subject, fact)) {
      return { payload: await this.series(known, period, deadline, listeners), isFinal: true };
    }
    const given = { response: fact.response, fact, source: this.keptSource(fact), refresh: () => undefined };
    return { payload: this.seriesPayload(given, known, period, listeners), isFinal: false };
  }

  private seriesPayload(
    { response, fact, source, refresh }: Answer<SeriesResponse, KeptSeries>,
    { monitor, meter, alias }: KnownMeter,
    period: SeriesPeriod,
    listeners: SeriesListeners,
  ): PeriodSeriesPayload {
    const isSingleCounter = this.tariffs.recordTariffs(monitor, meter, response.channels.keys());
    const toPayload = (one: SeriesResponse): PeriodSeriesPayload => {
      const now = this.parts.clock.now();
      return normalizeSeries({ response: one, period, now, monitor, meter, source, isSingleCounter });
    };
    const payload = toPayload(response);
    const { onChanged, onRead } = listeners;
    if (fact !== null) onRead?.(describeRead(period.end, fact));
    refresh(payload.complete && hasValues(response));
    if (fact === null || onChanged === undefined || !hasChangedSlots(fact.changed)) return payload;
    const subject: Subject = { monitor: monitor.id, alias, period };
    const versions = readVersions(fact.changed).map((version) => ({
      payload: toPayload(fillVersion(response, version)),
      settle: async () => this.parts.kept?.settle(subject, fact, version),
    }));
    onChanged(versions);
    return payload;
  }

  async totals(known: KnownMeter, period: SeriesPeriod, deadline: Deadline): Promise<TotalsPayload> {
    const { monitor, meter, alias } = known;
    const { transport, clock, coordinator } = this.parts;
    refuseDirectionless(meter);
    if (transport !== 'remote') return this.totalsOfNow(known, period, deadline);
    const answer = await this.answer(totalsForm, known, period, deadline, async (time) => {
      const response = await coordinator.request(
        { kind: 'totals', monitor: monitor.id, alias, time: requestTime(period) },
        { ...time(), isPast: period.end <= clock.now() },
      );
      this.times.sawMeasurements(monitor.id, response.value.data);
      return response;
    });
    answer.refresh([...answer.response.data.values()].some(({ time }) => time !== null && time >= period.end - hourMs));
    return this.totalsPayload(answer.response, answer.source, known, period);
  }

  realtimePayload(answer: ClientResponse<RealtimeResponse>, monitor: KnownMonitor, meter: MeterInfo): RealtimePayload {
    refuseDirectionless(meter);
    // The watch keeps the monitor; its address may have changed.
    const host = this.parts.host();
    const here = host === undefined ? monitor : { ...monitor, host };
    this.times.realtime(monitor.id, answer.value);
    const isSingleCounter = this.tariffs.recordTariffs(monitor, meter, channelsOffered(answer.value));
    const source = this.source(answer);
    return normalizeRealtime({ response: answer.value, monitor: here, meter, source, isSingleCounter });
  }

  source({ fetchedAt, latencyMs, requests, promises }: ClientResponse<unknown>): SourceInfo {
    return { transport: this.parts.transport, fetchedAt, latencyMs, requests, promises };
  }

  private keptSource({ readAt }: ReadTimes): SourceInfo {
    const { transport } = this.parts;
    return { transport, fetchedAt: readAt, latencyMs: 0, requests: 0, promises: 0, kept: true, keptAt: readAt };
  }

  private async seriesResponse(
    { monitor, alias }: KnownMeter,
    period: SeriesPeriod,
    deadline: Deadline,
  ): Promise<ClientResponse<SeriesResponse>> {
    const { transport, clock, coordinator } = this.parts;
    const { unit } = period;
    const send = (time: Seconds): Promise<ClientResponse<SeriesResponse>> =>
      coordinator.request(
        { kind: 'series', monitor: monitor.id, alias, unit, time },
        { ...deadline(), isPast: period.end <= clock.now() },
      );
    return transport === 'remote' ? send(requestTime(period)) : this.localPeriods.read(monitor.id, period, send);
  }

  /**
   * The kept response, if it is final, or while the monitor is away; otherwise a new one, joined with what was kept.
   * @param ask sends the request
   */
  private async answer<Response, Fact extends ReadTimes & { readonly response: Response }>(
    form: Form<Response, Fact>,
    { monitor, alias }: KnownMeter,
    period: SeriesPeriod,
    deadline: Deadline,
    ask: (deadline: Deadline) => Promise<ClientResponse<Response>>,
  ): Promise<Answer<Response, Fact>> {
    const { kept, clock, background } = this.parts;
    const isNow = (): void => undefined;
    if (kept === null) {
      const answer = await ask(deadline);
      return { response: answer.value, fact: null, source: this.source(answer), refresh: isNow };
    }
    const subject: Subject = { monitor: monitor.id, alias, period };
    const read = async (time: Deadline): Promise<Answer<Response, Fact>> => {
      const answer = await ask(time);
      const fact = await kept.keep(form, subject, answer, await this.asOf(subject, time));
      return { response: fact.response, fact, source: this.source(answer), refresh: isNow };
    };
    const earlier = await kept.get(form, subject);
    if (earlier === null) return read(deadline);
    const given = { response: earlier.response, fact: earlier, source: this.keptSource(earlier) };
    if (await kept.isFinal(subject, earlier)) {
      const refresh = (isComplete: boolean): void => {
        kept.refresh(subject, earlier, isComplete, () => read(background()));
      };
      return { ...given, refresh };
    }
    try {
      return await read(deadline);
    } catch (error) {
      // A running period has an error, as its current values have.
      if (clock.now() < period.end || !toCemmError(error).retryable) throw error;
      return { ...given, refresh: isNow };
    }
  }

  /** The earlier one of both clocks. The newest time of the monitor is asked for where it decides. */
  private async asOf({ monitor, alias, period }: Subject, deadline: Deadline): Promise<number> {
    const { clock } = this.parts;
    const [now, newest] = [clock.now(), this.times.of(monitor)];
    if (now >= period.end && newest < now - minuteMs && !isSettled(period.end, newest)) {
      const key = `${monitor} ${alias}`;
      if (clock.monotonic() - (this.askedTimes.get(key) ?? -Infinity) >= minuteMs) {
        // Callers share one request, which is urgent as soon as one of them is a user.
        await this.readTime(monitor, alias, deadline);
        this.askedTimes.set(key, clock.monotonic());
      }
    }
    return Math.min(now, this.times.of(monitor));
  }

  /** Nothing becomes final without it, so a failure is none of the caller's. */
  private async readTime(monitor: MonitorId, alias: string, deadline: Deadline): Promise<void> {
    try {
      const answer = await this.parts.coordinator.request({ kind: 'realtime', monitor, alias }, deadline());
      this.times.realtime(monitor, answer.value);
    } catch {
      // The next one is a minute later.
    }
  }

  /** A device has no endpoint for totals: the current readings are those of the running day, and older ones are not available. */
  private async totalsOfNow(known: KnownMeter, period: SeriesPeriod, deadline: Deadline): Promise<TotalsPayload> {
    const { clock, coordinator } = this.parts;
    const { monitor, meter, alias } = known;
    if (clock.now() >= period.end) {
      throw new CemmError('UNSUPPORTED', { endpoint: 'totals', alias, reason: 'current_day_only' });
    }
    const answer = await coordinator.request({ kind: 'realtime', monitor: monitor.id, alias }, deadline());
    this.tariffs.recordTariffs(monitor, meter, channelsOffered(answer.value));
    return this.totalsPayload(readingsOfNow(answer.value), this.source(answer), known, period);
  }

  private totalsPayload(
    response: TotalsResponse,
    source: SourceInfo,
    { monitor, meter }: KnownMeter,
    period: SeriesPeriod,
  ): TotalsPayload {
    const isSingleCounter = this.tariffs.recordTariffs(monitor, meter, response.data.keys());
    return normalizeTotals({ response, period, now: this.parts.clock.now(), monitor, meter, source, isSingleCounter });
  }
}
