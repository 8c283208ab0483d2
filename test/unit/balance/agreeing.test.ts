/** The response that the readings of both midnights agree with (src/balance/meters/agreeing.ts). */
import should from 'should';
import { findAgreeing } from '../../../src/balance/meters/agreeing';
import { perKwh, perM3, type Quantity } from '../../../src/balance/meters/amounts';
import type { Counter, CounterReading } from '../../../src/balance/meters/readings';
import { type Shape, toShape } from '../../../src/balance/meters/shape';
import { hourMs } from '../../../src/time/units';

const day = { start: Date.parse('2026-05-11T22:00:00Z'), end: Date.parse('2026-05-12T22:00:00Z') };

/** A shape of a day with an equal amount in each of its hours. */
function spread(sum: number, hours = 24): Shape {
  const slots = Array.from({ length: hours }, (_, hour) => {
    const start = day.start + hour * hourMs;
    return { start, end: start + hourMs, amount: sum / hours, known: hourMs };
  });
  return toShape(slots);
}

/** Readings of both midnights, of which the last ones are so much earlier. */
function counted(changes: Partial<Record<Counter, number>>, unit = perKwh, earlyMs = 0): CounterReading[] {
  return Object.entries(changes).flatMap(([name, change]): CounterReading[] => {
    const counter = name as Counter;
    return [
      { counter, ts: day.start, amount: 1000 * unit },
      { counter, ts: day.end - earlyMs, amount: (1000 + change) * unit },
    ];
  });
}

describe('counters decide between responses', () => {
  const versions = (quantity: Quantity, sums: readonly number[], unit = perKwh) =>
    sums.map((sum) => ({ [quantity]: spread(sum * unit) }));

  it('PD21: agree with the one whose import less export is theirs', () => {
    const grid = [
      { import: spread(9 * perKwh), export: spread(1 * perKwh) },
      { import: spread(11 * perKwh), export: spread(4 * perKwh) },
    ];
    // In minutes with both directions the minutes show less of each.
    should(findAgreeing('grid', day, counted({ import: 12, export: 5 }), grid)).equal(1);
    should(findAgreeing('grid', day, counted({ import: 9.5, export: 1.5 }), grid)).equal(0);
  });

  it('PD21: agree with one of the gas meter, also by a reading of an hour before midnight', () => {
    const gas = versions('gas', [4, 7], perM3);
    for (const earlyMs of [0, hourMs]) {
      should(findAgreeing('gas', day, counted({ gas: 7.02 }, perM3, earlyMs), gas)).equal(1);
    }
    should(findAgreeing('gas', day, counted({ gas: 7.02 }, perM3, 2 * hourMs), gas)).be.null();
  });

  it('PD21: agree with none that is more than 1 % and 0.05 kWh away, and with none of two', () => {
    const one = versions('production', [5, 10]);
    for (const [change, agreeing] of [
      [10.14, 1],
      [10.2, null],
      [7, null],
    ] as const) {
      should(findAgreeing('production', day, counted({ production: change }), one)).equal(agreeing);
    }
    should(findAgreeing('production', day, counted({ production: 10 }), versions('production', [9.99, 10]))).be.null();
  });

  it('PD21: agree with none of which hours are missing, and without both readings with none', () => {
    const readings = counted({ production: 10 });
    should(findAgreeing('production', day, readings, [{ production: spread(10 * perKwh, 23) }])).be.null();
    const whole = versions('production', [10, 5]);
    for (const reading of readings) {
      should(findAgreeing('production', day, [reading], whole)).be.null();
    }
    should(findAgreeing('production', day, readings, [{}])).be.null();
  });

  it('PD21: agree with the charge less the discharge of a battery', () => {
    const battery = [
      { charged: spread(5 * perKwh), discharged: spread(4 * perKwh) },
      { charged: spread(5 * perKwh), discharged: spread(2 * perKwh) },
    ];
    should(findAgreeing('battery', day, counted({ charged: 5.1, discharged: 4.1 }), battery)).equal(0);
  });
});
