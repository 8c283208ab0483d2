/** Bills of hand-made contracts, computed by src/balance and by a slow, independent program (test/support/bills). */
import should from 'should';
import { holdBill, readBill } from '../../support/bills/compared';
import { contracts } from '../../support/bills/contracts';

describe('the bills of hand-made contracts', function () {
  this.timeout(120_000);

  it('are at least forty, each with a name of its own', () => {
    contracts.length.should.be.aboveOrEqual(40);
    new Set(contracts.map(({ name }) => name)).size.should.equal(contracts.length);
  });

  for (const contract of contracts) {
    it(`are those of the naive program in a year, a month and the days on which clocks change: ${contract.name}`, () => {
      const { year } = contract.household;
      const dates = year === '2027' ? ['03', '03-28', '10-31'] : ['02', '02-29', '12-31'];
      for (const label of [year, ...dates.map((date) => `${year}-${date}`)]) holdBill(contract, label);
    });
  }

  it('are those of a calculator for a house of 2,021 and 3,078 kWh, with feed-in costs of 0, 5 and 10 cents', () => {
    const houses = contracts.filter(({ name }) => name.includes('2,021'));
    const bills = houses.map((contract) => readBill(contract, '2027').cost);
    should(bills.map((cost) => cost?.netted)).deepEqual([56.65, 210.55, 364.45]);
    const withoutFee = bills[0]?.total ?? 0;
    withoutFee.should.equal(460.85);
    // What the end of netting costs where the fee goes with it.
    const differences = bills.map((cost) => Math.round((withoutFee - (cost?.netted ?? 0)) * 100) / 100);
    should(differences).deepEqual([404.2, 250.3, 96.4]);
    should(bills.map((cost) => cost?.total)).deepEqual([460.85, 614.75, 768.65]);
  });
});
