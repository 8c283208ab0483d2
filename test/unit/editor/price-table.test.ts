/** The table of fixed prices in the dialog of a balance, and the JSON behind it. */
import should from 'should';
import { priceProblem, jsonOf, tableOf } from '../../../nodes/cemm-balance/price-table';
import { parsePrices } from '../../../src/balance/prices/prices';

const full = '{"currency":"EUR","import":{"t1":0.24,"t2":0.28},"export":0.05,"gas":1.3,"water":1.1,"per_day":1.2}';

describe('the table of prices', () => {
  it('shows fixed prices, and gives the same JSON back', () => {
    const table = tableOf(full);
    should(table?.rows.import).deepEqual({ first: '0.24', second: '0.28' });
    should(table?.rows.export).deepEqual({ first: '0.05', second: '' });
    should(table === null ? '' : jsonOf(table)).equal(full);
    should(priceProblem(full)).equal(null);
    parsePrices(JSON.parse(full), 'Europe/Amsterdam').currency.should.equal('EUR');
  });

  it('begins blank, leaves blank rows out, and takes a decimal comma', () => {
    const table = tableOf('');
    if (table === null) throw new Error('There is no table.');
    should(table.currency).equal('EUR');
    jsonOf(table).should.equal('{"currency":"EUR"}');
    const rows = { ...table.rows, import: { first: '0,25', second: '' } };
    jsonOf({ ...table, rows }).should.equal('{"currency":"EUR","import":0.25}');
  });

  it('is away for a list of prices, which is JSON only', () => {
    const list = '{"currency":"EUR","import":[{"start":"2026-06-15","value":0.2}]}';
    should(tableOf(list)).equal(null);
    should(priceProblem(list)).equal(null);
  });

  const flaws: readonly (readonly [string, string | object])[] = [
    ['{"currency":"EUR","imprt":0.3}', { unknown: 'imprt' }],
    ['{"currency":"EUR","import":{"t1":0.3,"t2":0.2,"t3":0.1}}', { unknown: 'import.t3' }],
    ['{"currency":"EUR","export":[{"start":"2026","ends":"2027","value":1}]}', { unknown: 'export[0].ends' }],
    ['{', 'json'],
    ['[]', 'json'],
    ['{"import":0.2}', 'currency'],
    ['{"currency":"Euros of ours"}', 'currency'],
    ['{"currency":"EUR","import":"much"}', 'import'],
    ['{"currency":"EUR","export":{"t1":0.1}}', 'export'],
    ['{"currency":"EUR","gas":[]}', 'gas'],
    ['{"currency":"EUR","per_day":"1"}', 'per_day'],
  ];
  for (const [json, flaw] of flaws) {
    it(`names what is wrong in ${json}`, () => {
      should(priceProblem(json)).deepEqual(flaw);
      if (flaw === 'json') return;
      should(() => parsePrices(JSON.parse(json), 'Europe/Amsterdam')).throw({ code: 'INPUT', reason: 'prices' });
    });
  }
});
