/** A card with its answer, or with what it waits for. */
import type { BalancePayload } from '../../../../src/model/payload';
import { type Answer, type Failure, keyOf, lastOf, type Question } from '../messages';
import type { Choice, Frame } from './choice';
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
}

const blank: Omit<Card, 'key' | 'title'> = {
  note: '',
  state: '',
  isFailure: false,
  isOld: false,
  isWide: false,
  sentence: '',
  scene: null,
  tiles: [],
  chart: null,
  table: null,
  notes: [],
};

export function cardOf(key: string, title: string, parts: Partial<Card> = {}): Card {
  return { ...blank, key, title, ...parts };
}

/** Null until it has arrived. */
export function balanceOf({ answers }: Sheet, question: Question): BalancePayload | null {
  return lastOf(answers[keyOf(question)]);
}

const frequent: readonly TextKey[] = ['MONITOR_OFFLINE', 'NETWORK', 'AUTH'];

/** A frequent failure in the language of the page, any other one in that of the connection. */
export function failureText(say: Say, { code, message }: Failure): string {
  const known = frequent.find((one) => one === code);
  return say('noAnswer', known === undefined ? message || code : say(known));
}

/** The cards of an answer, the first one with its failure; without a balance, a card that says what it waits for. */
export function cardsOfAnswer(
  sheet: Sheet,
  question: Question,
  title: string,
  draw: (balance: BalancePayload) => Card[],
): Card[] {
  const { answers, questions, say } = sheet;
  const key = keyOf(question);
  const answer = answers[key];
  const balance = lastOf(answer);
  const cards = balance === null ? [cardOf(key, title)] : draw(balance);
  if (answer?.state === 'failed') {
    const failure = failureText(say, answer);
    return cards.map((card, index) =>
      index > 0 ? card : { ...card, state: `${failure} ${card.state}`.trim(), isFailure: true },
    );
  }
  if (balance !== null) return cards;
  const position = questions.findIndex((one) => keyOf(one) === key) + 1;
  const progress = answer?.state === 'waiting' ? answer.progress : undefined;
  const place = say('ofAll', ...(progress ?? [position, questions.length]));
  return [cardOf(key, title, { state: say('reading', title, place) })];
}
