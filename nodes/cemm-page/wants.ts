/** A question of a viewer, with its names: one for the messages to that viewer, and one for everything that is kept. */
import { createHash } from 'node:crypto';
import { billText, buildQuestionKey, type Question } from './page/messages';

export interface Want {
  /** Different questions have different keys, whoever invents them: of a bill it is a SHA-256. */
  readonly key: string;
  /** `buildQuestionKey(question)`. */
  readonly name: string;
  readonly question: Question;
  /** Memory that it takes, about. */
  readonly bytes: number;
}

export function wantOf(question: Question): Want {
  const name = buildQuestionKey(question);
  if (question.balance !== 'bill') return { key: name, name, question, bytes: 2 * name.length };
  const text = billText(question);
  const key = `bill ${createHash('sha256').update(text).digest('base64url')}`;
  return { key, name, question, bytes: 2 * (key.length + text.length) };
}

/** The first of each list, then the second of each, and so on. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, place) => place).flatMap((place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  );
}
