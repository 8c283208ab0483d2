import should from 'should';
import { catalogueText, flatten, mergeCatalogues } from '../../../scripts/build/catalogue';

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

  it('are written with sections in the other order for every second language', () => {
    const catalogue = { b: { d: '1', c: '2' }, a: '3' };
    catalogueText(catalogue, 'de').should.equal('{"a":"3","b":{"c":"2","d":"1"}}');
    catalogueText(catalogue, 'en-US').should.equal('{"b":{"c":"2","d":"1"},"a":"3"}');
    catalogueText(catalogue, 'fr').should.equal(catalogueText(catalogue, 'de'));
  });
});
