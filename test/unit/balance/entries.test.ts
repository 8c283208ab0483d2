/** A list has an entry for every requested index (src/balance/meters/entries.ts). */
import should from 'should';
import { entryOf } from '../../../src/balance/meters/entries';

describe('an entry of a list', () => {
  it('is the one at its index, a number that is none included', () => {
    entryOf([3, 4], 1).should.equal(4);
    should(entryOf(new Float64Array([NaN]), 0)).be.NaN();
  });

  it('is a fault of this package where there is none, and no number that is made up', () => {
    should(() => entryOf(new Float64Array(2), 2)).throw(RangeError);
    should(() => entryOf([], 0)).throw('no entry 0 in a list of 0');
  });
});
