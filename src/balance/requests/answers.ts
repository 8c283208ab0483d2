/** The responses for balances. Final ones are requested once: the readings and minutes of past days are cached within a limit. */
import type { Clock } from '../../clock';
import type { PeriodSeriesPayload, RealtimePayload, SourceInfo, TotalsPayload } from '../../model/payload';
import type { MonitorId } from '../../protocol/mac';
import { hourMs } from '../../protocol/time';
import type { HouseReader, ReadOptions } from '../house-reader';
import type { HouseMeter } from '../meters/choice';
import { hasAllReadingsAt, offersExport, readingsOf } from '../meters/readings';
import { netOf, shapesOf, volumesOf } from '../meters/slots';
import type { FactName, PastDays } from '../../store/past-days';
import { factName, fromKept, isDue, isFinalAnswer, type KeptAnswer, type PastRequest, toKept } from './kept-answers';
import { type BalanceRequest, requestKey } from './plan';

export interface BalanceAnswer extends KeptAnswer {
  readonly source: SourceInfo;
  /** The current reading of the meter; null for the past. */
  readonly reading: RealtimePayload | null;
}

/** Longest delay of the last minutes of a day; the service shows 0 until then. */
const settledMs = 3 * hourMs;
/** An empty response is final only after this time. */
const emptyForGoodMs = 48 * hourMs;
/** Slots take 32 bytes each; a month of minutes of two meters has 134,000. */
const mostSlots = 500_000;
const mostAnswers = 20_000;

export class BalanceAnswers {
  /** By request; the most recently used ones are last. */
  private readonly remembered = new Map<string, BalanceAnswer>();
  private slots = 0;

  constructor(
    private readonly reader: HouseReader,
    private readonly clock: Clock,
    private readonly past: PastDays | null,
  ) {}

  async ask(
    monitor: MonitorId,
    meter: HouseMeter,
    request: BalanceRequest,
    options: ReadOptions,
  ): Promise<BalanceAnswer> {
    const key = `${monitor} ${meter.role} ${requestKey(request)}`;
    const known = this.remembered.get(key);
    if (known !== undefined) {
      this.remembered.delete(key);
      this.remembered.set(key, known);
      return known;
    }
    const kept = await this.keptAnswer(monitor, meter, request);
    const answer =
      kept === 'due' || kept === null
        ? await this.newAnswer(monitor, meter, request, { ...options, isAgain: kept === 'due' })
        : kept;
    if (isFinal(answer, meter, request, this.clock.now())) this.remember(key, answer);
    return answer;
  }

  clear(): void {
    this.remembered.clear();
    this.slots = 0;
  }

  /** Null if none is kept; `due` if it was incomplete and is requested again. */
  private async keptAnswer(
    monitor: MonitorId,
    meter: HouseMeter,
    request: BalanceRequest,
  ): Promise<BalanceAnswer | 'due' | null> {
    if (this.past === null || request.kind === 'realtime') return null;
    const entry = await this.past.get(factOf(monitor, meter, request));
    const kept = fromKept(entry?.value);
    if (entry === null || kept === null) return null;
    const { readAt } = entry;
    if (isDue(kept, meter, request, { readAt, now: this.clock.now() })) return 'due';
    const { transport } = this.reader;
    const source = { transport, fetchedAt: readAt, latencyMs: 0, requests: 0, promises: 0, kept: true };
    return { ...kept, source, reading: null };
  }

  private async newAnswer(
    monitor: MonitorId,
    meter: HouseMeter,
    request: BalanceRequest,
    options: ReadOptions,
  ): Promise<BalanceAnswer> {
    const answer = await this.send(monitor, meter, request, options);
    if (request.kind !== 'realtime' && isFinalAnswer(answer, meter, request, this.clock.now())) {
      this.past?.put(factOf(monitor, meter, request), toKept(answer), answer.source.fetchedAt);
    }
    return answer;
  }

  private async send(
    monitor: MonitorId,
    { role }: HouseMeter,
    request: BalanceRequest,
    options: ReadOptions,
  ): Promise<BalanceAnswer> {
    const target = { monitor, alias: request.meter, role };
    switch (request.kind) {
      case 'totals':
        return ofReadings(await this.reader.readTotals(target, request.period, options), role, null);
      case 'realtime': {
        const [reading] = await this.reader.readRealtime(target, options);
        if (reading === undefined) throw new Error('One meter has one reading.');
        return ofReadings(reading, role, reading);
      }
      case 'series':
        return ofSeries(await this.reader.readSeries(target, request.period, options), role);
    }
  }

  private remember(key: string, answer: BalanceAnswer): void {
    // A cached response needs no request.
    const source = { ...answer.source, requests: 0, promises: 0, latencyMs: 0 };
    this.remembered.set(key, { ...answer, source });
    this.slots += slotsIn(answer);
    for (const [oldest, { shapes }] of this.remembered) {
      if (this.slots <= mostSlots && this.remembered.size <= mostAnswers) return;
      this.remembered.delete(oldest);
      this.slots -= slotsIn({ shapes });
    }
  }
}

function factOf(monitor: MonitorId, meter: HouseMeter, request: PastRequest): FactName {
  return { kind: 'balance', monitor, start: request.period.start, name: factName(meter, request) };
}

function ofReadings(
  payload: TotalsPayload | RealtimePayload,
  role: HouseMeter['role'],
  reading: RealtimePayload | null,
): BalanceAnswer {
  return {
    readings: readingsOf(payload, role),
    offersExport: offersExport(payload, role),
    shapes: {},
    net: [],
    source: payload.source,
    reading,
  };
}

function ofSeries(payload: PeriodSeriesPayload, role: HouseMeter['role']): BalanceAnswer {
  const isDay = payload.period.unit === 'day';
  return {
    readings: [],
    offersExport: null,
    shapes: isDay ? shapesOf(payload, role) : volumesOf(payload, role),
    net: isDay ? [] : netOf(payload),
    source: payload.source,
    reading: null,
  };
}

function isFinal(answer: BalanceAnswer, meter: HouseMeter, request: BalanceRequest, now: number): boolean {
  if (request.kind === 'realtime') return false;
  const { end } = request.period;
  if (now < end) return false;
  const isEmpty = answer.readings.length === 0 && answer.net.length === 0 && slotsIn(answer) === 0;
  if (isEmpty) return now - end >= emptyForGoodMs;
  return now - end >= settledMs || hasAllReadingsAt(answer.readings, meter, end);
}

function slotsIn({ shapes }: Pick<BalanceAnswer, 'shapes'>): number {
  return Object.values(shapes).reduce((sum, { starts }) => sum + starts.length, 0);
}
