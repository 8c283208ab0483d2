/** A meter and the one that replaced it count as one (src/balance/meters/replaced-meters.ts). */
import should from 'should';
import { choiceOf, metersInBalance } from '../../../src/balance/meters/choice';
import { perKwh } from '../../../src/balance/meters/amounts';
import { joinReplaced, presentMeters } from '../../../src/balance/meters/replaced-meters';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import { at, balance, meter, minutesFrom, reading } from '../../support/balance/small-house';

const day = 86_400_000;
const midnight = (index: number): number => at('2026-05-31T22:00:00Z') + index * day;
const days = Array.from({ length: 11 }, (_, index) => midnight(index));
const successions: Readonly<Record<string, number>> = { s01: 0, mb5: 1 };
const joined = (...meters: BalanceMeter[]): BalanceMeter[] =>
  joinReplaced(
    meters.map((one) => {
      const order = successions[one.name];
      return order === undefined ? one : { ...one, succession: { row: 's01', order } };
    }),
    days,
  );

/** 10 kWh a day until the fourth day at 10:00, then the input counts nothing more. */
const old = meter('s01', 'production', {
  readings: days.map((border, index) => reading('production', border, 5000 + 10 * Math.min(index, 3.25))),
});
/** 8 kWh from 10:00 on the day of the exchange, then 12 kWh a day. */
const sunny = Array.from({ length: 1440 }, (_, minute) => (minute >= 600 && minute < 1080 ? 1000 : 0));
const fresh = meter('mb5', 'production', {
  readings: days.slice(4).map((border, index) => reading('production', border, 8 + 12 * index)),
  shapes: { production: minutesFrom(midnight(3), sunny) },
});

