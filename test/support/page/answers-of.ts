/** The answers to all that the page asks for a choice. */
import { CemmError } from '../../../src/errors';
import { type Choice, firstChoice, questionsOf } from '../../../nodes/cemm-page/page/draw/choice';
import { type Answer, buildQuestionKey, type Question } from '../../../nodes/cemm-page/page/messages';
import type { BalancePayload } from '../../../src/model/payload';
import { withPowerOnly } from '../../../nodes/cemm-page/minutes';
import { withoutNightUse } from '../../../nodes/cemm-page/night';
import { failureIn } from '../../../nodes/cemm-page/failure';
import { toNodeError } from '../../../nodes/lib/run/node-error';
import { zone } from './house-answers';

/** A house at one moment. */
export interface AnsweringHouse {
  readonly now: number;
  answer(question: Question): Promise<BalancePayload>;
}

function toFailedAnswer(error: unknown, at: number): Answer {
  if (!(error instanceof CemmError)) throw error;
  const failure = failureIn({ error: toNodeError(error, () => null) }, at);
  if (failure === null) throw error;
  return { state: 'failed', ...failure };
}

/**
 * As the node sends them.
 * @param of changes an answer of the house
 */
export async function answersOf(
  house: AnsweringHouse,
  chosen: Partial<Choice>,
  of: (answer: Answer & { state: 'answered' }, question: Question) => Answer = (answer) => answer,
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const question of questionsOf({ ...firstChoice, ...chosen }, { moment: house.now, timezone: zone })) {
    answers[buildQuestionKey(question)] = await house.answer(question).then(
      (balance) => of({ state: 'answered', balance: withPowerOnly(withoutNightUse(balance)), at: house.now }, question),
      (error: unknown) => toFailedAnswer(error, house.now),
    );
  }
  return answers;
}
