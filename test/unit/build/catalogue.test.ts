import should from 'should';
import { flatten, mergeCatalogues } from '../../../scripts/build/catalogue';

describe('catalogues', () => {
  it('are merged branch by branch', () => {
    mergeCatalogues({ a: { b: '1' }, c: '2' }, { a: { d: '3' } }).should.deepEqual({ a: { b: '1', d: '3' }, c: '2' });
  });

  it('may not give a sentence twice, or a sentence where another has a branch', () => {
    should(() => mergeCatalogues({ a: { b: '1' } }, { a: { b: '2' } })).throw('The sentence a.b is given twice.');
    should(() => mergeCatalogues({ a: 'x' }, { a: { b: '2' } })).throw('The sentence a is given twice.');
  });

  it('are flattened to the keys that code uses', () => {
    [...flatten({ a: { b: '1' }, c: '2' })].should.deepEqual([
      ['a.b', '1'],
      ['c', '2'],
    ]);
  });
});
