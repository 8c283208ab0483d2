/** What flows in both directions within a minute: counters have it, minutes do not. */
import should from 'should';
import { perKwh } from '../../../src/balance/meters/amounts';
import { withBothWays } from '../../../src/balance/meters/both-ways';
import { joinedSlots, type Shape, type Shapes, ShapeWalk } from '../../../src/balance/meters/shape';
import { buildShapes } from '../../../src/balance/meters/slots';
import { getEntry } from '../../../src/balance/meters/entries';
import { minuteMs, hourMs } from '../../../src/time/units';
import type { Flow } from '../../support/houses/invariants';
import { period, series } from '../../support/balance/small-house';
import { HouseAnswers } from '../../support/page/house-answers';

const day = '2026-06-15';
const { start, end } = period(day);

/** Import at night; a battery that follows the use from 10:00 to 14:00; an hour of export; import in the evening. */
function wattsAt(minute: number): number {
  const hour = Math.floor(minute / 60);
  return hour >= 10 && hour < 14 ? 0 : hour === 14 ? -1000 : hour < 10 ? 300 : 900;
}

const minutes = Array.from({ length: 1440 }, (_, minute) => wattsAt(minute));
function shapesOf(known: readonly number[]): Shapes {
  const points = known.map((minute) => {
    const watts = wattsAt(minute);
    return {
      ts: start + minute * minuteMs,
      power_import_w: Math.max(0, watts),
      power_export_w: Math.max(0, -watts),
    };
  });
  return buildShapes(series(day, 'PT1M', points), 'grid');
}

const shapes = shapesOf([...minutes.keys()]);
const measured = {
  import: minutes.reduce((sum, watts) => sum + Math.max(0, watts), 0) * 1000,
  export: perKwh,
};

function addTo(of: Shapes, more: { readonly import: number; readonly export: number }): Shapes {
  const counted = (way: 'import' | 'export') => [{ from: start, to: end, amount: measured[way] + more[way] * perKwh }];
  return withBothWays(of, counted('import'), counted('export'));
}

function amountIn(shape: Shape | undefined, hour: number): number {
  return new ShapeWalk(shape ?? null).between(start + hour * hourMs, start + (hour + 1) * hourMs).amount / perKwh;
}

describe('what flows in both directions within a minute', () => {
  const added = addTo(shapes, { import: 1, export: 1 });

  it('is in the minutes with little power, near to export or without any power', () => {
    for (const hour of [10, 11, 12, 13]) should(amountIn(added.export, hour)).be.approximately(0.25, 0.02);
    should(amountIn(added.export, 14)).be.approximately(1, 0.001);
    should(amountIn(added.export, 3)).equal(0);
    should(amountIn(added.export, 20)).equal(0);
    should((added.export?.amounts ?? new Float64Array()).reduce((sum, amount) => sum + amount, 0)).equal(2 * perKwh);
  });

  it('is the same in import and export: the difference of each minute stays', () => {
    minutes.forEach((watts, minute) => {
      const [taken, given] = [added.import, added.export].map((shape) => getEntry(shape?.amounts ?? [], minute));
      should((taken ?? NaN) - (given ?? NaN)).equal(watts * 1000);
    });
  });

  it('is as much as both counters have more than the minutes, or nothing', () => {
    const exported = (more: Parameters<typeof addTo>[1]): number =>
      (addTo(shapes, more).export?.amounts ?? new Float64Array()).reduce((sum, amount) => sum + amount, 0) / perKwh;
    should(exported({ import: 3, export: 0.5 })).equal(1.5);
    should(exported({ import: 1, export: 0 })).equal(1);
    should(exported({ import: -1, export: 1 })).equal(1);
  });

  it('is in the same hours when the minutes are joined to quarters', () => {
    const joined = addTo(joinedSlots(shapes, start, 15 * minuteMs), { import: 1, export: 1 });
    should(joined.export?.starts.length).equal(96);
    for (let hour = 0; hour < 24; hour += 1) {
      should(amountIn(joined.export, hour)).be.approximately(amountIn(added.export, hour), 1e-6);
    }
  });

  it('is not known where minutes are missing', () => {
    const without = shapesOf([...minutes.keys()].slice(1));
    should(addTo(without, { import: 1, export: 1 }).export?.amounts).deepEqual(without.export?.amounts);
  });

  it('leaves a house with a battery its use of each day, and its own sun of the month', async () => {
    const house = new HouseAnswers('battery-measured', Date.parse('2026-11-26T13:40+01:00'), undefined, 'remote');
    const ofDay = await house.answer({ balance: 'day', date: '2026-11-01' });
    should(ofDay.missing).not.have.property('energy_house_kwh');
    for (const { ts, energy_house_kwh: used } of ofDay.points ?? []) {
      const flowed = (flow: Flow): number => house.flowed(flow, ts, ts + hourMs) ?? NaN;
      const expected =
        flowed('import') - flowed('export') + flowed('production') + flowed('discharged') - flowed('charged');
      should(used).be.approximately(expected, 0.001, new Date(ts).toISOString());
    }
    const { values, missing } = await house.answer({ balance: 'month' });
    should(missing).not.have.property('energy_self_consumed_kwh');
    should(values['energy_self_consumed_kwh']).be.within(140, 160);
  });
});
