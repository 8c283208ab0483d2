/** A list has an entry for every requested index (src/balance/meters/entries.ts). */
import should from 'should';
import { getEntry } from '../../../src/balance/meters/entries';

describe('an entry of a list', () => {
  it('is returned by index, even NaN', () => {
    getEntry([3, 4], 1).should.equal(4);
    should(getEntry(new Float64Array([NaN]), 0)).be.NaN();
  });

  it('throws a RangeError if there is none', () => {
    should(() => getEntry(new Float64Array(2), 2)).throw(RangeError);
    should(() => getEntry([], 0)).throw('no entry 0 in a list of 0');
  });
});
