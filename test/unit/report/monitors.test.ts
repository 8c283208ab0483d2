/** The reports in test/monitors: every later version reads their answers. `npx tsx scripts/report.ts FILE` adds one. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { madeOf } from '../../../src/report/report';
import { readReport } from '../../../src/report/read-report';
import { balancesOf, seenInReport } from '../../support/houses/reported-monitor';

const folder = path.join(__dirname, '../../monitors');

describe('reports of monitors', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const report = readReport(readFileSync(path.join(folder, file), 'utf8'));

    it(`${file}: makes the same payloads as when it was added`, async () => {
      JSON.stringify(await madeOf(report)).should.equal(JSON.stringify(report.made));
    });

    it(`${file}: every number is possible, and every field has a name`, async () => {
      const { broken, comparisons } = await seenInReport(report);
      should(broken).eql([]);
      comparisons.should.be.above(0);
    });
  }

  it('public-1.10.0.json: its balances are the sums of its days, and of no other ones', async () => {
    const report = readReport(readFileSync(path.join(folder, 'public-1.10.0.json'), 'utf8'));
    const balances = await balancesOf(report);
    const sums = Object.fromEntries(
      balances.map(({ period, values }) => [period?.label ?? '', values['energy_import_kwh']]),
    );
    // Of the week that began on 6 January, and of the days from the 2nd on.
    const days = [9.412, 8.03, 11.277, 7.951, 10.604, 12.118, 6.849, 3.27];
    const sum = (from: number): number =>
      Number(
        days
          .slice(from)
          .reduce((all, day) => all + day, 0)
          .toFixed(3),
      );
    should(sums).eql({
      '2070-01-09': 3.27,
      '2070-01-08': 6.849,
      '2070-W02': sum(4),
      '2070-01': sum(0),
      '2070': sum(0),
    });
    const month = balances.find(({ period }) => period?.unit === 'month');
    should(month?.complete).equal(false);
    should(month?.points?.slice(0, 9).map((point) => point['energy_import_kwh'])).eql([null, ...days]);
  });
});
