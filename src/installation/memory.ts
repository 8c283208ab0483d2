/**
 * What a connection may remember between two questions (reliability 6.4), and nothing else: the lists of monitors and of
 * I/Os for ten minutes, a 412 until the connection closes or the monitor's I/O list changes, and that the key was refused.
 */
import type { Answer } from '../clients/client';
import type { CemmError } from '../clients/errors';
import type { MonitorId } from '../wire/mac';
import type { Clock } from '../clients/clock';
import { monitorOf, questionKey, type AnswerTo, type Question } from './question';

export const INVENTORY_MS = 10 * 60_000;

/** Aliases come from messages: what a flow makes up must not fill the memory. */
const MOST_REFUSALS = 1_000;

type AnyAnswer = Answer<AnswerTo<Question>>;

interface Listed {
  readonly answer: AnyAnswer;
  /** Monotonic. */
  readonly at: number;
}

interface Unsupported {
  readonly question: Question;
  readonly error: CemmError;
}

export class Memory {
  private readonly lists = new Map<string, Listed>();
  private readonly unsupported = new Map<string, Unsupported>();
  private refusedKey: CemmError | null = null;

  constructor(private readonly clock: Clock) {}

  /** A list that is not older than that; null for all other questions. */
  recall(question: Question, maxAgeMs: number): AnyAnswer | null {
    const listed = this.lists.get(questionKey(question));
    return listed !== undefined && this.clock.monotonic() - listed.at < maxAgeMs ? listed.answer : null;
  }

  /** The 412 that this alias and endpoint gave, as an error of the caller's own. */
  refusal(question: Question): CemmError | null {
    return this.unsupported.get(endpointKey(question))?.error.copy() ?? null;
  }

  /** The 403 that the key gave, until any question succeeds. */
  get keyRefusal(): CemmError | null {
    return this.refusedKey?.copy() ?? null;
  }

  /** True when refusals were lifted by it: polls that they stopped may go on. */
  answered(question: Question, answer: AnyAnswer): boolean {
    let lifted = this.refusedKey !== null;
    this.refusedKey = null;
    if (question.kind === 'meters' && this.hasChanged(question, answer)) {
      lifted = this.forgetUnsupported(question.monitor) || lifted;
    }
    if (isList(question)) {
      this.lists.set(questionKey(question), { answer, at: this.clock.monotonic() });
    }
    return lifted;
  }

  failed(question: Question, error: CemmError): void {
    if (error.code === 'AUTH') this.refusedKey = error.copy();
    // Only the service's own word: a monitor that has just started may miss a meter that it has a minute later.
    if (error.status === 412) this.refuse(endpointKey(question), { question, error: error.copy() });
  }

  clear(): void {
    this.lists.clear();
    this.unsupported.clear();
    this.refusedKey = null;
  }

  private refuse(key: string, refusal: Unsupported): void {
    this.unsupported.set(key, refusal);
    const [oldest] = this.unsupported.keys();
    if (this.unsupported.size > MOST_REFUSALS && oldest !== undefined) this.unsupported.delete(oldest);
  }

  private hasChanged(question: Question, answer: AnyAnswer): boolean {
    const before = this.lists.get(questionKey(question))?.answer.value;
    return before !== undefined && JSON.stringify(before) !== JSON.stringify(answer.value);
  }

  private forgetUnsupported(monitor: MonitorId): boolean {
    const before = this.unsupported.size;
    for (const [key, { question }] of this.unsupported) {
      if (monitorOf(question) === monitor) this.unsupported.delete(key);
    }
    return this.unsupported.size < before;
  }
}

function isList({ kind }: Question): boolean {
  return kind === 'monitors' || kind === 'meters' || kind === 'identity' || kind === 'catalogue';
}

/** The question without its `time`: an alias that has no day today has none tomorrow. */
function endpointKey(question: Question): string {
  switch (question.kind) {
    case 'series':
      return JSON.stringify([question.kind, question.unit, question.monitor, question.alias]);
    case 'totals':
      return JSON.stringify([question.kind, question.monitor, question.alias]);
    case 'timeseries':
      return JSON.stringify([question.kind, question.monitor, question.channel]);
    case 'identity':
    case 'catalogue':
    case 'monitors':
    case 'meters':
    case 'meter':
    case 'realtime':
      return questionKey(question);
  }
}
