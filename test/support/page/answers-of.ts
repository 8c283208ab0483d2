/** The answers to all that the page asks for a choice. */
import { CemmError } from '../../../src/errors';
import { type Choice, firstChoice, questionsOf } from '../../../nodes/cemm-page/page/draw/choice';
import { type Answer, keyOf } from '../../../nodes/cemm-page/page/messages';
import { type HouseAnswers, zone } from './house-answers';

function failed(error: unknown, at: number): Answer {
  if (error instanceof CemmError) return { state: 'failed', code: error.code, message: error.message, at };
  throw error;
}

/** @param of changes an answer of the house */
export async function answersOf(
  house: HouseAnswers,
  chosen: Partial<Choice>,
  of: (answer: Answer & { state: 'answered' }) => Answer = (answer) => answer,
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const question of questionsOf({ ...firstChoice, ...chosen }, { moment: house.now, timezone: zone })) {
    answers[keyOf(question)] = await house.answer(question).then(
      (balance) => of({ state: 'answered', balance, at: house.now }),
      (error: unknown) => failed(error, house.now),
    );
  }
  return answers;
}
