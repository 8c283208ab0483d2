/** Moves the times of a recorded answer or delivery. */
import { isRecord } from '../checks/record';
import type { Exchange } from './recording';
import { movedTime, type MoveTime, unchanged } from './replacer';
import { type Field, ofDelivery, type Origin, findAnswerOrigin } from './known-fields';
import { Walk } from './walk';

/** The moves of readings, and of the slots of series. */
export interface Moves {
  readonly reading: MoveTime;
  readonly slots: MoveTime;
}

export function moveTimes(
  { path, query, answer }: Pick<Exchange, 'path' | 'query' | 'answer'>,
  moves: Moves,
): Exchange['answer'] {
  if (!('json' in answer)) return answer;
  const origin = findAnswerOrigin({ path, query });
  return { ...answer, json: moved(answer.json, origin, moves[origin.kind]) };
}

/** A delivery with a time of its own has readings; the result of the public API is a series. */
export function moveDelivery(body: unknown, moves: Moves): unknown {
  return moved(body, ofDelivery, isRecord(body) && 'time' in body ? moves.reading : moves.slots);
}

function moved(json: unknown, origin: Origin, move: MoveTime): unknown {
  const replacing = {
    ...unchanged,
    number: (value: number, { name }: Field) => movedTime(value, name, move) ?? value,
  };
  return new Walk(replacing, origin, () => (value) => value).run(json);
}
