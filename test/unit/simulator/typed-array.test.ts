import should from 'should';
import { increase, numberAt } from '../../../src/simulator/day-minutes';

describe('a column of numbers', () => {
  it('gives and takes numbers where it has them', () => {
    const column = Float64Array.of(1, 0, -2.5);
    should([numberAt(column, 0), numberAt(column, 1), numberAt(column, 2)]).eql([1, 0, -2.5]);
    increase(column, 2, 0.5);
    should([...column]).eql([1, 0, -2]);
  });

  it('says so where it has none, instead of counting from zero', () => {
    for (const index of [-1, 2, 0.5, NaN]) {
      should(() => numberAt(Uint8Array.of(1, 2), index)).throw(RangeError);
      should(() => {
        increase(Float64Array.of(1, 2), index, 1);
      }).throw(RangeError);
    }
  });
});
