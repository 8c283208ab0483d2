/** Sends what is known of a long period while it is read: at once, and then at most every two seconds. */
import { periodsUntil, type Span } from '../../calendar/periods';
import type { Clock } from '../../time/clock';
import type { BalancePayload, BalanceProgress } from '../../model/payload';
import type { ReadHouse } from '../period/period-balance';
import type { HouseReading } from './house-reading';
import { type BalanceRequest, requestKey } from './plan';

export interface PartsOfAnswer {
  readonly toBalance: (house: ReadHouse) => BalancePayload | Promise<BalancePayload>;
  readonly send: (balance: BalancePayload) => void;
}

const leastMs = 2_000;
/** A slow computer spends at most this part of its time on the answers in between. */
const mostShare = 0.1;

export class Progress {
  /** Label of a day → the number of its requests, and the keys of those that are not answered. */
  private readonly open = new Map<string, { count: number; readonly keys: Set<string> }>();
  private notBefore = -Infinity;
  private isSending = false;

  constructor(
    private readonly reading: HouseReading,
    private readonly clock: Clock,
    private readonly parts: PartsOfAnswer,
  ) {}

  /** @param requests those that are not answered yet; the final ones count as answered */
  plan(requests: readonly BalanceRequest[]): void {
    this.open.clear();
    for (const request of requests) {
      if (request.kind === 'realtime' || request.period.unit !== 'day') continue;
      const key = requestKey(request);
      if (this.reading.findings.get(request.meter)?.final.has(key) === true) continue;
      const day = this.open.get(request.period.label) ?? { count: 0, keys: new Set<string>() };
      this.open.set(request.period.label, { count: day.count + 1, keys: day.keys.add(key) });
    }
  }

  /** Sends what has grown by the response to a request, if the last one was long enough ago. */
  async read(request: BalanceRequest): Promise<void> {
    this.close(request);
    if (!this.isSending && this.clock.monotonic() >= this.notBefore) await this.send();
  }

  private close(request: BalanceRequest): void {
    if (request.kind === 'realtime') return;
    const day = this.open.get(request.period.label);
    day?.keys.delete(requestKey(request));
    if (day?.keys.size === 0) this.open.delete(request.period.label);
  }

  /** The days that are not read; a day of which some meters are read counts in part. */
  private get openDays(): number {
    return [...this.open.values()].reduce((sum, { count, keys }) => sum + keys.size / count, 0);
  }

  /** Sends what is known. */
  async send(): Promise<void> {
    this.isSending = true;
    const begun = this.clock.monotonic();
    try {
      const { plan } = this.reading;
      const all = countDays(plan.period, plan.now);
      // Only the last answer has all days: until then something may still be asked.
      const done = Math.max(0, Math.floor(all - Math.max(1, this.openDays)));
      const house = this.reading.houseOf(await this.reading.meters());
      const balance = await this.parts.toBalance({ ...house, isStillRead: true });
      this.parts.send({ ...balance, complete: false, progress: { done, all, unit: 'day' } });
    } finally {
      const now = this.clock.monotonic();
      this.notBefore = Math.max(begun + leastMs, now + (now - begun) / mostShare);
      this.isSending = false;
    }
  }
}

/** The progress of an answer that is done. */
export function finishedProgress(period: Span, now: number): BalanceProgress {
  const all = countDays(period, now);
  return { done: all, all, unit: 'day' };
}

/** The days that have begun. */
function countDays(period: Span, now: number): number {
  return periodsUntil('day', period, Math.min(now, period.end)).length;
}
