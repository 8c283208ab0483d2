/** Maps that keep their most recent entries only (src/checks/set-recent.ts). */
import should from 'should';
import { setRecent } from '../../src/checks/set-recent';

describe('the most recent entries of a map', () => {
  it('delete the one that was not set for the longest time', () => {
    const map = new Map<string, number>();
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const) {
      setRecent(map, key, value, 2);
    }
    should([...map]).deepEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });
});
