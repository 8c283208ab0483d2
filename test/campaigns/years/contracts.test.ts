/** The days of a year of hand-made contracts: each equal to a slow, independent program, and together the bill of the year. */
import should from 'should';
import { midnights, spanOf } from '../../support/bills/calendar';
import { holdBill } from '../../support/bills/compared';
import { contracts } from '../../support/bills/contracts';

const added = ['import', 'export', 'export_fee', 'gas', 'water', 'fixed'] as const;

describe('the days of a year', function () {
  this.timeout(600_000);

  for (const contract of contracts) {
    it(`add up to its months and to the year, but for peak and netting: ${contract.name}`, () => {
      const { year } = contract.household;
      const months = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`);
      const days = months.flatMap((month) =>
        midnights(...spanOf(month))
          .slice(0, -1)
          .map((_, day) => `${month}-${String(day + 1).padStart(2, '0')}`),
      );
      const whole = holdBill(contract, year).cost;
      for (const labels of [months, days]) {
        const bills = labels.map((label) => holdBill(contract, label).cost);
        for (const part of added) {
          const sum = bills.reduce((total, cost) => total + (cost?.[part] ?? 0), 0);
          should(whole?.[part] ?? 0).be.approximately(sum, 1e-7, part);
        }
        // A day without any price of import has no total, and its other parts count in that of the year.
        const withoutPeak = (cost: typeof whole): number => {
          if (cost?.total !== null && cost?.total !== undefined) return cost.total - (cost.peak ?? 0);
          return added.reduce((sum, part) => sum + (part === 'export' ? -1 : 1) * (cost?.[part] ?? 0), 0);
        };
        should(typeof whole?.total).equal('number');
        const sum = bills.reduce((total, cost) => total + withoutPeak(cost), 0);
        should(withoutPeak(whole)).be.approximately(sum, 1e-7, 'total');
      }
    });
  }
});
