/** A midnight without a delivery, such as the one that ends netting: the monitor's own sums tell what its counters showed then. */
import should from 'should';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import { billedContracts, parseHouseContracts } from '../../../src/balance/prices/house-contracts';
import { readContractRows } from '../../../src/balance/prices/contract-rows';
import { dayRange } from '../../../src/calendar/periods';
import { midnightsBySums } from '../../../src/balance/messages/midnights-by-sums';
import { emptyField, emptyMeter, type MeterState, unknownSince } from '../../../src/balance/messages/state';
import type { BalanceContract } from '../../../src/model/payload';
import { runAtOnce } from '../../../src/time/pause';
import { dayMs, hourMs, millis } from '../../../src/time/units';
import { zone } from '../../support/balance/small-house';
import { findLocalMoment, midnights } from '../../support/bills/calendar';

const [from, newYear, to] = [findLocalMoment(2026, 12, 28), findLocalMoment(2027, 1, 1), findLocalMoment(2027, 1, 4)];
const began = from - 40 * dayMs;

/** kWh in an hour, until the end of the year and from then on. */
const flows = {
  electric_energy_import_t1: [0.15, 0.35],
  electric_energy_import_t2: [0.25, 0.05],
  electric_energy_export_t1: [0.3, 0.02],
  electric_energy_export_t2: [0.1, 0.4],
} as const;
type Flow = keyof typeof flows;
type Direction = 'import' | 'export';

const flowed = (flow: Flow, start: number, end: number): number =>
  (flows[flow][0] * (Math.min(end, newYear) - Math.min(start, newYear)) +
    flows[flow][1] * (Math.max(end, newYear) - Math.max(start, newYear))) /
  hourMs;
const shows = (flow: Flow, moment: number): number => 50 + flowed(flow, began, moment);
const whole = (direction: Direction, moment: number): number =>
  shows(`electric_energy_${direction}_t1`, moment) + shows(`electric_energy_${direction}_t2`, moment);

const counter = (key: string, read: (moment: number) => number): FakeMeter['channels'][number] => ({
  kind: 'counter',
  key,
  shows: read,
});

const meters: readonly FakeMeter[] = [
  {
    key: 'smartmeter-dsmr',
    channels: [
      ...(['import', 'export'] as const).map((direction) =>
        counter(`electric_energy_${direction}`, (moment) => whole(direction, moment)),
      ),
      ...(['import_t1', 'import_t2', 'export_t1', 'export_t2'] as const).map((flow) =>
        counter(`electric_energy_${flow}`, (moment) => shows(`electric_energy_${flow}`, moment)),
      ),
    ],
  },
];

const everything = ['reading', 'this/day', 'last/day', 'this/month', 'last/month', 'this/year', 'last/year'];

async function deliveredWithout(
  [start, end]: readonly [number, number],
  topics: readonly string[] = everything,
): Promise<AddedDeliveries> {
  const added = new AddedDeliveries();
  for (let at = from; at <= to; at += hourMs) {
    if (at < start || at >= end)
      await added.add(
        specifiedBody(meters, () => topics, at, began),
        at,
      );
  }
  return added;
}

const until = { currency: 'EUR', import: { t1: 0.24, t2: 0.29 }, export: { t1: 0.07, t2: 0.09 }, netting: true };
const since = { currency: 'EUR', import: { t1: 0.27, t2: 0.31 }, export: { t1: 0.03, t2: 0.05 } };

async function billOf(
  added: AddedDeliveries,
  [first, end] = [from, to],
  [before, after]: readonly [object, object] = [until, since],
): Promise<BalanceContract | undefined> {
  const rows = readContractRows([
    { name: 'Old', from: '2026-03-01', until: '2026-12-31', prices: before },
    { name: 'New', from: '2027-01-01', prices: after },
  ]);
  if ('flaw' in rows) throw new Error(rows.path);
  const read = rows.map((row) => ({ row, prices: row.prices }));
  const period = dayRange(zone, millis(first), millis(end - 1), 400);
  const contracts = billedContracts(runAtOnce(parseHouseContracts(read, zone)), null, zone, period);
  return (await added.bill(period, end + 1000, { contracts, batteriesKwh: [] })).contracts?.[0];
}

/** By hand: tariff 1 has a surplus until the end of the year, which is subtracted from tariff 2; then nothing is netted. */
function dueByHand(): number {
  const [low, high] = (['t1', 't2'] as const).map(
    (tariff) =>
      flowed(`electric_energy_import_${tariff}`, from, newYear) -
      flowed(`electric_energy_export_${tariff}`, from, newYear),
  );
  const left = (low ?? NaN) + (high ?? NaN);
  left.should.be.approximately(0, 1e-9);
  return (['t1', 't2'] as const).reduce(
    (sum, tariff) =>
      sum +
      flowed(`electric_energy_import_${tariff}`, newYear, to) * since.import[tariff] -
      flowed(`electric_energy_export_${tariff}`, newYear, to) * since.export[tariff],
    0,
  );
}

