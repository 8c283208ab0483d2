/** Makes of choice and answers what is drawn. */
import { type Answer, keyOf, type PageMessage } from '../messages';
import { type Choice, type Frame, questionsOf } from './choice';
import type { Drawn } from './drawn';

export interface DrawInput {
  readonly choice: Choice;
  readonly frame: Frame;
  /** By `keyOf(question)`. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly message: PageMessage;
  readonly language: string;
}

export function draw({ choice, frame, answers, message, language }: DrawInput): Drawn {
  return {
    language,
    views: message.settings.views.map((key) => ({ key, isChosen: key === choice.view })),
    date: choice.date ?? '',
    rows: questionsOf(choice, frame).map((question) => ({
      key: keyOf(question),
      text: textOf(answers[keyOf(question)]),
    })),
    failure: message.failure?.message ?? '',
  };
}

function textOf(answer: Answer | undefined): string {
  if (answer === undefined || answer.state === 'waiting') return '…';
  if (answer.state === 'failed') return answer.message;
  const { values } = answer.balance;
  const value = values['power_house_w'] ?? values['energy_house_kwh'] ?? null;
  return value === null ? '–' : value.toFixed(1);
}
