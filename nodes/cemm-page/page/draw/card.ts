/** A card with its answer, or with what it waits for. */
import type { BalancePayload } from '../../../../src/model/payload';
import { type Answer, type Failure, isReading, buildQuestionKey, lastOf, type Question } from '../messages';
import { type Choice, type Frame, hoursOf } from './choice';
import type { Card } from './drawn';
import type { Formats } from './numbers';
import type { Say, TextKey } from './texts';

/** All that a drawing function reads. */
export interface Sheet {
  readonly choice: Choice;
  readonly frame: Frame;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly questions: readonly Question[];
  readonly say: Say;
  readonly formats: Formats;
  /** BCP 47 tag of the language. */
  readonly tag: string;
}

const blank: Omit<Card, 'key' | 'title'> = {
  note: '',
  aside: '',
  state: '',
  progress: null,
  isFailure: false,
  isOld: false,
  isWide: false,
  isTitled: false,
  hero: null,
  sentence: '',
  flow: null,
  bullet: null,
  when: null,
  prices: null,
  tiles: [],
  chart: null,
  calendar: null,
  isCarpet: false,
  carpet: null,
  shares: null,
  table: null,
  notes: [],
};

export function cardOf(key: string, title: string, parts: Partial<Card> = {}): Card {
  return { ...blank, key, title, ...parts };
}

/** Null until it has arrived. */
export function balanceOf(sheet: Sheet, question: Question): BalancePayload | null {
  return lastOf(answerTo(sheet, question));
}

/** The newer one of a year and of the year with its hours, which has all of it. */
function answerTo({ answers }: Pick<Sheet, 'answers'>, question: Question): Answer | undefined {
  const answer = answers[buildQuestionKey(question)];
  const withHours = question.balance === 'year' ? answers[buildQuestionKey(hoursOf(question))] : undefined;
  if (withHours === undefined || withHours.state === 'waiting' || lastOf(withHours) === null) return answer;
  return answer === undefined || answer.state === 'waiting' || withHours.at >= answer.at ? withHours : answer;
}

const frequent: readonly TextKey[] = ['MONITOR_OFFLINE', 'NETWORK', 'AUTH', 'NOTHING_YET', 'NO_MOMENT'];

/** A frequent failure in the language of the page, any other one in that of the connection. */
export function failureText(say: Say, { code, message }: Failure): string {
  const known = frequent.find((one) => one === code);
  if (known === 'NOTHING_YET' || known === 'NO_MOMENT') return say(known);
  return say('noAnswer', known === undefined ? message || code : say(known));
}

/** The cards of an answer, the first one with its failure; without a balance, a card that says what it waits for. */
export function cardsOfAnswer(
  sheet: Sheet,
  question: Question,
  title: string,
  draw: (balance: BalancePayload) => Card[],
): Card[] {
  const { questions, say } = sheet;
  const key = buildQuestionKey(question);
  const answer = answerTo(sheet, question);
  const balance = balanceOf(sheet, question);
  const cards = balance === null ? [cardOf(key, title)] : draw(balance);
  if (answer?.state === 'failed') {
    const failure = failureText(say, answer);
    return cards.map((card, index) =>
      index > 0 ? card : { ...card, state: `${failure} ${card.state}`.trim(), isFailure: true },
    );
  }
  if (balance !== null && !isReading(balance)) return cards;
  if (balance?.progress !== undefined) {
    const { done, all } = balance.progress;
    const since = answer?.state === 'answered' ? answer.since : undefined;
    const left = since === undefined ? '' : timeLeft(sheet, since, [done, all]);
    const state = say('reading', title, say('ofDays', done, all)) + left;
    return cards.map((card, index) => (index > 0 ? card : { ...card, state, progress: [done, all] }));
  }
  const position = questions.findIndex((one) => buildQuestionKey(one) === key) + 1;
  const waiting = answer?.state === 'waiting' ? answer : undefined;
  const progress = waiting?.progress ?? null;
  const place = say('ofAll', ...(progress ?? [position, questions.length]));
  const left = waiting === undefined || progress === null ? '' : timeLeft(sheet, waiting.since, progress);
  return [cardOf(key, title, { state: say('reading', title, place) + left, progress, isWide: true })];
}

/** About how long it still takes, by the time that it took so far; blank for the first seconds and the last ones. */
function timeLeft({ say, frame }: Sheet, since: number, [done, all]: readonly [number, number]): string {
  const passed = (frame.moment - since) / 1000;
  const seconds = done === 0 || passed < 2 ? 0 : (passed / done) * (all - done);
  if (seconds < 5) return '';
  const text = seconds < 90 ? say('seconds', Math.round(seconds / 5) * 5) : say('minutes', Math.round(seconds / 60));
  return ` · ${say('left', text)}`;
}
