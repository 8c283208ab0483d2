/** The state of one page: its viewers, what they look at, and the answers of the balance node. */
import type { BalancePayload } from '../../src/model/payload';
import { Answers } from './answers';
import type { DialogPath } from './dialog-path';
import { type Header, Outbox } from './outbox';
import { languageOf } from './page/languages';
import {
  type Failure,
  isReading,
  buildQuestionKey,
  type PageMessage,
  type PageSettings,
  pageVersion,
  type Question,
  type ViewerMessage,
} from './page/messages';
import { Questions, type SentQuestion } from './questions';
import type { Client } from './viewer-message';
import { Viewers } from './viewers';

/** A page that opens shows it at once, so it is kept whoever looks. */
const always = buildQuestionKey({ balance: 'now' });
/** Different questions that are asked; fewer than answers are kept, so that none is asked again because of the others. */
const mostAsked = 100;

/** A message, and the browser that it is for. */
export interface Addressed {
  readonly client: Client;
  readonly message: PageMessage;
}

export class PageState {
  private readonly viewers = new Viewers();
  private readonly answers = new Answers();
  private readonly questions = new Questions();
  private readonly outbox = new Outbox();
  private failure: Failure | null = null;
  private dialog: DialogPath | null = null;

  constructor(private readonly settings: PageSettings) {}

  /** @returns true if the browser asks little, and something that it has not asked before: it should not wait */
  noteSign(client: Client, message: ViewerMessage, now: number): boolean {
    const { language } = message;
    const ofNode = this.settings.language;
    const lacked = language === undefined || ofNode === '' ? language : languageOf(ofNode);
    const signed = this.viewers.noteSign(client, message, now);
    this.outbox.signed(client.socket, { ...signed, lacked }, now);
    if (signed.added.length === 0) return false;
    const waiting = this.viewers.listWants(client).filter(({ key }) => this.answers.isDue(key, now));
    return !this.questions.asksMuch(client, waiting.length, now);
  }

  /** True if the question of this id waits for an answer, and is of a browser that asks little. */
  isAwaited(id: unknown): boolean {
    return this.questions.isAwaited(id);
  }

  /**
   * An answer to a question of another node is ignored, as is one to a question that nobody asked.
   * @returns false if it is of another house than the shown one
   */
  addBalance(balance: BalancePayload, now: number): boolean {
    const { question } = balance;
    const key = isReading(balance) ? this.questions.keyFor(question) : this.questions.settle(question, now);
    if (key === null && balance.question !== undefined) return true;
    const isShown = this.answers.addAnswer(key, balance, now);
    if (isShown) this.failure = null;
    this.limit(now);
    return isShown;
  }

  /** @param id of the question; undefined: a poll has failed */
  fail(id: unknown, failure: Failure): void {
    const key = this.questions.settle(id, failure.at);
    // A deploy ends requests; they are sent again.
    if (failure.code === 'CANCELLED') return;
    if (key !== null) this.answers.fail(key, failure);
    else if (id === undefined) this.failure = failure;
    this.limit(failure.at);
  }

  /** Counts the requests for a question. The next message has the number: there may be hundreds of requests. */
  progress(id: unknown, done: number, all: number, now: number): void {
    const key = this.questions.keyFor(id);
    if (key !== null) this.answers.progress(key, [done, all], now);
  }

  applyDeploy(dialog: DialogPath | null): void {
    this.dialog = dialog;
    this.answers.deployed();
    this.questions.deployed();
    this.outbox.deployed();
  }

  /** Nothing while nobody looks. */
  due(now: number): SentQuestion[] {
    const wanted = this.viewers.wanted(now).filter(({ question }) => this.isOffered(question));
    const asked = new Set([...new Set(wanted.map(({ key }) => key))].slice(0, mostAsked));
    const isDue = (key: string): boolean => asked.has(key) && this.answers.isDue(key, now);
    return this.questions.next(wanted, isDue, now);
  }

  /** One for each viewer for whom there is something new. */
  messages(now: number): Addressed[] {
    const viewers = this.viewers.living(now);
    const { settings, dialog, failure } = this;
    const hasPath = dialog !== null && (dialog.isExample || this.answers.hasUnknownMeter);
    const header: Header = {
      page: pageVersion,
      settings,
      ...(hasPath && { dialog: dialog.path }),
      ...this.answers.place,
      ...(failure !== null && { failure }),
    };
    this.outbox.forgetOthers(viewers);
    return viewers.flatMap((viewer) => {
      const message = this.outbox.next(viewer, { header, answerTo: (key) => this.answers.get(key) }, now);
      return message === null ? [] : [{ client: viewer.client, message }];
    });
  }

  viewerCount(now: number): number {
    return this.viewers.count(now);
  }

  private limit(now: number): void {
    this.answers.limit([always, ...this.viewers.wanted(now).map(({ key }) => key)]);
  }

  private isOffered({ balance }: Question): boolean {
    return balance !== 'bill' || this.settings.views.includes('bill');
  }
}
