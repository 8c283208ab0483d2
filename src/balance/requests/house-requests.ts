/** Sends the requests for a house, at most two at a time, and writes their answers to the findings of its meters. */
import { CemmError, isInternalFault, toCemmError } from '../../errors';
import type { KnownMonitor } from '../../model/identity';
import { createPause } from '../../time/pause';
import { type HouseMeter, isOfHouse } from '../meters/choice';
import type { HouseReader, ReadBalanceOptions } from '../house-reader';
import { type BalanceAnswer, keptAnswer, readAnswer, withSlots } from './answers';
import { type BalanceRequest, requestKey } from './plan';

export class Findings {
  /** By request. */
  readonly responses = new Map<string, BalanceAnswer>();
  /** Keys of the responses for which no request is sent any more. */
  readonly final = new Set<string>();
  readonly refused = new Set<string>();
  failure: CemmError | null = null;
  /** The failure may be transient. */
  isInterrupted = false;

  constructor(readonly meter: HouseMeter) {}

  get answers(): readonly BalanceAnswer[] {
    return [...this.responses.values()];
  }
}

/** A balance from half of the responses would look like little energy, so it fails, and the next one continues there. */
export function failUnlessAnswered(
  findings: readonly Findings[],
  onMeterError: ReadBalanceOptions['onMeterError'],
): void {
  const failed = findings.filter(({ failure }) => failure !== null);
  const isAnswered = findings.some(({ meter, answers }) => isOfHouse(meter) && answers.length > 0);
  const isReplaced = ({ meter: { succession } }: Findings): boolean =>
    succession !== undefined &&
    findings.some(({ meter, answers }) => meter.succession?.row === succession.row && answers.length > 0);
  for (const { meter, failure, answers, isInterrupted } of failed) {
    if (failure !== null && isOfHouse(meter) && (!isAnswered || (isInterrupted && answers.length > 0))) throw failure;
  }
  for (const one of failed) {
    if (one.failure !== null && one.answers.length === 0 && !isReplaced(one)) onMeterError?.(one.failure);
  }
}

/** Requests of one balance at a time. */
const mostInFlight = 2;

export interface HouseRequestsParts {
  readonly reader: HouseReader;
  readonly monitor: KnownMonitor;
  /** By meter. */
  readonly findings: ReadonlyMap<string, Findings>;
  /** Gets the keys of the requests that are sent. */
  readonly asked: Set<string>;
  readonly ask: ReadBalanceOptions;
  /** Length of the slots to which whole minutes are joined, ms; null: the minutes stay. */
  readonly joined: number | null;
  /** Called after each request. */
  readonly onAnswer?: (request: BalanceRequest) => Promise<void> | undefined;
}

export class HouseRequests {
  private readonly pause = createPause();
  private done = 0;
  private all = 0;

  constructor(private readonly parts: HouseRequestsParts) {}

  /** Answers that are kept, without a request. */
  async takeKept(requests: readonly BalanceRequest[]): Promise<void> {
    for (const request of requests) {
      await this.takeOne(request);
      await this.pause();
    }
  }

  /** Kept series that are final are given without a request, and so without waiting. */
  async send(requests: readonly BalanceRequest[]): Promise<void> {
    const { findings, asked, ask, onAnswer } = this.parts;
    this.all += requests.length;
    for (const request of requests) asked.add(requestKey(request));
    await inParallel(requests, mostInFlight, async (request) => {
      const found = findings.get(request.meter);
      if (found?.final.has(requestKey(request)) === false) await this.sendOne(found, request);
      this.done += 1;
      ask.onProgress?.(this.done, this.all);
      await onAnswer?.(request);
      await this.pause();
    });
  }

  private async takeOne(request: BalanceRequest): Promise<void> {
    const { reader, monitor, ask, joined, findings } = this.parts;
    if (ask.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
    const found = findings.get(request.meter);
    const kept = found === undefined ? null : await keptAnswer(reader, monitor.id, found.meter, request, ask);
    if (found === undefined || kept === null) return;
    found.responses.set(requestKey(request), withSlots(kept.answer, joined));
    if (kept.isFinal) found.final.add(requestKey(request));
  }

  /** One failure ends the requests for the meter, or, if it is permanent, this kind of request. */
  private async sendOne(found: Findings, request: BalanceRequest): Promise<void> {
    const { reader, monitor, ask, joined } = this.parts;
    const kind = nameRequestKind(request);
    if (found.isInterrupted || found.refused.has(kind)) return;
    // Kept responses need no request that would notice it.
    if (ask.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
    try {
      const answer = await readAnswer(reader, monitor.id, found.meter, request, ask);
      found.responses.set(requestKey(request), withSlots(answer, joined));
    } catch (thrown) {
      const error = toCemmError(thrown);
      if (error.code === 'CANCELLED' || isInternalFault(error)) throw error;
      // The month and the year of the monitor only verify the result.
      if (kind === 'series month' || kind === 'series year') return;
      found.failure ??= error;
      if (error.retryable) found.isInterrupted = true;
      else found.refused.add(kind);
    }
  }
}

/** Starts no more work after a failure. */
async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: most }, async () => {
    for (const item of rest) await work(item);
  });
  try {
    await Promise.all(workers);
  } finally {
    rest.return?.();
  }
}

function nameRequestKind(request: BalanceRequest): string {
  return request.kind === 'realtime' ? request.kind : `${request.kind} ${request.period.unit}`;
}
