/** The state of one page: its viewers, what they look at, and the answers of the balance node. */
import type { BalancePayload } from '../../src/model/payload';
import { Answers } from './answers';
import {
  type Failure,
  keyOf,
  type PageMessage,
  type PageSettings,
  pageVersion,
  type Question,
  type ViewerMessage,
} from './page/messages';
import { Questions, type SentQuestion } from './questions';
import { Viewers } from './viewers';

/** The current balance is in every message, so that a page that opens shows it at once. */
const always = keyOf({ balance: 'now' });

export class PageState {
  private readonly viewers = new Viewers();
  private readonly answers = new Answers();
  private readonly questions: Questions;
  private failure: Failure | null = null;
  private dialog: string | null = null;
  private hasNews = true;

  constructor(
    private readonly settings: PageSettings,
    nodeId: string,
  ) {
    this.questions = new Questions(nodeId);
  }

  sign(message: ViewerMessage, now: number): void {
    if (this.viewers.sign(message, now)) this.hasNews = true;
  }

  /** @returns false if it is of another house than the shown one */
  take(balance: BalancePayload, now: number): boolean {
    const isShown = this.answers.take(this.questions.settle(balance.question), balance, now);
    if (isShown) {
      this.failure = null;
      this.hasNews = true;
    }
    return isShown;
  }

  /** @param id of the question; undefined: a poll has failed */
  fail(id: unknown, failure: Failure): void {
    const key = this.questions.settle(id);
    // A deploy ends requests; they are sent again.
    if (failure.code === 'CANCELLED') return;
    if (key === null) this.failure = failure;
    else this.answers.fail(key, failure);
    this.hasNews = true;
  }

  /** Counts the requests for a question. The next message has the number: there may be hundreds of requests. */
  progress(id: unknown, done: number, all: number): void {
    const key = this.questions.keyFor(id);
    if (key !== null && this.answers.progress(key, done, all)) this.hasNews = true;
  }

  /** @param dialog see PageMessage */
  deployed(dialog: string | null): void {
    this.dialog = dialog;
    this.answers.deployed();
    this.questions.deployed();
    this.hasNews = true;
  }

  /** Nothing while nobody looks. */
  due(now: number): SentQuestion[] {
    const wants = new Map([...this.viewers.wants(now)].filter(([, question]) => this.isOffered(question)));
    return this.questions.next(wants, (key) => this.answers.isDue(key, now), now).map((one) => this.allowed(one));
  }

  /** Null without news. */
  message(now: number): PageMessage | null {
    if (!this.hasNews) return null;
    this.hasNews = false;
    const { settings, dialog } = this;
    return {
      ...{ page: pageVersion, settings },
      ...(dialog !== null && { dialog }),
      ...this.answers.place,
      answers: this.answers.shown(new Set([always, ...this.viewers.wants(now).keys()]), now),
      ...(this.failure !== null && { failure: this.failure }),
    };
  }

  viewerCount(now: number): number {
    return this.viewers.count(now);
  }

  private isOffered({ balance }: Question): boolean {
    return balance !== 'bill' || this.settings.views.includes('bill');
  }

  /** Without the setting, the prices are those of the balance node. */
  private allowed({ prices, ...question }: SentQuestion): SentQuestion {
    return prices !== undefined && this.settings.changePrices ? { ...question, prices } : question;
  }
}
