import 'should';
import { compareReadings } from '../../../src/model/totals';

describe('compareReadings', () => {
  it('reports a counter that is lower than before', () => {
    compareReadings(
      { energy_import_t1_kwh: 4310.5, gas_m3: 12 },
      { energy_import_t1_kwh: 3.25, gas_m3: 12.5 },
    ).should.eql([{ field: 'energy_import_t1_kwh', kind: 'fell', previous: 4310.5, current: 3.25 }]);
  });

  it('reports a counter at 0 as zero', () => {
    compareReadings({ gas_m3: 12 }, { gas_m3: 0 }).should.eql([
      { field: 'gas_m3', kind: 'zero', previous: 12, current: 0 },
    ]);
  });

  const quiet: readonly (readonly [string, Record<string, number | null>, Record<string, number | null>])[] = [
    ['a rise', { gas_m3: 12 }, { gas_m3: 13 }],
    ['the same reading', { gas_m3: 12 }, { gas_m3: 12 }],
    ['the rounding between both members', { energy_import_t2_kwh: 5459.44 }, { energy_import_t2_kwh: 5459.43 }],
    [
      'net energy, which may fall',
      { energy_net_kwh: 5, energy_net_t1_kwh: 5 },
      { energy_net_kwh: 1, energy_net_t1_kwh: 1 },
    ],
    ['power', { power_w: 500 }, { power_w: 0 }],
    ['a value that is missing now', { gas_m3: 12 }, { gas_m3: null }],
    ['a value that was missing before', { gas_m3: null }, { gas_m3: 1 }],
    ['a field that is new', {}, { gas_m3: 1 }],
    ['a meter that was at zero', { gas_m3: 0 }, { gas_m3: 0 }],
  ];
  for (const [name, previous, current] of quiet) {
    it(`ignores ${name}`, () => {
      compareReadings(previous, current).should.eql([]);
    });
  }

  for (const field of [
    'energy_export_kwh',
    'energy_production_t2_kwh',
    'energy_own_use_t1_kwh',
    'energy_import_l3_kwh',
    'home_energy_kwh',
    'water_m3',
    'volume_m3',
  ]) {
    it(`compares ${field}`, () => {
      compareReadings({ [field]: 100 }, { [field]: 99 }).should.have.length(1);
    });
  }
});
