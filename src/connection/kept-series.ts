/**
 * Responses for series and totals of the past, in `src/store`. The name of a fact contains the interface, because the service and
 * the monitor itself number the inputs differently and may send other channels; nothing depends on roles or zones.
 */
import type { SourceInfo } from '../model/payload';
import type { SeriesPeriod } from '../calendar/periods';
import type { ClientResponse } from '../clients/client';
import type { Clock } from '../time/clock';
import type { MonitorId } from '../protocol/mac';
import type { SeriesResponse, TotalsResponse } from '../protocol/responses';
import { minuteMs } from '../time/units';
import type { Version } from '../store/changed-slots';
import { isSomething, joinSeries, joinTotals, settleSeries } from '../store/join-answers';
import {
  type KeptSeries,
  type KeptTotals,
  seriesFromJson,
  seriesToJson,
  slotsUntil,
  totalsFromJson,
  totalsToJson,
} from '../store/kept-answers';
import type { FactKind, FactName } from '../store/fact-name';
import type { Join } from '../store/month-file';
import type { PastDays } from '../store/past-days';
import { isReadDue, isOver, pastUntil, type ReadTimes } from '../store/past-rules';

export interface Subject {
  readonly monitor: MonitorId;
  readonly alias: string;
  readonly period: SeriesPeriod;
}

interface Kept<Response> extends ReadTimes {
  readonly response: Response;
}

/** The way in which responses of one kind are kept. */
export interface Form<Response, Fact extends Kept<Response>> {
  readonly kind: FactKind;
  readonly name: string;
  readonly of: (response: Response, times: ReadTimes) => Fact;
  /** The part of a response that is kept, if it was read at `asOf`. */
  readonly past: (response: Response, period: SeriesPeriod, asOf: number) => Response;
  readonly toJson: (fact: Fact) => object | null;
  readonly fromJson: (value: unknown) => Fact | null;
  readonly join: (known: Fact, added: Fact) => Fact;
}

export const seriesForm: Form<SeriesResponse, KeptSeries> = {
  kind: 'series',
  name: '',
  of: (response, times) => ({ ...times, response, changed: new Map() }),
  past: (response, period, asOf) => slotsUntil(response, pastUntil(period, asOf)),
  toJson: seriesToJson,
  fromJson: seriesFromJson,
  join: joinSeries,
};

export const totalsForm: Form<TotalsResponse, KeptTotals> = {
  kind: 'readings',
  name: 'totals ',
  of: (response, times) => ({ ...times, response }),
  // The readings of a running day grow. After its end a later reading of the day can only replace them, see joinTotals.
  past: (response, { end }, asOf) => (asOf >= end ? response : { ...response, data: new Map() }),
  toJson: totalsToJson,
  fromJson: totalsFromJson,
  join: joinTotals,
};

/** After a failure nothing is read in the background for this time. */
const pauseMs = 10 * minuteMs;

export class KeptAnswers {
  private readonly waiting = new Map<string, () => Promise<unknown>>();
  private isReading = false;
  private notBefore = -Infinity;
  private closed = false;

  constructor(
    private readonly past: PastDays,
    private readonly transport: 'remote' | 'local' | 'demo',
    private readonly clock: Clock,
  ) {}

  async get<Response, Fact extends Kept<Response>>(form: Form<Response, Fact>, subject: Subject): Promise<Fact | null> {
    return form.fromJson(await this.past.get(this.factOf(form, subject)));
  }

  /** True for a kept response that is given without a request. */
  async isFinal({ period }: Subject, { asOf, round }: ReadTimes): Promise<boolean> {
    return this.clock.now() >= period.end && isOver(period, asOf) && round >= (await this.past.round(period.start));
  }

  /** True if a kept series has a value other than 0; null if a request would be sent for it. */
  async hasValues(subject: Subject): Promise<boolean | null> {
    const fact = await this.get(seriesForm, subject);
    return fact !== null && (await this.isFinal(subject, fact)) ? hasValues(fact.response) : null;
  }

  /**
   * Keeps the slots that were over.
   * @param asOf the earlier one of both clocks
   * @returns the response with what was known before
   */
  async keep<Response, Fact extends Kept<Response>>(
    form: Form<Response, Fact>,
    subject: Subject,
    { value, fetchedAt }: ClientResponse<Response>,
    asOf: number,
  ): Promise<Fact> {
    const { period } = subject;
    const round = await this.past.round(period.start);
    const fresh = form.of(value, { asOf, since: asOf, readAt: fetchedAt, round });
    const kept = form.toJson(form.of(form.past(value, period, asOf), fresh));
    if (kept === null) return fresh;
    const result = await this.past.keep(this.factOf(form, subject), kept, joinFacts(form), !isOver(period, asOf));
    const joined = result === kept ? null : form.fromJson(result);
    // A response that is kept for the first time stays as it was sent.
    if (joined === null) return fresh;
    return isOver(period, asOf) ? joined : { ...form.join(joined, fresh), asOf };
  }

  /** Keeps the version that counters agree with. */
  async settle(subject: Subject, fact: KeptSeries, version: Version): Promise<void> {
    const { response, ...rest } = settleSeries(fact, version);
    const past = { ...rest, response: seriesForm.past(response, subject.period, fact.asOf) };
    const settled = seriesForm.toJson(past);
    if (settled !== null) await this.past.keep(this.factOf(seriesForm, subject), settled, joinFacts(seriesForm));
  }

  /** Reads it again in the background, behind everything else, when it is time. */
  refresh(
    { monitor, alias, period }: Subject,
    times: ReadTimes,
    isComplete: boolean,
    read: () => Promise<unknown>,
  ): void {
    const now = this.clock.now();
    if (this.closed || this.clock.monotonic() < this.notBefore || !isReadDue(period.end, times, isComplete, now))
      return;
    this.waiting.set(`${monitor} ${alias} ${period.unit} ${period.start}`, read);
    if (!this.isReading) void this.readWaiting();
  }

  close(): void {
    this.closed = true;
    this.waiting.clear();
  }

  private async readWaiting(): Promise<void> {
    this.isReading = true;
    for (const [key, read] of this.waiting) {
      this.waiting.delete(key);
      try {
        await read();
      } catch {
        // Kept facts stay; the next request of a user shows the failure.
        this.waiting.clear();
        this.notBefore = this.clock.monotonic() + pauseMs;
      }
    }
    this.isReading = false;
  }

  private factOf(
    { kind, name }: Pick<Form<never, never>, 'kind' | 'name'>,
    { monitor, alias, period: { unit, start, end } }: Subject,
  ): FactName {
    return { kind, house: monitor, start, name: `${this.transport} ${alias} ${name}${unit} ${start}-${end}` };
  }
}

function joinFacts<Response, Fact extends Kept<Response>>(form: Form<Response, Fact>): Join {
  return (known, added) => {
    const [before, after] = [form.fromJson(known), form.fromJson(added)];
    if (before === null || after === null) return before === null ? added : known;
    return form.toJson(form.join(before, after)) ?? known;
  };
}

/** True if the response has a value other than 0. */
export function hasValues({ channels }: SeriesResponse): boolean {
  return [...channels.values()].some(({ values }) => values.some(isSomething));
}

/** A response for a meter, joined with what was kept. */
export interface Answer<Response, Fact> {
  readonly response: Response;
  /** Null if nothing is kept. */
  readonly fact: Fact | null;
  readonly source: SourceInfo;
  /** Reads a kept response again in the background, when it is time. */
  readonly refresh: (isComplete: boolean) => void;
}
