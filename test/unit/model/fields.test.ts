import should from 'should';
import { fieldOf, assignFields, isLive, isMeterReading, type FieldContext } from '../../../src/model/channel-fields';
import { kinds, rows } from '../../../src/model/fields';
import type { Role } from '../../../src/model/payload';

/** Each row of the table in docs/fields.md. */
const TABLE: readonly (readonly [
  channel: string,
  role: Role | null,
  context: FieldContext,
  field: string,
  unit: string | null,
])[] = [
  ['electric_power', 'grid', 'reading', 'power_w', 'W'],
  ['electric_power', null, 'PT1M', 'power_w', 'W'],
  ['electric_power_import', 'grid', 'reading', 'power_import_w', 'W'],
  ['electric_power_export', 'grid', 'reading', 'power_export_w', 'W'],
  ['electric_power_l1', 'grid', 'reading', 'power_l1_w', 'W'],
  ['electric_power_l3', 'grid', 'reading', 'power_l3_w', 'W'],
  ['electric_usage_power', 'consumption', 'reading', 'home_power_w', 'W'],
  ['t1', 'grid', 'reading', 'energy_import_t1_kwh', 'kWh'],
  ['t2', 'grid', 'reading', 'energy_import_t2_kwh', 'kWh'],
  ['t3', 'grid', 'reading', 'energy_export_t1_kwh', 'kWh'],
  ['t4', 'grid', 'reading', 'energy_export_t2_kwh', 'kWh'],
  ['t1', 'production', 'reading', 'energy_production_t1_kwh', 'kWh'],
  ['t2', 'production', 'reading', 'energy_production_t2_kwh', 'kWh'],
  ['t3', 'production', 'reading', 'energy_own_use_t1_kwh', 'kWh'],
  ['t4', 'production', 'reading', 'energy_own_use_t2_kwh', 'kWh'],
  ['t1', 'battery', 'reading', 'energy_battery_charged_t1_kwh', 'kWh'],
  ['t2', 'battery', 'reading', 'energy_battery_charged_t2_kwh', 'kWh'],
  ['t3', 'battery', 'reading', 'energy_battery_discharged_t1_kwh', 'kWh'],
  ['t4', 'battery', 'reading', 'energy_battery_discharged_t2_kwh', 'kWh'],
  ['electric_power', 'battery', 'PT1M', 'power_w', 'W'],
  ['t1', 'consumption', 'reading', 'energy_import_t1_kwh', 'kWh'],
  ['t3', null, 'reading', 'energy_export_t1_kwh', 'kWh'],
  ['electric_energy', 'grid', 'reading', 'energy_net_t1_kwh', 'kWh'],
  ['electric_energy_low', 'grid', 'P1D', 'energy_net_t1_kwh', 'kWh'],
  ['electric_energy_high', 'grid', 'P1D', 'energy_net_t2_kwh', 'kWh'],
  ['electric_energy_import', 'grid', 'reading', 'energy_import_kwh', 'kWh'],
  ['electric_energy_import_t2', 'grid', 'reading', 'energy_import_t2_kwh', 'kWh'],
  ['electric_energy_export_l1', 'grid', 'reading', 'energy_export_l1_kwh', 'kWh'],
  ['electric_usage_energy', 'consumption', 'reading', 'home_energy_kwh', 'kWh'],
  ['gas', 'gas', 'reading', 'gas_m3', 'm³'],
  ['gas', 'grid', 'P1D', 'gas_m3', 'm³'],
  ['gas', 'gas', 'PT1H', 'gas_m3', 'm³'],
  ['gas', 'gas', 'PT5M', 'gas_lpm', 'L/min'],
  ['gas', 'gas', 'PT1M', 'gas_lpm', 'L/min'],
  ['volume', 'water', 'reading', 'water_m3', 'm³'],
  ['volume', 'gas', 'reading', 'gas_m3', 'm³'],
  ['volume', null, 'reading', 'volume_m3', 'm³'],
  ['flow', 'water', 'reading', 'flow_lpm', 'L/min'],
  ['voltage', null, 'reading', 'voltage_v', 'V'],
  ['voltage_l2', null, 'reading', 'voltage_l2_v', 'V'],
  ['rate', 'grid', 'reading', 'tariff', null],
  ['switch', 'grid', 'reading', 'switch_raw', null],
  ['tariff_import_low', null, 'reading', 'price_import_low', 'currency/kWh'],
  ['tariff_export_high', null, 'reading', 'price_export_high', 'currency/kWh'],
  ['frequency', null, 'reading', 'frequency', null],
  ['ts', null, 'reading', 'ts_raw', null],
  ['__proto__', null, 'reading', '__proto___raw', null],
  ['constructor', null, 'reading', 'constructor', null],
];

