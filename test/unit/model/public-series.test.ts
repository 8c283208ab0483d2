/** Time series of the public API as payloads: days of the installation's zone, and other possible contents. */
import should from 'should';
import { roleByNode } from '../../../src/model/meter-table';
import type { SeriesPayload } from '../../../src/model/payload';
import { describePublicMeter, fieldWithUnit, roleOfWords, seriesField } from '../../../src/model/public-meters';
import { normalizePublicSeries, type PublicSeriesInput } from '../../../src/model/public-series';
import type { PublicChannel } from '../../../src/protocol/responses';
import { momentOf, MONITOR, SOURCE, valid, withSchemas } from '../../support/model/wire';
import { type Entry, samples } from '../../support/model/samples';

const energy: PublicChannel = {
  id: 3,
  key: 'electric_energy_import',
  label: 'Energie afname',
  unit: 'kWh',
  aggregation: 'COUNTER',
};

/** Midnights in Amsterdam around the day of 25 hours, 25 October 2026. */
const midnights = ['2026-10-23T22:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z', '2026-10-26T23:00Z'].map(momentOf);
const [saturday = NaN, sunday = NaN, monday = NaN, tuesday = NaN] = midnights;

function normalize(entries: readonly Entry[], given: Partial<PublicSeriesInput> = {}): SeriesPayload {
  return valid(
    normalizePublicSeries({
      samples: samples(entries),
      channel: energy,
      resolution: 'day',
      count: 3,
      timezone: 'Europe/Amsterdam',
      now: momentOf('2026-10-26T12:00Z'),
      monitor: MONITOR,
      meter: { key: 'smartmeter-dsmr', role: 'grid' },
      source: SOURCE,
      ...given,
    }),
  );
}

