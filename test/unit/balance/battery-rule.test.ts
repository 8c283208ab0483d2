/** The rule of the battery: examples by hand, and the exact optimum of 100 random weeks, which it never exceeds. */
import should from 'should';
import { savedByBattery } from '../../../src/balance/bill/battery';
import type { PricedSlot } from '../../../src/balance/bill/slot-prices';
import { perKwh } from '../../../src/balance/meters/amounts';
import { contracts, optimumOf, type Quarter, savedByRule } from '../../support/balance/battery-weeks';
import { Random } from '../../support/random';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs, quarterMs } from '../../../src/time/units';

/** Hours of import and export in kWh; prices in cents: 25 for import, 5 for export. */
function hours(flows: readonly (readonly [taken: number, given: number])[], length = hourMs): PricedSlot[] {
  return flows.map(([taken, given], index) => ({
    start: index * length,
    end: (index + 1) * length,
    known: length,
    taken: taken * perKwh,
    given: given * perKwh,
    buys: 25n,
    sells: 5n,
  }));
}

/** Cents. */
function saved(slots: readonly PricedSlot[], kwh: number): number {
  return Number(runAtOnce(savedByBattery(slots, kwh))) / perKwh;
}

describe('the rule of the battery', function () {
  this.timeout(60_000);

  it('takes and gives half a kW per kWh, and stores nine tenths', () => {
    // Takes 5 of 8, stores 4.5, gives 4.5 of 6.
    should(
      saved(
        hours([
          [0, 8],
          [6, 0],
        ]),
        10,
      ),
    ).equal(4.5 * 25 - 5 * 5);
    // In a quarter it takes 1.25 of 8.
    should(
      saved(
        hours(
          [
            [0, 8],
            [6, 0],
          ],
          quarterMs,
        ),
        10,
      ),
    ).equal(1.125 * 25 - 1.25 * 5);
  });

  it('holds its charge over midnight, and no more than its size', () => {
    const day: [number, number][] = [
      ...Array<[number, number]>(6).fill([0, 4]),
      ...Array<[number, number]>(30).fill([0, 0]),
    ];
    // 10 kWh are full after taking 11.11.
    should(saved(hours([...day, [4, 0], [4, 0], [4, 0]]), 10)).be.approximately(10 * 25 - (10 / 0.9) * 5, 1e-6);
  });

  it('does not give in the same slot what it takes there', () => {
    should(saved(hours([[1, 1]]), 10)).equal(0);
    // 1 is taken and 0.9 stored; in the second hour both go on.
    should(
      saved(
        hours([
          [1, 1],
          [1, 1],
        ]),
        10,
      ),
    ).be.approximately(0.9 * 25 - 5, 1e-9);
  });

  it('counts what it holds at the end as not taken', () => {
    should(
      saved(
        hours([
          [0, 2],
          [0.9, 0],
          [0, 3],
        ]),
        10,
      ),
    ).be.approximately(0.9 * 25 - 5, 1e-9);
  });

  it('is never above the optimum of 100 weeks, and at one price equal to it', () => {
    const random = new Random(29);
    const [onePrice, ...byTariff] = contracts;
    let below = 0;
    for (let week = 0; week < 100; week += 1) {
      const quarters = randomWeek(random);
      if (onePrice === undefined) throw new Error('no contract');
      should(savedByRule(quarters, onePrice, 3.6)).be.approximately(
        optimumOf(quarters, onePrice, 3.6),
        1e-6,
        `week ${week}`,
      );
      for (const contract of byTariff) {
        const [rule, optimum] = [savedByRule(quarters, contract, 3.6), optimumOf(quarters, contract, 3.6)];
        should(rule).be.belowOrEqual(optimum + 1e-9, `week ${week}, ${contract.name}`);
        if (rule < optimum - 0.01) below += 1;
      }
    }
    // The optimum waits for the normal hours of the next morning.
    should(below).be.above(20);
  });

  /** In steps: sun by day, use in the evening and at night. */
  function randomWeek(random: Random): Quarter[] {
    const sun = random.int(0, 12);
    return Array.from({ length: 7 * 96 }, (_, index): Quarter => {
      const hour = Math.floor(index / 4) % 24;
      const light = Math.max(0, Math.sin(((hour - 6) / 13) * Math.PI));
      const [use, made] = [random.int(0, hour > 16 ? 8 : 3), Math.round(sun * light * random.next())];
      const start = Date.parse('2026-03-01T23:00:00Z') + index * quarterMs;
      return { start, taken: Math.max(0, use - made), given: Math.max(0, made - use) };
    });
  }
});
