/**
 * Bills of random contracts in random houses, beside a slow, independent program (test/support/bills). CEMM_CONTRACT_SEED begins with
 * another bill; `npm run campaign -- contracts` has 2,000 contracts.
 */
import should from 'should';
import { billAtRandom, contractsOfBill } from '../../support/bills/random-bill';

const contracts = Number(process.env['CEMM_CONTRACTS'] ?? 30);
const first = Number(process.env['CEMM_CONTRACT_SEED'] ?? 1);

describe('bills of random contracts', function () {
  // 2,000 contracts take a quarter of an hour.
  this.timeout(0);

  it(`are right or have a mark, and their months add up: ${contracts} contracts from seed ${first}`, async () => {
    const before = process.cpuUsage();
    const broken: string[] = [];
    let [exact, seed] = [0, first];
    for (let count = 0; count < contracts; count += contractsOfBill, seed += 1) {
      const bill = await billAtRandom(seed);
      broken.push(...bill.broken);
      exact += bill.exact;
    }
    const { user, system } = process.cpuUsage(before);
    console.log(
      `      ${contracts} contracts, ${exact} without a mark: ${((user + system) / 1e6).toFixed(1)} s of processor time`,
    );
    should(broken).deepEqual([]);
    exact.should.be.above(contracts / 5);
  });
});