describe('a meter that was replaced', () => {
  const now = midnight(10);

  it('counts on, and each day is the day of one meter', () => {
    const { values, points = [], meters, complete } = balance('2026-06', joined(old, fresh), { now });
    points.map((point) => point['energy_production_kwh']).should.deepEqual([10, 10, 10, 8, 12, 12, 12, 12, 12, 12]);
    should(values['energy_production_kwh']).be.approximately(110, 1e-9);
    meters.production.should.deepEqual(['mb5']);
    complete.should.be.true();
  });

  it('has what the old meter counted on the day of the exchange, where its minutes are known', () => {
    const minutes = (from: number, to: number) =>
      minutesFrom(
        midnight(3),
        Array.from({ length: 1440 }, (_, minute) => (minute >= from && minute < to ? 1000 : 0)),
      );
    const before = meter('s01', 'production', { shapes: { production: minutes(420, 600) } });
    const after = meter('mb5', 'production', { shapes: { production: minutes(601, 1080) } });
    const { values, points = [], coverage } = balance('2026-06-04', joined(before, after));
    should(values['energy_production_kwh']).be.approximately(3 + 479 / 60, 1e-9);
    points
      .slice(6, 9)
      .map((point) => point['energy_production_kwh'])
      .should.deepEqual([0, 1, 1]);
    should(coverage['energy_production_kwh']).equal(1);
    // Both count in the minute of the exchange.
    const overlapping = meter('s01', 'production', { shapes: { production: minutes(420, 602) } });
    const shared = balance('2026-06-04', joined(overlapping, after));
    should(shared.values['energy_production_kwh']).be.approximately((181 + 479 + 1) / 60, 1e-9);
  });

  it('replaced the other on the day of its first own sum, of which nothing else may be known', () => {
    const sum = (index: number, kwh: number) => ({
      start: midnight(index),
      end: midnight(index + 1),
      amount: kwh * perKwh,
      known: day,
    });
    const morning = Array.from({ length: 1440 }, (_, minute) => (minute >= 420 && minute < 600 ? 1000 : 0));
    const before = meter('s01', 'production', {
      shapes: { production: minutesFrom(midnight(3), morning) },
      net: [sum(2, 10), sum(3, 3)],
    });
    const net = [sum(3, 8), sum(4, 12)];
    const after = meter('mb5', 'production', { readings: [reading('production', midnight(4), 8)], net });
    const { values, coverage } = balance('2026-06-04', joined(before, after));
    // The morning alone is not the day.
    should(values['energy_production_kwh']).be.null();
    should(coverage['energy_production_kwh']).equal(0);
    const [both] = joined(before, after);
    should(both?.net.map(({ start }) => start)).deepEqual([midnight(2), midnight(4)]);
  });

  it('counts on the day of the exchange where midnights are read a second late', () => {
    const late = (one: BalanceMeter): BalanceMeter => ({
      ...one,
      readings: one.readings.map((of) => ({ ...of, ts: of.ts + 1000 })),
    });
    const { values, points = [] } = balance('2026-06', joined(late(old), late(fresh)), { now });
    points.map((point) => point['energy_production_kwh']).should.deepEqual([10, 10, 10, 8, 12, 12, 12, 12, 12, 12]);
    should(values['energy_production_kwh']).be.approximately(110, 1e-9);
  });

  it('did not replace the other at the start of the month whose own sum is the first one', () => {
    const morning = Array.from({ length: 1440 }, (_, minute) => (minute >= 420 && minute < 600 ? 1000 : 0));
    const before = meter('s01', 'production', { shapes: { production: minutesFrom(midnight(1), morning) } });
    const june = { start: midnight(0), end: midnight(30), amount: 8 * perKwh, known: 30 * day };
    const after = meter('mb5', 'production', { shapes: { production: minutesFrom(midnight(3), sunny) }, net: [june] });
    const { values } = balance('2026-06', joined(before, after), { now });
    should(values['energy_production_kwh']).be.approximately(3 + 8, 1e-9);
  });

  it('would count twice without its row', () => {
    const { values } = balance('2026-06', [old, fresh], { now });
    should(values['energy_production_kwh']).not.be.approximately(110, 1);
  });

  it('has all days before the new meter counts something, and none after', () => {
    const idle = meter('mb5', 'production', { readings: days.map((border) => reading('production', border, 0)) });
    const before = balance('2026-06', joined(old, idle), { now });
    should(before.values['energy_production_kwh']).be.approximately(32.5, 1e-9);
    const since = meter('mb5', 'production', {
      readings: days.map((border, index) => reading('production', border, 900 + index)),
    });
    const after = balance('2026-06', joined(old, since), { now });
    should(after.values['energy_production_kwh']).be.approximately(10, 1e-9);
  });

  it('need not answer any more', () => {
    const gone = meter('s01', 'production', { isReadable: false });
    joined(gone, fresh)
      .map(({ name, isReadable }) => [name, isReadable])
      .should.deepEqual([['mb5', true]]);
  });
});

describe('the meters of a row of several', () => {
  const choice = choiceOf(
    () => undefined,
    () => true,
  );
  const rows = new MeterTable(parseMeterRows([{ meter: 's01,mb5', name: 'Roof', role: 'production' }])).rowsOf(
    { id: '001a2b3c4d5e' },
    true,
  );

  it('are read for the past also where the monitor no longer lists one, and for this moment the last listed one is', () => {
    const found = metersInBalance(choice, [rows.describe({ alias: 'mb5', role: null })], rows);
    const row = 's01';
    found.should.deepEqual([
      { name: 'mb5', role: 'production', title: 'Roof', succession: { row, order: 1 } },
      { name: 's01', role: 'production', title: 'Roof', isGone: true, succession: { row, order: 0 } },
    ]);
    presentMeters(found)
      .map(({ name }) => name)
      .should.deepEqual(['mb5']);
  });

  it('are the first one until the monitor lists the second', () => {
    const found = metersInBalance(choice, [rows.describe({ alias: 's01', role: 'production' })], rows);
    presentMeters(found)
      .map(({ name }) => name)
      .should.deepEqual(['s01']);
  });
});
