/** The rule of the battery against the optimum in 100 weeks of two simulated households: the table of docs/evidence/balance.md. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { distancesOf, distanceTable, weeksOf } from '../../support/balance/battery-weeks';

describe('the rule of the battery in 100 weeks', function () {
  this.timeout(300_000);

  it('is never above the optimum, and as far below it as the page says', () => {
    const distances = distancesOf(weeksOf([7, 8]));
    should(distances.every(({ isNeverAbove }) => isNeverAbove)).be.true();
    readFileSync('docs/evidence/balance.md', 'utf8').should.containEql(distanceTable(distances));
  });
});
