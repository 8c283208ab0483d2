/** The monitor's own sums in a period that is still read (src/balance/period/period-balance.ts). */
import should from 'should';
import { minuteMs } from '../../../src/time/units';
import { perKwh } from '../../../src/balance/meters/amounts';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { Slot } from '../../../src/balance/meters/shape';
import type { BalancePayload } from '../../../src/model/payload';
import { at, balance, meter, minutesFrom } from '../../support/balance/small-house';

const isStillRead = true;
const april = at('2026-04-01T00:00:00+02:00');
const may = at('2026-05-01T00:00:00+02:00');
const june = at('2026-06-01T00:00:00+02:00');
const now = at('2026-06-01T12:00:00+02:00');

function month(start: number, end: number, kwh: number): Slot {
  return { start, end, amount: kwh * perKwh, known: end - start };
}

/** April and May by the monitor's own sums; of the minutes only an hour of May is known, with 1 kWh from the grid and 2 kWh of sun. */
function house(net: readonly Slot[], sun: readonly Slot[]): BalanceMeter[] {
  const hour = (watts: number) => minutesFrom(may, Array<number>(60).fill(watts));
  const nothing = minutesFrom(may, Array<number>(60).fill(0));
  return [
    meter('p1', 'grid', { net, shapes: { import: hour(1000), export: nothing } }),
    meter('s01', 'production', { net: sun, shapes: { production: hour(2000) } }),
  ];
}

/** A field in April and May. */
function ofMonths(points: BalancePayload['points'], field: string): unknown[] {
  return (points ?? []).slice(3, 5).map((point) => point[field]);
}

describe('the monitor’s own sums in a year that is still read', () => {
  const net = [month(april, may, 30), month(may, june, 40)];
  const sun = [month(april, may, 300), month(may, june, 400)];

  it('give net and production at once, in the months as well', () => {
    const { values, points, method, coverage, missing } = balance('2026', house(net, sun), { isStillRead, now });
    should(values).containDeep({ energy_net_kwh: 70, energy_production_kwh: 700 });
    should(ofMonths(points, 'energy_production_kwh')).eql([300, 400]);
    should(ofMonths(points, 'energy_net_kwh')).eql([30, 40]);
    // The least exact of the minutes and the monitor's own sums.
    should(method).containDeep({ energy_production_kwh: 'minutes' });
    const [all, both] = [now - at('2026-01-01T00:00:00+01:00'), june - april];
    should(coverage['energy_production_kwh']).be.approximately(both / all, 1e-9);
    should(missing).not.have.properties('energy_net_kwh', 'energy_production_kwh');
  });

  it('change nothing else: import, use of the house and ratios are those of what is read', () => {
    const { values, coverage } = balance('2026', house(net, sun), { isStillRead, now });
    const plain = balance('2026', house(net, sun), { now });
    const changed = { energy_net_kwh: 70, energy_production_kwh: 700 };
    should(values).deepEqual({ ...plain.values, ...changed });
    should(plain.values).containDeep({ energy_net_kwh: 1, energy_production_kwh: 2, energy_house_kwh: 3 });
    should(coverage['energy_import_kwh']).equal(plain.coverage['energy_import_kwh']);
  });

  it('stay out where they are 0, as of a monitor that was reset, and where a meter has none', () => {
    const zeros = [month(april, may, 0), month(may, june, 0)];
    should(balance('2026', house(zeros, []), { isStillRead, now }).values).containDeep({
      energy_net_kwh: 1,
      energy_production_kwh: 2,
    });
    const two = [...house(net, sun), meter('s02', 'production', { shapes: {} })];
    should(balance('2026', two, { isStillRead, now }).values).containDeep({
      energy_net_kwh: 70,
      energy_production_kwh: null,
    });
  });

  it('do not replace a month that is wholly known, and are not used when all is read', () => {
    const minutes = Array<number>((june - may) / minuteMs).fill(600);
    const meters = [meter('s01', 'production', { net: sun, shapes: { production: minutesFrom(may, minutes) } })];
    const { points } = balance('2026', meters, { isStillRead, now });
    should(ofMonths(points, 'energy_production_kwh')).eql([300, 446.4]);
    should(balance('2026', house(net, sun), { now }).values).containDeep({ energy_production_kwh: 2 });
  });
});
