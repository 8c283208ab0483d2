/** Large and deep parts of a message of a browser are left out before anything is made of them. */
import should from 'should';
import { readViewerMessage } from '../../../nodes/cemm-page/viewer-message';

const read: (payload: unknown, mayPrice: boolean) => unknown = readViewerMessage;
const many = 300_000;

describe('a message of a browser', () => {
  const prices: Readonly<Record<string, unknown>> = {
    'a list of numbers': [Array.from({ length: many }, () => 0)],
    'lists in a list': [Array.from({ length: many }, () => [0])],
    'an object of names': [Object.fromEntries(Array.from({ length: many / 2 }, (_, index) => [`n${index}`, 1]))],
    'many levels': [JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown],
  };
  for (const [what, given] of Object.entries(prices)) {
    it(`OV11: is read without its prices: ${what}`, () => {
      const payload = { viewer: 'v', wants: [{ balance: 'bill', from: '2026-01', prices: given }] };
      should(read(payload, true)).eql({ viewer: 'v', wants: [{ balance: 'bill', from: '2026-01' }] });
    });
  }
});
