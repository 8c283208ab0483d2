/** Texts of the other examples: a number slightly below 0 is rounded to 0. */
import { runInNewContext } from 'node:vm';
import should from 'should';
import { nodesOf, runFunction } from '../../support/docs/example-functions';

describe('the examples with a number slightly below 0', () => {
  it('show no negative zero in the tiles of house-balance', () => {
    const payload = { values: { self_sufficiency: 0 }, cost: { currency: 'EUR', total: -0.001 } };
    const [, cost] = runFunction('house-balance', 'cemm-house-shares', { payload }) as { payload: string }[];
    should(cost?.payload).equal('EUR 0.00');
  });

  it('show none in the tables of month-and-year-report', () => {
    const node = nodesOf('month-and-year-report').find(({ id }) => id === 'cemm-report-show') ?? {};
    const [, script = ''] = /export default ([^]*);\n<\/script>/.exec(String(Reflect.get(node, 'format'))) ?? [];
    const texts = runInNewContext(`(${script}).methods.texts`) as (this: object, values: number[]) => string[];
    should(Array.from(texts.call({ page: { texts: { lang: 'en-GB' } } }, [-0.001, 0.002]))).eql([
      '0.00',
      '0.00',
      '0.00',
    ]);
  });
});
