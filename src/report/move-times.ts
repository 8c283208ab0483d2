/** Moves the times of a recorded answer. */
import type { Exchange } from './recording';
import { movedTime } from './replacer';
import { originOf, Walk } from './walk';

/** @param by milliseconds for readings, and for series */
export function moveTimes(
  { path, query, answer }: Pick<Exchange, 'path' | 'query' | 'answer'>,
  by: { readonly reading: number; readonly slots: number },
): Exchange['answer'] {
  if (!('json' in answer)) return answer;
  const origin = originOf({ path, query });
  const replacing = {
    text: unchanged,
    memberName: unchanged,
    number: (value: number, name: string) => movedTime(value, name, by[origin.kind]) ?? value,
  };
  const walk = new Walk(replacing, origin, () => (value) => value);
  return { ...answer, json: walk.run(answer.json) };
}

function unchanged(text: string): string {
  return text;
}