describe('the field table', () => {
  for (const [channel, role, context, name, unit] of TABLE) {
    it(`${channel}, ${role ?? 'no role'}, ${context} → ${name}`, () => {
      fieldOf(channel, role, context).should.containEql({ name, unit });
    });
  }

  const meanings: readonly (readonly [string, FieldContext, string, string])[] = [
    ['electric_power', 'PT1M', 'average', 'specification'],
    ['electric_energy_low', 'P1D', 'energy', 'assumed'],
    ['electric_energy_high', 'P1D', 'energy', 'specification'],
    ['electric_energy', 'reading', 'reading', 'specification'],
    ['t1', 'P1D', 'reading', 'specification'],
    ['gas', 'PT1H', 'volume', 'specification'],
    ['gas', 'PT5M', 'average', 'assumed'],
    ['gas', 'reading', 'reading', 'specification'],
    ['voltage', 'reading', 'average', 'assumed'],
    ['frequency', 'PT1M', 'reading', 'assumed'],
  ];
  for (const [channel, context, semantics, unitSource] of meanings) {
    it(`${channel} in ${context} is ${semantics}, its unit ${unitSource}`, () => {
      fieldOf(channel, null, context).should.containEql({ semantics, unitSource });
    });
  }

  it('assumes the undocumented meaning of a value per step, but not of a reading', () => {
    for (const channel of ['electric_power', 'electric_energy_high', 'gas', 'volume']) {
      fieldOf(channel, null, 'P1D').semanticsSource.should.equal('assumed');
      fieldOf(channel, null, 'reading').semanticsSource.should.equal('specification');
    }
  });

  it('distinguishes meter readings from current values', () => {
    for (const channel of ['t1', 'electric_energy', 'gas', 'volume']) isMeterReading(channel).should.be.true();
    for (const channel of ['electric_power', 'flow', 'rate', 'frequency']) isMeterReading(channel).should.be.false();
    for (const channel of ['electric_power', 'flow', 'voltage']) isLive(channel).should.be.true();
    for (const channel of ['t1', 'gas', 'rate', 'switch', 'frequency']) isLive(channel).should.be.false();
  });

  it('has names that end with the unit of their kind', () => {
    for (const [name, { kind }] of Object.entries(rows)) {
      const { suffix } = kinds[kind];
      if (suffix !== null) name.should.endWith(`_${suffix}`);
    }
  });

  it('gives two channels different fields and drops none', () => {
    const names = (channels: string[], role: Role | null) =>
      [...assignFields(channels, role, () => 'reading')].map(([channel, { name }]) => [channel, name]);
    names(['electric_energy', 'electric_energy_low'], 'grid').should.eql([
      ['electric_energy_low', 'energy_net_t1_kwh'],
      ['electric_energy', 'electric_energy'],
    ]);
    names(['power_w', 'electric_power'], 'grid').should.eql([
      ['electric_power', 'power_w'],
      ['power_w', 'power_w_raw'],
    ]);
    names(['volume', 'gas'], 'gas').should.eql([
      ['gas', 'gas_m3'],
      ['volume', 'volume'],
    ]);
  });

  it('does not depend on the order of channels', () => {
    const channels = ['zulu', 't2', 'electric_power', 'alpha', 't1'];
    const one = assignFields(channels, 'grid', () => 'reading');
    should([...one.keys()]).eql(['electric_power', 't1', 't2', 'zulu', 'alpha']);
  });
});
