/** The answers that the page shows, all of one house. */
import { identifiedBy, isSameMonitor } from '../../src/balance/messages/house-identity';
import { findOrigin, type Origin } from '../../src/model/identity';
import type { BalancePayload } from '../../src/model/payload';
import { withPowerOnly } from './minutes';
import { withoutNightUse } from './night';
import { type Answer, type Failure, isReading, buildQuestionKey, lastOf } from './page/messages';

const mostAnswers = 128;
const mostBytes = { ofAnswer: 512 * 1024, ofAll: 8 * 1024 * 1024 } as const;
/** Silence after which another house may follow without a deploy. */
const silentMs = 60_000;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
/** A current balance also arrives by itself, at the interval of its node. */
const nowMs = minuteMs;
/** Age at which a balance of a current period is asked for again. */
const currentMs = {
  day: 5 * minuteMs,
  week: 15 * minuteMs,
  month: 15 * minuteMs,
  year: 15 * minuteMs,
  range: 60 * minuteMs,
} as const;
/** Prices of tomorrow are published once a day; the question costs no request to a monitor. */
const pricesMs = 15 * minuteMs;
const pricesKey = buildQuestionKey({ balance: 'prices' });
/** Silence after which a period that is still read is asked for again. */
const readingMs = minuteMs;
/** Age at which an incomplete balance of a period that is over is asked for again. */
const incompleteMs = 30 * minuteMs;
const firstPauseMs = minuteMs;
const longestPauseMs = 15 * minuteMs;

/** An answer as it was at some time. */
export interface Version {
  readonly answer: Answer;
  /** Another number for each change. */
  readonly version: number;
  /** The length of its text. */
  readonly bytes: number;
}

interface Kept extends Version {
  /** When the answer was kept, epoch ms. */
  readonly keptAt: number;
  /** When the question is due again, epoch ms. */
  readonly dueAt: number;
  /** Consecutive failures. */
  readonly failures: number;
}

export class Answers {
  /** By key; the one that was kept longest ago is the first. */
  private readonly kept = new Map<string, Kept>();
  private versions = 0;
  /** The name of the shown house, which stays while more of its monitor becomes known. */
  private house: string | null = null;
  private shown: Origin | null = null;
  private seenAt = 0;
  private timezone: string | null = null;
  private mayChange = true;

  get place(): { house: string | null; timezone: string | null } {
    return { house: this.house, timezone: this.timezone };
  }

  /** True if a balance names a meter whose role is not known. */
  get hasUnknownMeter(): boolean {
    return [...this.kept.values()].some(({ answer }) => lastOf(answer)?.unknownMeters !== undefined);
  }

  /** After a deploy the first balance decides which house is shown. */
  deployed(): void {
    this.mayChange = true;
    for (const [key, kept] of this.kept) this.kept.set(key, { ...kept, dueAt: 0 });
  }

  /**
   * @param key of the question; null: nobody asked
   * @returns false if the balance is of another house than the shown one
   */
  addAnswer(key: string | null, balance: BalancePayload, now: number): boolean {
    // Prices are of the node, whatever house it reads.
    if (key !== pricesKey && !this.isOfHouse(balance, now)) return false;
    this.timezone = balance.timezone ?? this.timezone;
    const unasked = balance.period === undefined ? buildQuestionKey({ balance: 'now' }) : null;
    const place = key ?? unasked;
    if (place === null) return true;
    // Its id is of the node and of nobody else.
    const shown = withPowerOnly(withoutNightUse(balance));
    delete shown.question;
    const before = this.kept.get(place)?.answer;
    // A part never takes the place of a whole answer, which is about to be replaced.
    if (isReading(balance) && isWholeAnswer(before)) return true;
    const since = isReading(balance) ? { since: sinceOf(before) ?? now } : {};
    const answer: Answer = { state: 'answered', balance: shown, at: now, ...since };
    if (bytesOf(answer) > mostBytes.ofAnswer) this.fail(place, { code: 'TOO_LARGE', message: '', at: now });
    else {
      const due = place === pricesKey ? now + pricesMs : dueAt(balance, now);
      this.keep(place, answer, { keptAt: now, dueAt: due, failures: 0 });
    }
    return true;
  }

