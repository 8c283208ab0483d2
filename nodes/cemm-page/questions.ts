/** Asks a balance node for what viewers look at: each question once until it is answered, has failed or is 60 s old. */
import { createHash } from 'node:crypto';
import type { Question } from './page/messages';

export interface SentQuestion extends Question {
  /** Repeated in the answer. */
  question: string;
}

interface Sent {
  readonly id: string;
  readonly sentAt: number;
}

/** A question that has become 60 s old so many times, and when it may be sent again. */
interface Unanswered {
  readonly times: number;
  readonly until: number;
}

const unansweredMs = 60_000;
const longestPauseMs = 15 * 60_000;
const mostKnown = 256;

/** A balance node reads these beside the others, so one of each kind is asked at a time. */
const lanes = ['short', 'long'] as const;
type Lane = (typeof lanes)[number];

export class Questions {
  private readonly inFlight = new Map<Lane, Sent>();
  /** Id → key. */
  private readonly known = new Map<string, string>();
  private readonly unanswered = new Map<string, Unanswered>();

  /** @param nodeId so that two pages may use one balance node */
  constructor(private readonly nodeId: string) {}

  /** The questions to send now. */
  next(wants: ReadonlyMap<string, Question>, isDue: (key: string) => boolean, now: number): SentQuestion[] {
    this.giveUp(now);
    return lanes.flatMap((lane) => {
      if (this.inFlight.has(lane)) return [];
      const found = [...wants].find(
        ([key, question]) => laneOf(question) === lane && isDue(key) && now >= (this.unanswered.get(key)?.until ?? 0),
      );
      if (found === undefined) return [];
      const [key, question] = found;
      const id = this.remember(key);
      this.inFlight.set(lane, { id, sentAt: now });
      return [{ ...question, question: id }];
    });
  }

  /** Null if this page has not asked it. */
  keyFor(id: unknown): string | null {
    return (typeof id === 'string' ? this.known.get(id) : undefined) ?? null;
  }

  /** The key of an answered or failed question; null if this page has not asked it. */
  settle(id: unknown): string | null {
    const key = this.keyFor(id);
    if (key === null) return null;
    for (const [lane, sent] of this.inFlight) if (sent.id === id) this.inFlight.delete(lane);
    this.unanswered.delete(key);
    return key;
  }

  /** A deploy ends what is in flight. */
  deployed(): void {
    this.inFlight.clear();
    this.unanswered.clear();
  }

  private giveUp(now: number): void {
    for (const [lane, { id, sentAt }] of this.inFlight) {
      if (now - sentAt < unansweredMs) continue;
      this.inFlight.delete(lane);
      const key = this.known.get(id) ?? '';
      const times = (this.unanswered.get(key)?.times ?? 0) + 1;
      const pause = Math.min(unansweredMs * (2 ** (times - 1) - 1), longestPauseMs);
      this.unanswered.set(key, { times, until: now + pause });
    }
  }

  private remember(key: string): string {
    const id = `${this.nodeId}/${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
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

function laneOf({ balance }: Question): Lane {
  return balance === 'now' || balance === 'day' ? 'short' : 'long';
}
