/** Values that no meter of a house can have: they are as good as not sent, and damage nothing else. */
import should from 'should';
import { countersIn } from '../../../src/balance/meters/readings';
import { buildShapes } from '../../../src/balance/meters/slots';
import { minuteMs, quarterMs } from '../../../src/time/units';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { balance, meter, period, prices, series } from '../../support/balance/small-house';

const day = period('2026-06-15');
const huge = [1e18, 1e300, Number.MAX_VALUE, -Number.MAX_VALUE];

describe('a power that no house connection can carry', () => {
  const minutes = (field: string, value: number) =>
    series(
      day.label,
      'PT1M',
      Array.from({ length: 1440 }, (_, minute) => ({
        ts: day.start + minute * minuteMs,
        [field]: minute === 700 ? value : 600,
      })),
    );

  for (const value of [4_294_967, ...huge]) {
    it(`of ${value} W in one minute is a minute that was not recorded`, () => {
      const grid = meter('p1', 'grid', { shapes: buildShapes(minutes('power_import_w', value), 'grid') });
      const { values, coverage, complete, peak, cost } = balance(day.label, [grid], {
        prices: prices({ currency: 'EUR', import: 0.5 }),
      });
      should(values['energy_import_kwh']).be.approximately((600 / 60_000) * 1439, 1e-9);
      should(coverage['energy_import_kwh']).be.approximately(1439 / 1440, 1e-9);
      should(complete).be.false();
      should(peak?.power_w).be.approximately(600, 1e-6);
      should(cost?.import).be.approximately((300 / 60_000) * 1439, 1e-9);
    });
  }

  it('of a large house stays what it is', () => {
    const grid = meter('p1', 'grid', { shapes: buildShapes(minutes('power_import_w', 59_000), 'grid') });
    const { values, coverage } = balance(day.label, [grid]);
    should(values['energy_import_kwh']).be.approximately((600 * 1439 + 59_000) / 60_000, 1e-9);
    should(coverage['energy_import_kwh']).equal(1);
  });
});

describe('a reading that no meter can show', () => {
  it('is no reading', () => {
    for (const value of huge) {
      should(countersIn({ energy_import_kwh: value, energy_export_kwh: 7 }, 'grid', () => day.start)).have.length(1);
      should(countersIn({ energy_production_kwh: value }, 'production', () => day.start)).eql([]);
      should(countersIn({ gas_m3: value }, 'gas', () => day.start)).eql([]);
    }
  });

  for (const topic of ['reading', 'last/15minutes'] as const) {
    it(`leaves the deliveries before and after it, and the stored house, as ${topic}`, async () => {
      for (const value of huge) {
        const added = new AddedDeliveries();
        for (let quarter = 0; quarter <= 8; quarter += 1) {
          const at = day.start + quarter * quarterMs;
          const record = (sent: number) => ({ time: at / 1000, value: sent });
          const values = {
            reading: record(topic === 'reading' && quarter === 4 ? value : 100 + quarter / 4),
            'last/15minutes': record(topic === 'last/15minutes' && quarter === 4 ? value : 0.25),
          };
          const data = { 'smartmeter-dsmr': { electric_energy_import: values } };
          await added.add({ format: 'basic-v1', cemm: 24_000_001, time: at / 1000, data }, at);
        }
        added.restart();
        const found = await added.balance(day.label, day.start + 8 * quarterMs + 1000, {
          currency: 'EUR',
          import: 0.5,
        });
        should(found.values['energy_import_kwh']).be.approximately(2, 1e-9);
        should(found.cost?.import).be.approximately(1, 1e-9);
      }
    });
  }
});