describe('public time series', () => {
  withSchemas();

  it('are days up to the current one, with field, unit and meaning from the channel', () => {
    const payload = normalize([
      [saturday, 1.25],
      [sunday, 2.5],
      [monday, 0.5],
    ]);
    should(payload).match({
      kind: 'series',
      id: 'sr:001122aabbcc:smartmeter-dsmr:electric_energy_import:day:2026-10-24/2026-10-26',
      ts: saturday,
      meter: { key: 'smartmeter-dsmr', role: 'grid' },
      channel: { key: 'electric_energy_import', id: 3, unit: 'kWh', aggregation: 'COUNTER' },
      period: {
        unit: 'recent',
        label: '2026-10-24/2026-10-26',
        start: saturday,
        end: tuesday,
        step: 'P1D',
        resolution: 'day',
        count: 3,
      },
      stats: { expected: 3, received: 3, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
      complete: false,
    });
    payload.fields.should.eql({
      energy_import_kwh: { unit: 'kWh', semantics: 'energy', unitSource: 'monitor', semanticsSource: 'assumed' },
    });
    payload.points.should.eql([
      { ts: saturday, energy_import_kwh: 1.25 },
      { ts: sunday, energy_import_kwh: 2.5 },
      { ts: monday, energy_import_kwh: 0.5 },
    ]);
  });

  it('have null for a missing value, and a real zero as zero', () => {
    const { points, stats } = normalize([
      [monday, 0],
      [saturday, null],
    ]);
    points.map((point) => point['energy_import_kwh']).should.eql([null, null, 0]);
    stats.should.containEql({ expected: 3, received: 1, gaps: 2 });
  });

  it('are assigned by the time of each entry, in any order and at any time of the day', () => {
    const { points, stats } = normalize([
      [monday + 3_600_000, 3],
      [sunday + 24.5 * 3_600_000, 2],
      [saturday - 1, 9],
      [monday, 7],
    ]);
    points.map((point) => point['energy_import_kwh']).should.eql([null, 2, 3]);
    stats.should.containEql({ received: 2, duplicates: 1, outside: 1 });
  });

  it("end with the monitor's current day if its clock is slightly ahead or behind", () => {
    const early = normalize([[monday, 1]], { now: momentOf('2026-10-25T22:30Z') });
    should([early.period.label, early.points.at(-1)]).eql([
      '2026-10-24/2026-10-26',
      { ts: monday, energy_import_kwh: 1 },
    ]);
    const late = normalize([[sunday, 1]], { now: momentOf('2026-10-26T00:30Z') });
    should([late.period.label, late.stats.received]).eql(['2026-10-23/2026-10-25', 1]);
  });

  it('ignore a clock of the monitor far in the future', () => {
    const { period, stats } = normalize([[momentOf('2031-01-01T00:00Z'), 1]]);
    should(period.label).equal('2026-10-24/2026-10-26');
    stats.should.containEql({ received: 0, gaps: 3, outside: 1 });
  });

  it('have days without values for missing entries', () => {
    const { points, period, complete } = normalize([], { count: 1 });
    should(period.label).equal('2026-10-26/2026-10-26');
    points.should.eql([{ ts: monday, energy_import_kwh: null }]);
    complete.should.be.false();
  });

  it('skip the day that a zone skipped', () => {
    const { points, period } = normalize([], {
      timezone: 'Pacific/Apia',
      now: momentOf('2012-01-01T12:00Z'),
      count: 4,
    });
    // 30 December 2011 did not exist.
    points.should.have.length(4);
    should(period.label).equal('2011-12-29/2012-01-02');
  });

  it('do not go back before 2010', () => {
    const { points, stats } = normalize([[monday, 1]], { count: 50_000 });
    should(new Date(points[0]?.ts ?? 0).getUTCFullYear()).be.within(2009, 2010);
    stats.should.containEql({ expected: points.length, received: 1 });
  });

  it('of another resolution keep their entries in order of time, without a step', () => {
    const [first, second, third] = [
      momentOf('2026-10-26T09:00Z'),
      momentOf('2026-10-26T10:00Z'),
      momentOf('2026-10-26T11:00Z'),
    ];
    const payload = normalize(
      [
        [third, 3],
        [first, null],
        [second, 2],
        [second, null],
        [momentOf('2027-01-01T00:00Z'), 9],
      ],
      { resolution: 'hour', count: 24 },
    );
    should(payload.period).match({
      unit: 'recent',
      step: null,
      resolution: 'hour',
      count: 24,
      start: first,
      end: momentOf('2026-10-26T12:00Z'),
      label: '2026-10-26T09:00:00.000Z/2026-10-26T11:00:00.000Z',
    });
    payload.points.map((point) => point['energy_import_kwh']).should.eql([null, 2, 3]);
    payload.stats.should.eql({ expected: 24, received: 2, gaps: 22, duplicates: 1, futureTrimmed: 1, outside: 0 });
  });

  it('of another resolution may be empty', () => {
    const { points, ts, stats } = normalize([], { resolution: 'minute', count: 5 });
    should([points, ts, stats.gaps]).eql([[], momentOf('2026-10-26T12:00Z'), 5]);
  });

  it('have the same id when the same days are requested again', () => {
    const one = normalize([[monday, 1]]);
    const other = normalize([[monday, 2]], { now: momentOf('2026-10-26T13:00Z') });
    one.id.should.equal(other.id);
    one.id.should.not.equal(normalize([[monday, 1]], { channel: { ...energy, key: 'voltage' } }).id);
  });
});

describe('fields with the unit that the monitor tells', () => {
  const rows: readonly [string, string | null, string | null, string, string | null, string, string][] = [
    // channel, unit, aggregation → field, unit, semantics, unitSource
    ['electric_power_import', 'W', 'AVG', 'power_import_w', 'W', 'average', 'monitor'],
    ['electric_power_import', 'kW', 'AVG', 'electric_power_import', 'kW', 'average', 'monitor'],
    ['electric_energy_export', 'kWh', 'COUNTER', 'energy_export_kwh', 'kWh', 'energy', 'monitor'],
    ['electric_energy_export', 'Wh', 'PULSE', 'electric_energy_export', 'Wh', 'energy', 'monitor'],
    ['electric_usage_energy', 'kWh', 'CALCULATED', 'home_energy_kwh', 'kWh', 'energy', 'monitor'],
    ['electric_usage_power', 'W', 'CALCULATED', 'home_power_w', 'W', 'average', 'monitor'],
    ['volume', 'm3', 'COUNTER', 'water_m3', 'm³', 'volume', 'monitor'],
    ['volume', 'L', 'PULSE', 'volume', 'L', 'volume', 'monitor'],
    ['flow', 'l/min', 'AVG', 'flow_lpm', 'L/min', 'average', 'monitor'],
    ['tariff_import_low', 'EUR/kWh', 'TARIFF', 'price_import_low', 'EUR/kWh', 'reading', 'monitor'],
    ['tariff_import_low', '%', 'TARIFF', 'tariff_import_low', '%', 'reading', 'monitor'],
    ['temperature', '°C', 'AVG', 'temperature', '°C', 'average', 'monitor'],
    ['heat', 'kWh', 'DERIVED', 'heat', 'kWh', 'energy', 'monitor'],
    ['ts', 'W', 'AVG', 'ts_raw', 'W', 'average', 'monitor'],
    ['electric_power_import', null, null, 'power_import_w', 'W', 'average', 'assumed'],
    ['temperature', null, 'AVG', 'temperature', null, 'average', 'assumed'],
  ];
  for (const [channel, unit, aggregation, name, saidUnit, semantics, unitSource] of rows) {
    it(`${channel} in ${unit ?? 'no unit'}, ${aggregation ?? 'no aggregation'}, is ${name}`, () => {
      const semanticsSource = aggregation === 'AVG' ? 'monitor' : 'assumed';
      seriesField(channel, 'water', unit, aggregation).should.eql({
        name,
        unit: saidUnit,
        semantics,
        unitSource,
        semanticsSource,
      });
    });
  }

  it('a reading keeps its meaning', () => {
    fieldWithUnit('electric_energy_import', 'grid', 'reading', 'kWh').semantics.should.equal('reading');
  });
});

describe('roles in the words of the monitor', () => {
  it('are found in parts of the words, first in the role and then in the type', () => {
    should(roleOfWords('grid-connection', 'electricity')).equal('grid');
    should(roleOfWords('gas-grid-connection', 'gas')).equal('gas');
    should(roleOfWords(null, 'Water')).equal('water');
    should(roleOfWords('solar-inverter', 'gas')).equal('production');
    should(roleOfWords('something', 'electricity')).be.null();
    should(roleOfWords(undefined, null)).be.null();
  });

  it('are replaced by the role that a user sets', () => {
    const meter = { id: 1, key: 'zon', label: null, type: 'electricity', role: null, channels: [] };
    describePublicMeter(meter).should.eql({ key: 'zon', role: null, type: 'electricity' });
    roleByNode('production', describePublicMeter(meter)).should.eql({
      key: 'zon',
      role: 'production',
      type: 'electricity',
    });
  });
});
