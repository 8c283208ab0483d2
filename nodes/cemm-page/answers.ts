/** The answers that the page shows, all of one house. */
import { originOf } from '../../src/model/identity';
import type { BalancePayload } from '../../src/model/payload';
import { type Answer, type Failure, keyOf, lastOf } from './page/messages';

const mostAnswers = 64;
/** Silence after which another house may follow without a deploy. */
const silentMs = 60_000;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
/** A current balance also arrives by itself, at the interval of its node. */
const nowMs = minuteMs;
/** Age at which a balance of a current period is asked for again. */
const currentMs = { day: 5 * minuteMs, month: 15 * minuteMs, year: 15 * minuteMs, range: 60 * minuteMs } as const;
/** Age at which an incomplete balance of a period that is over is asked for again. */
const incompleteMs = 30 * minuteMs;
const firstPauseMs = minuteMs;
const longestPauseMs = 15 * minuteMs;

interface Kept {
  readonly answer: Answer;
  /** When the question is due again, epoch ms. */
  readonly dueAt: number;
  /** Consecutive failures. */
  readonly failures: number;
}

export class Answers {
  private readonly kept = new Map<string, Kept>();
  private house: string | null = null;
  private seenAt = 0;
  private timezone: string | null = null;
  private mayChange = true;

  get place(): { house: string | null; timezone: string | null } {
    return { house: this.house, timezone: this.timezone };
  }

  /** After a deploy the first balance decides which house is shown. */
  deployed(): void {
    this.mayChange = true;
    for (const [key, { answer, failures }] of this.kept) this.kept.set(key, { answer, failures, dueAt: 0 });
  }

  /**
   * @param key of the question; null: nobody asked
   * @returns false if the balance is of another house than the shown one
   */
  take(key: string | null, balance: BalancePayload, now: number): boolean {
    if (!this.isOfHouse(balance, now)) return false;
    this.timezone = balance.timezone ?? this.timezone;
    const unasked = balance.period === undefined ? keyOf({ balance: 'now' }) : null;
    const place = key ?? unasked;
    if (place === null) return true;
    const answer: Answer = { state: 'answered', balance, at: now };
    this.keep(place, { answer, dueAt: dueAt(balance, now), failures: 0 });
    return true;
  }

  /** A shown balance stays beside the failure, and is asked for again. */
  fail(key: string, failure: Failure): void {
    const before = this.kept.get(key);
    const failures = (before?.failures ?? 0) + 1;
    const balance = lastOf(before?.answer);
    const answer: Answer = { state: 'failed', ...failure, ...(balance !== null && { balance }) };
    this.keep(key, { answer, dueAt: failure.at + pauseMs(failures), failures });
  }

  /** @returns false if the question does not wait, because an answer of before is shown */
  progress(key: string, done: number, all: number): boolean {
    const kept = this.kept.get(key);
    if (kept?.answer.state !== 'waiting') return false;
    this.kept.set(key, { ...kept, answer: { ...kept.answer, progress: [done, all] } });
    return true;
  }

  isDue(key: string, now: number): boolean {
    return now >= (this.kept.get(key)?.dueAt ?? 0);
  }

  /** The answers for a message to the browsers; a question without an answer waits from now on. */
  shown(keys: Iterable<string>, now: number): Record<string, Answer> {
    return Object.fromEntries(
      [...keys].map((key) => {
        if (!this.kept.has(key)) this.keep(key, { answer: { state: 'waiting', since: now }, dueAt: 0, failures: 0 });
        return [key, this.kept.get(key)?.answer ?? { state: 'waiting', since: now }];
      }),
    );
  }

  private isOfHouse(balance: BalancePayload, now: number): boolean {
    const house = originOf(balance) ?? '';
    if (house !== this.house) {
      if (!this.mayChange && now - this.seenAt < silentMs) return false;
      this.kept.clear();
      this.house = house;
      this.timezone = null;
    }
    this.seenAt = now;
    this.mayChange = false;
    return true;
  }

  private keep(key: string, entry: Kept): void {
    this.kept.delete(key);
    this.kept.set(key, entry);
    const [oldest = ''] = this.kept.keys();
    if (this.kept.size > mostAnswers) this.kept.delete(oldest);
  }
}

function dueAt({ period, complete }: BalancePayload, now: number): number {
  if (period === undefined) return now + nowMs;
  const isOver = now >= period.end && period.unit !== 'range';
  if (isOver) return complete ? Infinity : now + incompleteMs;
  return Math.min(now + currentMs[period.unit], Math.max(period.end, now + secondMs));
}

function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}
