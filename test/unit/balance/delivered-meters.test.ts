/** Meters of a delivery by the channels that are ticked, and by their keys. */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { minuteMs, hourMs } from '../../../src/time/units';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { findUnitStart } from '../../support/bills/calendar';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';

const noon = Date.parse('2026-11-24T11:00:00Z');
const midnight = findUnitStart('day', noon);

/** A counter that grows by so much in an hour. */
const counter = (key: string, perHour: number, base = 100): FakeMeter['channels'][number] => ({
  kind: 'counter',
  key,
  shows: (moment) => base + (perHour * (moment - midnight)) / hourMs,
});
const power = (key: string, watt: number): FakeMeter['channels'][number] => ({
  kind: 'average',
  key,
  mean: () => watt,
});

const smartMeter: FakeMeter = {
  key: 'smartmeter-dsmr',
  channels: [
    counter('electric_energy_import_t1', 0.1),
    counter('electric_energy_import_t2', 0.3),
    counter('electric_energy_export_t1', 0.02),
    counter('electric_energy_export_t2', 0.06),
    power('electric_power', 320),
  ],
};

/** Deliveries every quarter of an hour, from midnight to noon. */
async function delivered(
  meters: readonly FakeMeter[],
  topics: readonly string[],
  choice = everyMeter,
): Promise<AddedDeliveries> {
  const added = new AddedDeliveries(choice);
  for (let at = midnight; at <= noon; at += 15 * minuteMs)
    await added.add(
      specifiedBody(meters, () => topics, at),
      at,
    );
  return added;
}

describe('a delivered meter of gas or water', () => {
  for (const [key, field] of [
    ['water', 'water_m3'],
    ['Watermeter keuken', 'water_m3'],
    ['gasmeter', 'gas_m3'],
    ['gas', 'gas_m3'],
  ] as const) {
    for (const topics of [['reading'], ['last/15minutes']]) {
      it(`counts its volume, by its key "${key}" (${topics.join()})`, async () => {
        const added = await delivered([smartMeter, { key, channels: [counter('volume', 0.05)] }], topics);
        const { values, meters } = await added.balance('2026-11-24', noon);
        should(values[field]).be.approximately(12 * 0.05, 1e-6);
        should(field === 'gas_m3' ? meters.gas : meters.water).eql([key]);
      });
    }
  }

  it('counts its volume where it is named', async () => {
    for (const role of ['gas', 'water'] as const) {
      const meters = [smartMeter, { key: 'teller 3', channels: [counter('volume', 0.05)] }];
      const added = await delivered(meters, ['reading'], { ...everyMeter, [role]: ['teller 3'] });
      const { values } = await added.balance('2026-11-24', noon);
      should(values[`${role}_m3`]).be.approximately(12 * 0.05, 1e-6);
    }
  });

  it('is not one whose key has water or gas within another word', async () => {
    const meters = [smartMeter, { key: 'warmwaterboiler', channels: [counter('volume', 0.05)] }];
    const { values } = await (await delivered(meters, ['reading'])).balance('2026-11-24', noon);
    should(values).not.have.property('water_m3');
  });
});

describe('a meter of which only the tariffs are ticked', () => {
  for (const topics of [['reading'], ['last/15minutes'], ['last/hour']]) {
    it(`has import and export as their sums (${topics.join()})`, async () => {
      const { values, coverage } = await (await delivered([smartMeter], topics)).balance('2026-11-24', noon);
      should(values['energy_import_kwh']).be.approximately(12 * 0.4, 1e-6);
      should(values['energy_export_kwh']).be.approximately(12 * 0.08, 1e-6);
      should(values['energy_house_kwh']).be.approximately(12 * 0.4, 1e-6);
      should(coverage['energy_import_kwh']).equal(1);
    });
  }

  it('has no sum of one tariff alone', async () => {
    const half = { ...smartMeter, channels: smartMeter.channels.filter(({ key }) => !key.endsWith('_import_t2')) };
    const { values } = await (await delivered([half], ['reading'])).balance('2026-11-24', noon);
    should(values['energy_import_kwh']).equal(null);
    should(values['energy_export_kwh']).be.approximately(12 * 0.08, 1e-6);
  });

  it('has them as an inverter where it is named', async () => {
    const zon: FakeMeter = {
      key: 'zon',
      channels: [counter('electric_energy_export_t1', 0.5), counter('electric_energy_export_t2', 0.25)],
    };
    const choice = { ...everyMeter, production: ['zon'] };
    const { values } = await (await delivered([smartMeter, zon], ['reading'], choice)).balance('2026-11-24', noon);
    should(values['energy_production_kwh']).be.approximately(12 * 0.75, 1e-6);
  });
});

