/**
 * Responses for the series of periods that are over, in `src/store`. The name of a fact contains the interface, because the service
 * and the monitor itself may send other channels; nothing depends on roles or zones.
 */
import type { ClientResponse } from '../clients/client';
import type { Period } from '../calendar/periods';
import type { Clock } from '../clock';
import type { MonitorId } from '../protocol/mac';
import type { SeriesResponse } from '../protocol/responses';
import { millis } from '../protocol/time';
import { isRecord } from '../record';
import { packSeries, unpackSeries } from '../store/packed-series';
import type { FactName, PastDays } from '../store/past-days';
import { isDueAfter, isFinalAfter } from '../store/past-rules';

export interface SeriesSubject {
  readonly monitor: MonitorId;
  readonly alias: string;
  readonly period: Period;
}

export class KeptSeries {
  constructor(
    private readonly past: PastDays,
    private readonly transport: 'remote' | 'local' | 'demo',
    private readonly clock: Clock,
  ) {}

  /** Null if it was not kept, or was incomplete and is to be requested again. */
  async get(subject: SeriesSubject): Promise<ClientResponse<SeriesResponse> | null> {
    const now = this.clock.now();
    const { unit, end } = subject.period;
    if (now < end) return null;
    const entry = await this.past.get(this.factOf(subject));
    if (entry === null || !isRecord(entry.value)) return null;
    const { readAt } = entry;
    const { isComplete, response } = entry.value;
    if (typeof isComplete !== 'boolean' || isDueAfter({ unit, end, isComplete }, readAt, now)) return null;
    const value = unpackSeries(response);
    return value === null ? null : { value, fetchedAt: millis(readAt), latencyMs: 0, requests: 0, promises: 0 };
  }

  /** @param isComplete all of its minutes have a value */
  put(subject: SeriesSubject, { value, fetchedAt }: ClientResponse<SeriesResponse>, isComplete: boolean): void {
    const { unit, end } = subject.period;
    if (!isFinalAfter({ unit, end, isComplete }, fetchedAt)) return;
    const response = packSeries(value);
    if (response !== null) this.past.put(this.factOf(subject), { isComplete, response }, fetchedAt);
  }

  private factOf({ monitor, alias, period: { unit, start, end } }: SeriesSubject): FactName {
    return { kind: 'series', monitor, start, name: `${unit} ${start}-${end} ${this.transport} ${alias}` };
  }
}
