/** Asks a balance node for what viewers look at: each question once until it is answered, has failed or is 60 s old. */
import { randomBytes } from 'node:crypto';
import { compareShares, FairShare } from './fair-share';
import type { Question } from './page/messages';
import type { Client } from './viewer-message';
import type { Wanted } from './viewers';

export interface SentQuestion extends Question {
  /** Repeated in the answer. Nobody can guess it. */
  question: string;
  /** True: the answer comes at once with what is known, and again as it grows. */
  progress?: true;
}

interface Sent {
  readonly id: string;
  readonly sentAt: number;
  readonly client: Client;
  readonly asksMuch: boolean;
}

/** A question that has become 60 s old so many times, and when it may be sent again. */
interface Unanswered {
  readonly times: number;
  readonly until: number;
}

const unansweredMs = 60_000;
const longestPauseMs = 15 * 60_000;
const mostKnown = 256;
const idBytes = 18;

/** After a question of a browser that asks much, others of such wait for this many times as long as it took. */
const restFactor = 9;
const longestRestMs = 60_000;

/** A balance node reads these beside the others, so one of each kind is asked at a time. */
const lanes = ['short', 'month', 'long'] as const;
type Lane = (typeof lanes)[number];

export class Questions {
  private readonly inFlight = new Map<Lane, Sent>();
  /** When browsers that ask much may ask again while others look: one question at a time, whatever its lane, as one monitor answers all. */
  private restUntil = 0;
  /** Id → key. */
  private readonly known = new Map<string, string>();
  private readonly unanswered = new Map<string, Unanswered>();
  private readonly share = new FairShare();

  /**
   * The questions to send now; of two viewers, that of the one who asked less comes first.
   * @param wanted in the order in which addresses and viewers take turns
   */
  next(wanted: readonly Wanted[], isDue: (key: string) => boolean, now: number): SentQuestion[] {
    this.giveUp(now);
    const due = wanted.filter(({ key }) => isDue(key) && now >= (this.unanswered.get(key)?.until ?? 0));
    const shares = this.share.shares(
      due.map(({ client }) => client),
      now,
    );
    const isAlone = new Set(wanted.map(({ client }) => client.socket)).size < 2;
    return lanes.flatMap((lane) => {
      if (this.inFlight.has(lane)) return [];
      const isBusy = [...this.inFlight.values()].some(({ asksMuch }) => asksMuch);
      const isResting = !isAlone && (isBusy || now < this.restUntil);
      const [next] = due
        .filter(({ question }) => lanesOf[question.balance] === lane)
        .flatMap((want) => {
          const share = shares.get(want.client.socket);
          return share === undefined || (isResting && share.asksMuch) ? [] : [{ ...want, share }];
        })
        .sort((a, b) => compareShares(a.share, b.share));
      if (next === undefined) return [];
      const { key, question, client, share } = next;
      const id = this.idOf(key);
      this.inFlight.set(lane, { id, client, sentAt: now, asksMuch: share.asksMuch });
      return [{ ...question, question: id, ...(isOfLongPeriod(question) && { progress: true }) }];
    });
  }

  /** Null if this page has not asked it. */
  keyFor(id: unknown): string | null {
    return (typeof id === 'string' ? this.known.get(id) : undefined) ?? null;
  }

  /** @param waiting questions of this browser that wait */
  asksMuch(client: Client, waiting: number, now: number): boolean {
    return this.share.asksMuch(client, waiting, now);
  }

  /** True if the question is in flight, and of a browser that asks little. */
  isAwaited(id: unknown): boolean {
    return [...this.inFlight.values()].some((sent) => sent.id === id && !sent.asksMuch);
  }

  /** The key of an answered or failed question; null if this page has not asked it. */
  settle(id: unknown, now: number): string | null {
    const key = this.keyFor(id);
    if (key === null) return null;
    for (const [lane, sent] of this.inFlight) if (sent.id === id) this.endQuestion(lane, sent, now);
    this.unanswered.delete(key);
    return key;
  }

  /** A deploy ends what is in flight. */
  deployed(): void {
    this.inFlight.clear();
    this.unanswered.clear();
  }

  private endQuestion(lane: Lane, { sentAt, client, asksMuch }: Sent, now: number): void {
    this.inFlight.delete(lane);
    const tookMs = now - sentAt;
    this.share.charge(client, { tookMs, asksMuch }, now);
    if (asksMuch) this.restUntil = now + Math.min(restFactor * tookMs, longestRestMs);
  }

  private giveUp(now: number): void {
    for (const [lane, sent] of this.inFlight) {
      if (now - sent.sentAt < unansweredMs) continue;
      this.endQuestion(lane, sent, now);
      const key = this.known.get(sent.id) ?? '';
      const times = (this.unanswered.get(key)?.times ?? 0) + 1;
      const pause = Math.min(unansweredMs * (2 ** (times - 1) - 1), longestPauseMs);
      this.unanswered.set(key, { times, until: now + pause });
    }
  }

  /** The same question keeps its id, so that an answer that comes late is known. */
  private idOf(key: string): string {
    const [before] = [...this.known].find(([, known]) => known === key) ?? [];
    const id = before ?? randomBytes(idBytes).toString('base64url');
    this.known.delete(id);
    this.known.set(id, key);
    const [oldest = ''] = this.known.keys();
    if (this.known.size > mostKnown) {
      this.unanswered.delete(this.known.get(oldest) ?? '');
      this.known.delete(oldest);
    }
    return id;
  }
}

const lanesOf: Readonly<Record<Question['balance'], Lane>> = {
  now: 'short',
  day: 'short',
  week: 'month',
  month: 'month',
  year: 'long',
  bill: 'long',
  prices: 'short',
};

function isOfLongPeriod({ balance }: Question): boolean {
  return lanesOf[balance] !== 'short' && balance !== 'bill';
}