  /** A shown balance stays beside the failure, and is asked for again. */
  fail(key: string, failure: Failure): void {
    const before = this.kept.get(key);
    const failures = (before?.failures ?? 0) + 1;
    const balance = lastOf(before?.answer);
    const answer: Answer = { state: 'failed', ...failure, ...(balance !== null && { balance }) };
    this.keep(key, answer, { keptAt: failure.at, dueAt: failure.at + pauseMs(failures), failures });
  }

  /** Nothing where an answer of before is shown. */
  progress(key: string, progress: readonly [number, number], now: number): void {
    const kept = this.kept.get(key)?.answer;
    if (kept !== undefined && kept.state !== 'waiting') return;
    this.keep(key, { state: 'waiting', since: kept?.since ?? now, progress }, { keptAt: now, dueAt: 0, failures: 0 });
  }

  isDue(key: string, now: number): boolean {
    const kept = this.kept.get(key);
    // An answer of the future was kept before the clock was set back.
    return kept === undefined || now >= kept.dueAt || now < kept.keptAt;
  }

  /** Null before there is one. */
  get(key: string): Version | null {
    return this.kept.get(key) ?? null;
  }

  /**
   * Forgets answers above the limits: first those that nobody looks at, then those at the end of the list.
   * @param wanted keys, in the order in which viewers and addresses take turns
   */
  limit(wanted: readonly string[]): void {
    const isWanted = new Set(wanted);
    const unwanted = [...this.kept.keys()].filter((key) => !isWanted.has(key));
    const order = [...unwanted, ...[...isWanted].reverse()].filter((key) => this.kept.has(key));
    let bytes = [...this.kept.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const key of order) {
      if (this.kept.size <= mostAnswers && bytes <= mostBytes.ofAll) return;
      bytes -= this.kept.get(key)?.bytes ?? 0;
      this.kept.delete(key);
    }
  }

  private isOfHouse(balance: BalancePayload, now: number): boolean {
    const house = findOrigin(balance) ?? '';
    const { shown } = this;
    if (shown !== null && (house === this.house || isSameMonitor(shown, balance))) {
      this.shown = identifiedBy(shown, balance);
    } else {
      if (!this.mayChange && now - this.seenAt < silentMs) return false;
      this.kept.clear();
      this.house = house;
      this.shown = { monitor: balance.monitor, installation: balance.installation };
      this.timezone = null;
    }
    this.seenAt = now;
    this.mayChange = false;
    return true;
  }

  private keep(key: string, answer: Answer, entry: Omit<Kept, keyof Version>): void {
    this.versions += 1;
    this.kept.delete(key);
    this.kept.set(key, { ...entry, answer, version: this.versions, bytes: bytesOf(answer) });
  }
}

function bytesOf(answer: Answer): number {
  return Buffer.byteLength(JSON.stringify(answer));
}

function isWholeAnswer(answer: Answer | undefined): boolean {
  const balance = lastOf(answer);
  return balance !== null && !isReading(balance);
}

/** When it was asked, as far as it is not answered as a whole. */
function sinceOf(answer: Answer | undefined): number | undefined {
  return answer === undefined || answer.state === 'failed' ? undefined : answer.since;
}

function dueAt(balance: BalancePayload, now: number): number {
  const { period, complete } = balance;
  if (period === undefined) return now + nowMs;
  if (isReading(balance)) return now + readingMs;
  // A bill of days that are over goes on changing with the prices of the node.
  if (period.unit === 'range' && now >= period.end) return now + currentMs.range;
  if (now >= period.end) return complete ? Infinity : now + incompleteMs;
  return Math.min(now + currentMs[period.unit], Math.max(period.end, now + secondMs));
}

function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}
