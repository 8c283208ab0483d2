import should from 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { minuteMs } from '../../../src/time/units';
import { momentOf, MONITOR, SOURCE, withSchemas } from '../../support/model/wire';
import type { Entry } from '../../support/model/samples';
import { everyDay, everyMinute, normalize, ZONE } from '../../support/model/series';

describe('normalizeSeries', () => {
  withSchemas();

  describe('a day', () => {
    it('returns the documented payload with ascending points', () => {
      const { start, end } = periodFromLabel('2026-10-24', ZONE);
      const payload = normalize({ electric_power: everyMinute('2026-10-24') }, { label: '2026-10-24' });
      const { points, ...rest } = payload;
      rest.should.eql({
        schema: 'cemm/1',
        kind: 'series',
        id: 'sr:001122aabbcc:s01:day:2026-10-24',
        ts: start,
        time: '2026-10-23T22:00:00.000Z',
        monitor: MONITOR,
        meter: { alias: 's01', role: null },
        period: { unit: 'day', label: '2026-10-24', timezone: ZONE, start, end, step: 'PT1M' },
        fields: {
          power_w: { unit: 'W', semantics: 'average', unitSource: 'specification', semanticsSource: 'assumed' },
        },
        stats: { expected: 1440, received: 1440, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
        complete: true,
        source: SOURCE,
      });
      points.should.eql(
        Array.from({ length: 1440 }, (_, minute) => ({ ts: start + minute * minuteMs, power_w: minute })),
      );
    });

    for (const [label, minutes] of [
      ['2026-03-29', 1380],
      ['2026-10-25', 1500],
    ] as const) {
      it(`of ${minutes} minutes is complete with ${minutes} points (${label})`, () => {
        const { points, stats, complete } = normalize({ electric_power: everyMinute(label) }, { label });
        points.should.have.length(minutes);
        stats.should.containEql({ expected: minutes, received: minutes, gaps: 0 });
        complete.should.be.true();
      });
    }

    it('TD2: separates both 02:30 when the clocks go back', () => {
      const [first, second] = [momentOf('2026-10-25T00:30:00Z'), momentOf('2026-10-25T01:30:00Z')];
      const { points } = normalize(
        {
          electric_power: [
            [second, 2],
            [first, 1],
          ],
        },
        { label: '2026-10-25' },
      );
      points
        .filter(({ power_w }) => power_w !== null)
        .should.eql([
          { ts: first, power_w: 1 },
          { ts: second, power_w: 2 },
        ]);
    });

    it('counts the 60 missing minutes of a 25 hour day of which a monitor sends 1440', () => {
      const entries = everyMinute('2026-10-25').slice(0, 1440);
      const { stats, complete } = normalize({ electric_power: entries }, { label: '2026-10-25' });
      stats.should.containEql({ expected: 1500, received: 1440, gaps: 60 });
      complete.should.be.false();
    });

    it('drops the 1441st slot, which is the next day’s first', () => {
      const { start, end } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [[end, 99], ...everyMinute('2026-10-24'), [start - 1, 98]];
      const { points, stats } = normalize({ electric_power: entries }, { label: '2026-10-24' });
      points.should.have.length(1440);
      stats.should.containEql({ received: 1440, outside: 2 });
    });

    it('shows gaps and nulls as null, real zeros as 0, and never -0', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [
        [start, -0],
        [start + minuteMs, 0],
        [start + 3 * minuteMs, null],
        [start + 4 * minuteMs, 7],
      ];
      const { points, stats } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-23T22:05:00Z' },
      );
      points.map(({ power_w }) => power_w).should.eql([0, 0, null, null, 7]);
      Object.is(points[0]?.['power_w'], 0).should.be.true();
      stats.should.containEql({ expected: 5, received: 3, gaps: 2 });
    });

    it('RA23: drops and counts a repeated time: a number wins over null, otherwise the last value wins', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [
        [start, 1],
        [start, 1],
        [start + minuteMs, 5],
        [start + minuteMs, 6],
        [start + 2 * minuteMs, 8],
        [start + 2 * minuteMs, null],
        [start + 3 * minuteMs, null],
        [start + 3 * minuteMs, 9],
      ];
      const { points, stats } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-23T22:04:00Z' },
      );
      points.map(({ power_w }) => power_w).should.eql([1, 6, 8, 9]);
      stats.should.containEql({ received: 4, duplicates: 4 });
    });

    it('keeps the later one of two samples in a slot', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [
        [start + 59_999, 2],
        [start + 1, 1],
      ];
      const { points, stats } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-23T22:01:00Z' },
      );
      points.should.eql([{ ts: start, power_w: 2 }]);
      stats.duplicates.should.equal(1);
    });

    it('LA9: ends a running day with the last complete minute, and trims the announced minute', () => {
      const { start, end } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [
        [end - minuteMs, null],
        [start + 2 * minuteMs, 3],
        [start + minuteMs, 2],
        [start, 1],
      ];
      const { points, stats, complete } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-23T22:04:30Z' },
      );
      points.map(({ power_w }) => power_w).should.eql([1, 2, 3, null]);
      stats.should.eql({ expected: 4, received: 3, gaps: 1, duplicates: 0, futureTrimmed: 1, outside: 0 });
      complete.should.be.false();
    });

    it('keeps the current minute if the monitor sends a value', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [
        [start + minuteMs, 2],
        [start, 1],
      ];
      const { points, stats } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-23T22:01:30Z' },
      );
      points.should.have.length(2);
      stats.should.containEql({ expected: 2, received: 2, gaps: 0 });
    });

    it('ignores 0 in the current minute, as in future minutes', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [0, 1, 2, 3].map((minute): Entry => [start + minute * minuteMs, 0]);
      const { points, stats } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-23T22:01:30Z' },
      );
      points.should.eql([{ ts: start, power_w: 0 }]);
      stats.should.containEql({ expected: 1, received: 1, gaps: 0, futureTrimmed: 3 });
    });

    it('TD16: does not expect the running minute, announced as null, at the end of a day', () => {
      const entries = everyMinute('2026-10-24', (minute) => (minute === 1439 ? null : 1));
      const { points, stats, complete } = normalize(
        { electric_power: entries },
        { label: '2026-10-24', now: '2026-10-24T21:59:20Z' },
      );
      points.should.have.length(1439);
      stats.should.containEql({ expected: 1439, received: 1439, gaps: 0, futureTrimmed: 1 });
      complete.should.be.false();
    });

    it('counts a last minute of null as a gap when the day is over', () => {
      const entries = everyMinute('2026-10-24', (minute) => (minute === 1439 ? null : 1));
      const { stats } = normalize({ electric_power: entries }, { label: '2026-10-24', now: '2026-10-24T22:00:00Z' });
      stats.should.containEql({ expected: 1440, received: 1439, gaps: 1 });
    });

    it('is not complete before its end, even with every minute so far', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      normalize(
        { electric_power: [[start, 1]] },
        { label: '2026-10-24', now: '2026-10-23T22:01:00Z' },
      ).complete.should.be.false();
    });

    it('gives a grid meter both directions and a production meter its production', () => {
      const { start } = periodFromLabel('2026-10-24', ZONE);
      const entries: Entry[] = [
        [start + 2 * minuteMs, 0],
        [start + minuteMs, -30],
        [start, 20],
      ];
      const asked = { label: '2026-10-24', now: '2026-10-23T22:04:00Z' };
      normalize({ electric_power: entries }, { ...asked, alias: 'p1', role: 'grid' }).points.should.eql([
        { ts: start, power_w: 20, power_import_w: 20, power_export_w: 0 },
        { ts: start + minuteMs, power_w: -30, power_import_w: 0, power_export_w: 30 },
        { ts: start + 2 * minuteMs, power_w: 0, power_import_w: 0, power_export_w: 0 },
        { ts: start + 3 * minuteMs, power_w: null, power_import_w: null, power_export_w: null },
      ]);
      normalize({ electric_power: entries }, { ...asked, role: 'production' }).points.should.containEql({
        ts: start + minuteMs,
        power_w: -30,
        power_production_w: -30,
      });
    });

    it('has no points without channels, and nulls for an empty channel', () => {
      const asked = { label: '2026-10-24', now: '2026-10-23T22:02:00Z' };
      const nothing = normalize({}, asked);
      nothing.points.should.eql([]);
      nothing.stats.should.containEql({ expected: 2, received: 0, gaps: 2 });
      normalize({ electric_power: [] }, asked)
        .points.map(({ power_w }) => power_w)
        .should.eql([null, null]);
    });

    it('of the future has no points', () => {
      const { points, stats, complete } = normalize(
        { electric_power: everyMinute('2026-10-24', () => 0) },
        { label: '2026-10-24', now: '2026-10-23T21:59:59Z' },
      );
      points.should.eql([]);
      stats.should.containEql({ expected: 0, received: 0, gaps: 0, futureTrimmed: 1440 });
      complete.should.be.false();
    });
  });

  describe('a month and a year', () => {
    const asked = { label: '2026-10', alias: 'p1', role: 'grid' } as const;

    it('merges both tariffs on one axis, whatever time of the day the monitor stamps, with their sum', () => {
      const payload = normalize(
        { electric_energy_low: everyDay((day) => day), electric_energy_high: everyDay((day) => -2 * day) },
        asked,
      );
      payload.period.step.should.equal('P1D');
      payload.fields.should.eql({
        energy_net_t1_kwh: { unit: 'kWh', semantics: 'energy', unitSource: 'assumed', semanticsSource: 'assumed' },
        energy_net_t2_kwh: {
          unit: 'kWh',
          semantics: 'energy',
          unitSource: 'specification',
          semanticsSource: 'assumed',
        },
        energy_net_kwh: { unit: 'kWh', semantics: 'energy', unitSource: 'assumed', semanticsSource: 'assumed' },
      });
      payload.points.should.have.length(31);
      should(payload.points[25]).eql({
        ts: Date.parse('2026-10-25T23:00:00Z'),
        energy_net_t1_kwh: 26,
        energy_net_t2_kwh: -52,
        energy_net_kwh: -26,
      });
      payload.complete.should.be.true();
    });

    it('gives no sum for a day with one tariff missing, and is not complete', () => {
      const low = everyDay((day) => day);
      const { points, stats, complete } = normalize(
        { electric_energy_low: low, electric_energy_high: low.filter((_, index) => index !== 3) },
        asked,
      );
      should(points[27]).containEql({ energy_net_t1_kwh: 28, energy_net_t2_kwh: null, energy_net_kwh: null });
      stats.should.containEql({ expected: 31, received: 30, gaps: 1 });
      complete.should.be.false();
    });

    it('gives no sum if one tariff of a P1 port is not offered', () => {
      const { points } = normalize({ electric_energy_low: everyDay(() => 1) }, asked);
      points.every(({ energy_net_kwh }) => energy_net_kwh === null).should.be.true();
    });

    it('has the sum of a single counter, and none if a second tariff is offered without entries', () => {
      const low = everyDay((day) => day);
      const single = normalize({ electric_energy: low }, { label: '2026-10' });
      should(single.points[4]).eql({ ts: single.points[4]?.ts, energy_net_t1_kwh: 5, energy_net_kwh: 5 });
      const { points } = normalize({ electric_energy: low, electric_energy_high: [] }, { label: '2026-10' });
      should(points[4]?.['energy_net_kwh']).be.null();
    });

    it('LA9: trims the zeros of future days and keeps the running day', () => {
      const now = '2026-10-20T10:00:00Z';
      const entries = everyDay((day) => (day <= 20 ? day : 0));
      const { points, stats, complete } = normalize({ gas: entries }, { ...asked, now });
      points.should.have.length(20);
      should(points.at(-1)).eql({ ts: Date.parse('2026-10-19T22:00:00Z'), gas_m3: 20 });
      stats.should.eql({ expected: 20, received: 20, gaps: 0, duplicates: 0, futureTrimmed: 11, outside: 0 });
      complete.should.be.false();
    });

    it('TD5: has twelve months, and gas as volume', () => {
      const entries = Array.from({ length: 12 }, (_, month): Entry => [Date.UTC(2026, month, 3), month]).reverse();
      const { period, points, fields, complete } = normalize({ gas: entries }, { ...asked, label: '2026' });
      period.step.should.equal('P1M');
      points.map(({ gas_m3 }) => gas_m3).should.eql([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      fields.should.eql({
        gas_m3: { unit: 'm³', semantics: 'volume', unitSource: 'specification', semanticsSource: 'assumed' },
      });
      complete.should.be.true();
    });

    it('RA22: passes on an unknown channel, and an empty one does not affect the rest', () => {
      const { points, complete } = normalize({ ts: everyDay(() => 1), new_channel: [] }, asked);
      should(points[0]).eql({ ts: Date.parse('2026-09-30T22:00:00Z'), ts_raw: 1, new_channel: null });
      complete.should.be.true();
    });
  });
});