const silences = {
  'one delivery': [newYear, newYear + 1],
  'six hours around midnight': [newYear - 4 * hourMs, newYear + 2 * hourMs],
  'two days': [newYear - 20 * hourMs, newYear + 30 * hourMs],
} as const;

describe('a New Year without a delivery at midnight', () => {
  for (const [missed, silence] of Object.entries(silences)) {
    it(`has the bill of both contracts by tariff, and each day, after ${missed} less`, async () => {
      const added = await deliveredWithout(silence);
      const bill = await billOf(added);
      should(bill?.due).be.approximately(dueByHand(), 1e-3);
      should(bill?.cost?.coverage).equal(1);
      should(bill?.missing).not.have.properties('due', 'per_month', 'cost');
      for (const [label, start] of [
        ['2026-12-31', newYear - dayMs],
        ['2027-01-01', newYear],
      ] as const) {
        const { values, coverage } = await added.balance(label, to + 1000);
        should(values['energy_import_kwh']).be.approximately(
          whole('import', start + dayMs) - whole('import', start),
          1e-3,
          label,
        );
        should(values['energy_export_t2_kwh']).be.approximately(
          flowed('electric_energy_export_t2', start, start + dayMs),
          1e-3,
          label,
        );
        should(coverage['energy_import_kwh']).equal(1);
      }
    });
  }

  it('has no such bill by readings alone', async () => {
    const bill = await billOf(await deliveredWithout(silences['one delivery'], ['reading']));
    should(bill?.due).equal(null);
  });

  it('nets readings alone without the two days around it, of which only the sum is known', async () => {
    const added = new AddedDeliveries();
    const [august, february] = [findLocalMoment(2026, 8, 1), findLocalMoment(2027, 2, 1)];
    const deliver = async (first: number, last: number): Promise<void> => {
      for (const at of midnights(first, last))
        if (at !== newYear)
          await added.add(
            specifiedBody(meters, () => ['reading'], at, august - dayMs),
            at,
          );
    };
    await deliver(august, february);
    const sheet = { currency: 'EUR', import: 0.25, export: 0.07, netting: true };
    const changed = { currency: 'EUR', import: 0.29, export: 0.06 };
    const bill = await billOf(added, [august, february], [sheet, changed]);
    const [sold, bought] = (['export', 'import'] as const).map(
      (direction) => whole(direction, february) - whole(direction, newYear + dayMs),
    );
    // Until the end of the year, as much is exported as imported.
    should(bill?.due).be.approximately((bought ?? NaN) * 0.29 - (sold ?? NaN) * 0.06, 1e-3);
    should(bill?.cost?.coverage).be.within(0.985, 0.995);
    should(bill?.missing).not.have.properties('due', 'per_month');
    const short = await billOf(added, [findLocalMoment(2026, 12, 20), findLocalMoment(2027, 1, 10)], [sheet, changed]);
    should(short?.missing?.['due']).equal('too_few_days');
    // One of ten netted days is a small part of the bill, and a large one of them.
    await deliver(february, findLocalMoment(2027, 8, 1));
    const days = [findLocalMoment(2026, 12, 22), findLocalMoment(2027, 8, 1)] as const;
    const late = await billOf(added, [...days], [sheet, changed]);
    should(late?.cost?.total).be.above(0);
    should(late?.missing?.['due']).equal('too_few_days');
  });

  const [before, after] = [newYear - 3 * hourMs, newYear + 2 * hourMs];
  const meterOf = (sumOfImport: number, sumOfExport: number | null): MeterState => ({
    ...emptyMeter(),
    latest: { energy_import_kwh: [after, 1500], energy_export_kwh: [after, 700] },
    quarters: { [before]: { energy_import_kwh: [before, 1000], energy_export_kwh: [before, 600] } },
    fields: {
      energy_import_kwh: { ...emptyField(), days: { [newYear]: [after, sumOfImport] } },
      energy_export_kwh: {
        ...emptyField(),
        days: sumOfExport === null ? {} : { [newYear]: [after, sumOfExport] },
        months: { [newYear]: [after, 40, newYear + unknownSince] },
      },
    },
  });

  it('takes the sums of all counters that are possible between the readings, or none', () => {
    midnightsBySums(meterOf(200, 40), newYear).should.deepEqual({
      [newYear]: { energy_import_kwh: [newYear, 1300], energy_export_kwh: [newYear, 660] },
    });
    midnightsBySums(meterOf(200, 40), newYear + 1).should.deepEqual({});
    for (const meter of [meterOf(501, 40), meterOf(-1, 40), meterOf(200, 101), meterOf(200, null)])
      midnightsBySums(meter, newYear).should.deepEqual({});
  });
});
