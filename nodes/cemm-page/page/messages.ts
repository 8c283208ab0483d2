/** The messages between the page in a browser and its node. Both sides import this file. */
import type { BalancePayload } from '../../../src/model/payload';
import { shortHash } from './hash';
import type { Language, Texts } from './languages';
import type { DayStep, Unit, View } from './views';

/** A request to a balance node. */
export interface Question {
  /** A unit: of a period. Prices of today and tomorrow belong to no view. */
  balance: 'now' | Unit | 'bill' | 'prices';
  /** `2026-10-25`, `2026-10` or `2026`; absent: the current period. */
  date?: string;
  /** Length of the points of a day; absent: that of the balance node. */
  step?: DayStep;
  /** The hours of a year as well. */
  hours?: true;
  /** First and last day of a bill, both inclusive. */
  from?: string;
  to?: string;
  /** Prices of a bill until 2026 and from 2027; absent: those of the balance node. */
  prices?: unknown[];
  batteries_kwh?: number[];
}

export interface Failure {
  /** An error code of this package, or blank. */
  code: string;
  /** In the language of the connection. */
  message: string;
  /** Epoch ms, as all times of this file. */
  at: number;
}

export type Answer =
  /** With the number of requests for it that are done, and of all. */
  | { state: 'waiting'; since: number; progress?: readonly [number, number] }
  /** `since` when it was asked, while a long period is still read. */
  | { state: 'answered'; balance: BalancePayload; at: number; since?: number }
  /** With the last balance, if there is one. */
  | ({ state: 'failed'; balance?: BalancePayload } & Failure);

export interface PageSettings {
  views: View[];
  /** Blank: the language of the browser. */
  language: string;
  readings: boolean;
  changePrices: boolean;
}

export const pageVersion = 'cemm/page/1';

/** Node to the browser of one viewer, `msg.payload`, at most once a second. */
export interface PageMessage {
  page: typeof pageVersion;
  settings: PageSettings;
  /** Time zone of the house; null until its first balance. */
  timezone: string | null;
  /** Monitor or installation of all answers; null until the first balance. Viewers forget the answers of another house. */
  house: string | null;
  /** Path of the editor that opens the dialog of the connection; absent where nothing has to be entered in it. */
  dialog?: string;
  /** By `buildQuestionKey(question)`: what this viewer looks at, and what has changed since the last message to it. */
  answers: Record<string, Answer>;
  /** By language: the texts that this viewer lacked. */
  texts?: Partial<Record<Language, Texts>>;
  /** The last failure without a question, such as a monitor that is offline; absent after the next balance. */
  failure?: Failure;
}

/** Browser to node, `msg.payload`: a sign of life every 20 s and at each change. */
export interface ViewerMessage {
  viewer: string;
  /** In the order of importance. */
  wants: Question[];
  /** Its language, while it lacks the texts of it. */
  language?: Language;
  /** The page was closed. */
  gone?: true;
}

/** A long period that is known in part: its days are still read. */
export function isReading({ progress }: BalancePayload): boolean {
  return progress !== undefined && progress.done < progress.all;
}

/** The balance of an answer, also of one that has failed since. */
export function lastOf(answer: Answer | undefined): BalancePayload | null {
  return answer === undefined || answer.state === 'waiting' ? null : (answer.balance ?? null);
}

/** Names a question in the messages of one viewer. Prices may be long, so of a bill it is a hash. */
export function buildQuestionKey(question: Question): string {
  const { balance, date = '', step, hours } = question;
  return `${balance} ${date}${step ?? ''}${hours === true ? ' hours' : ''}${balance === 'bill' ? shortHash(billText(question)) : ''}`;
}

/** The parts that distinguish two bills. */
export function billText({ from, to, prices, batteries_kwh: batteries }: Question): string {
  return JSON.stringify([from, to, prices, batteries].map((part) => part ?? null));
}
