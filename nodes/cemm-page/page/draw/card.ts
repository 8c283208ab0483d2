/** A card with its answer, or with what it waits for. */
import type { BalancePayload } from '../../../../src/model/payload';
import { type Answer, keyOf, type Question } from '../messages';
import type { Choice, Frame } from './choice';
import type { Card } from './drawn';
import type { Formats } from './numbers';
import type { Say } from './texts';

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
  const answer = answers[keyOf(question)];
  return answer?.state === 'answered' ? answer.balance : null;
}

/** The cards of an answer; without one, a card that says what it waits for. */
export function cardsOfAnswer(
  sheet: Sheet,
  question: Question,
  title: string,
  draw: (balance: BalancePayload) => Card[],
): Card[] {
  const { answers, questions, say } = sheet;
  const key = keyOf(question);
  const answer = answers[key];
  if (answer?.state === 'answered') return draw(answer.balance);
  if (answer?.state === 'failed') {
    return [cardOf(key, title, { state: say('noAnswer', answer.message || answer.code), isFailure: true })];
  }
  const position = questions.findIndex((one) => keyOf(one) === key) + 1;
  const place = say('ofAll', position, questions.length);
  return [cardOf(key, title, { state: say('reading', title, place) })];
}
