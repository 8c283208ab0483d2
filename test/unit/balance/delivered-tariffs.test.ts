/** Costs by tariff from what a monitor has added up itself: they are known with the first delivery, like the energy. */
import should from 'should';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { findUnitStart } from '../../support/bills/calendar';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs, minuteMs } from '../../../src/time/units';
import { housePrices, parseHouseContracts } from '../../../src/balance/prices/house-contracts';
import { readContractRows } from '../../../src/balance/prices/contract-rows';
import { zone } from '../../support/balance/small-house';

const first = Date.parse('2026-11-24T13:15:00Z');
const began = Date.parse('2024-02-03T10:00:00Z');

const counter = (key: string, perHour: number): FakeMeter['channels'][number] => ({
  kind: 'counter',
  key,
  shows: (moment) => 50 + (perHour * (moment - began)) / hourMs,
});

/** @param t2 kWh of the second tariff in an hour */
const meterWith = (t2: number): FakeMeter => ({
  key: 'smartmeter-dsmr',
  channels: [
    counter('electric_energy_import', 0.4),
    counter('electric_energy_import_t1', 0.15),
    counter('electric_energy_import_t2', t2),
    counter('electric_energy_export', 0.3),
    counter('electric_energy_export_t1', 0.1),
    counter('electric_energy_export_t2', 0.2),
  ],
});

const past = ['last/day', 'last/month', 'last/year'];
const everything = ['reading', 'this/day', 'this/month', 'this/year', ...past];
const byTariff = { currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, export: { t1: 0.05, t2: 0.1 } };

async function firstDelivery(t2 = 0.25, topics: readonly string[] = everything): Promise<AddedDeliveries> {
  const added = new AddedDeliveries();
  await added.add(
    specifiedBody([meterWith(t2)], () => topics, first),
    first,
  );
  return added;
}

const periods = (['day', 'month', 'year'] as const).flatMap((unit) =>
  [0, -1].map((shift) => {
    const [from, end] = [findUnitStart(unit, first, shift), findUnitStart(unit, first, shift + 1)];
    const label = new Date(from + 12 * hourMs).toISOString().slice(0, { day: 10, month: 7, year: 4 }[unit]);
    return { label, hours: (Math.min(first, end) - from) / hourMs };
  }),
);

describe('delivered sums by tariff', () => {
  it('give the costs of this and the last day, month and year with the first delivery', async () => {
    const added = await firstDelivery();
    for (const { label, hours } of periods) {
      const { cost, values, coverage, missing } = await added.balance(label, first, byTariff);
      should(values['energy_import_t1_kwh']).be.approximately(0.15 * hours, 1e-3, label);
      should(values['energy_import_t2_kwh']).be.approximately(0.25 * hours, 1e-3, label);
      should(cost?.import).be.approximately((0.15 * 0.2 + 0.25 * 0.3) * hours, 1e-3, label);
      should(cost?.export).be.approximately((0.1 * 0.05 + 0.2 * 0.1) * hours, 1e-3, label);
      should(cost?.coverage).equal(coverage['energy_import_kwh'], label);
      should(missing).not.have.property('cost.total');
    }
  });

  for (const [topics, what] of [
    [['this/month', 'last/month'], 'the last and this month'],
    [['this/day', 'last/day', 'this/month', 'last/month'], 'these months, and the days within them once'],
  ] as const) {
    it(`add up to the costs of the year: ${what}`, async () => {
      const added = await firstDelivery(0.25, ['reading', ...topics]);
      const [from, end] = [findUnitStart('month', first, -1), findUnitStart('year', first)];
      const hours = (first - from) / hourMs;
      const { cost, values, coverage } = await added.balance('2026', first, byTariff);
      should(values['energy_import_kwh']).be.approximately(0.4 * hours, 1e-3);
      should(values['energy_import_t1_kwh']).be.approximately(0.15 * hours, 1e-3);
      should(values['energy_export_t2_kwh']).be.approximately(0.2 * hours, 1e-3);
      should(cost?.import).be.approximately((0.15 * 0.2 + 0.25 * 0.3) * hours, 1e-3);
      should(cost?.export).be.approximately((0.1 * 0.05 + 0.2 * 0.1) * hours, 1e-3);
      // Both tariffs have more import than export.
      should(cost?.netted).be.approximately((0.05 * 0.2 + 0.05 * 0.3) * hours, 1e-3);
      should(coverage['energy_import_kwh']).be.approximately((first - from) / (first - end), 1e-6);
      should(cost?.coverage).equal(coverage['energy_import_kwh']);
    });
  }

  it('give no costs if the tariffs together are not the whole', async () => {
    const added = await firstDelivery(0.2);
    for (const { label } of periods) {
      const { cost, values, missing } = await added.balance(label, first, byTariff);
      should(values).not.have.property('energy_import_t1_kwh');
      should(cost?.import).equal(null, label);
      should(missing['cost.total']).equal('not_by_tariff', label);
    }
  });

  it('give no costs of a time within them in which the prices change', async () => {
    const added = await firstDelivery(0.25, ['reading', 'this/month', 'last/month']);
    const rows = [
      { name: 'Old', from: '2026-01-01', until: '2026-11-09', prices: byTariff },
      { name: 'New', from: '2026-11-10', until: '', prices: { ...byTariff, import: { t1: 0.4, t2: 0.5 } } },
    ];
    const contracts = readContractRows(
      rows.map((row) => ({ ...row, pricesType: 'json', prices: JSON.stringify(row.prices) })),
    );
    if ('flaw' in contracts) throw new Error(JSON.stringify(contracts));
    const written = contracts.map((row) => ({ row, prices: row.prices }));
    const prices = housePrices(runAtOnce(parseHouseContracts(written, zone)), zone);
    should((await added.pricedBalance('2026-11', first, prices)).cost?.import).equal(null);
    should((await added.pricedBalance('2026-10', first, prices)).cost?.import).be.above(0);
  });

  it('go along with later deliveries, and end where these have readings alone', async () => {
    const added = await firstDelivery();
    const deliver = async (at: number, topics: readonly string[]): Promise<void> =>
      added.add(
        specifiedBody([meterWith(0.25)], () => topics, at),
        at,
      );
    const second = first + 2 * hourMs;
    await deliver(second, everything);
    for (const now of [second, second + 3 * minuteMs]) {
      const { cost } = await added.balance('2026-11-24', now, byTariff);
      const hours = (second - findUnitStart('day', first)) / hourMs;
      should(cost?.import).be.approximately((0.15 * 0.2 + 0.25 * 0.3) * hours, 1e-3);
    }
    const third = second + hourMs;
    await deliver(third, ['reading']);
    const { cost, values } = await added.balance('2026-11-24', third, byTariff);
    should(values['energy_import_kwh']).be.approximately((0.4 * (third - findUnitStart('day', first))) / hourMs, 1e-3);
    should(cost?.import).equal(null);
  });
});