describe('an inverter without anything that counts', () => {
  it('takes the house and the own use of its production, because what it produces is not known', async () => {
    const zon: FakeMeter = { key: 'omvormer', channels: [counter('electric_energy_export', 0.5)] };
    const added = new AddedDeliveries();
    const topicsOf = (meter: string): readonly string[] => [meter === 'omvormer' ? 'last/minute' : 'reading'];
    for (let at = midnight; at <= noon; at += 15 * minuteMs) {
      await added.add(specifiedBody([smartMeter, zon], topicsOf, at), at);
    }
    for (const label of ['2026-11-24', '2026-11']) {
      const { values, missing, meters, complete } = await added.balance(label, noon);
      should(meters.production).eql(['omvormer']);
      should(values).containEql({
        energy_production_kwh: null,
        energy_house_kwh: null,
        energy_self_consumed_kwh: null,
      });
      should(missing).containEql({ energy_production_kwh: 'not_measured', energy_house_kwh: 'not_measured' });
      should(values['energy_net_kwh']).be.a.Number();
      should(complete).be.false();
    }
  });
});

describe('a delivered meter of unknown kind', () => {
  const topics = ['realtime', 'reading', 'last/15minutes'];
  const withMeter = (key: string, ...channels: FakeMeter['channels'][number][]) =>
    delivered([smartMeter, { key, channels }], topics);

  it('takes the house alone where it could be a source: it has a power, or counts export', async () => {
    for (const [key, channel] of [
      ['garage', power('electric_power', -588)],
      ['omvormer', power('electric_power', -588)],
      ['garage', counter('electric_energy_export', 0.1)],
    ] as const) {
      const added = await withMeter(key, channel);
      for (const { values, missing, unknownMeters } of [
        await added.now(noon + 1000),
        await added.balance('2026-11-24', noon),
      ]) {
        should(unknownMeters).eql([key]);
        const [unknown, known] = [/house|self/, /import|export|net/];
        for (const [field, value] of Object.entries(values)) {
          if (unknown.test(field)) should({ field, value }).eql({ field, value: null });
          if (known.test(field)) should(value).be.a.Number();
        }
        for (const [field, reason] of Object.entries(missing)) {
          should({ field: unknown.test(field), reason }).eql({ field: true, reason: 'unknown_meter' });
        }
      }
    }
  });

  it('takes nothing where it counts use only', async () => {
    const added = await withMeter('garage', counter('electric_energy_import', 0.1), power('electric_power_import', 90));
    for (const { values, unknownMeters } of [await added.now(noon + 1000), await added.balance('2026-11-24', noon)]) {
      should(unknownMeters).equal(undefined);
      should(values['energy_house_kwh'] ?? values['power_house_w']).be.a.Number();
    }
  });
});

describe('a smart meter without its tariffs', () => {
  it('is one by the key that its monitor gives it', async () => {
    for (const key of ['smartmeter-dsmr', 'hoofdmeter', 'Slimme meter']) {
      const channels = [counter('electric_energy_import', 0.4), counter('electric_energy_export', 0.1)];
      const added = await delivered(
        [{ key, channels: [...channels, power('electric_power', 300)] }],
        ['reading', 'realtime'],
      );
      const { values, meters } = await added.balance('2026-11-24', noon);
      should(meters.grid).eql([key]);
      should(values['energy_house_kwh']).be.approximately(12 * 0.4, 1e-6);
      should((await added.now(noon + 1000)).values['power_house_w']).equal(300);
    }
  });
});
