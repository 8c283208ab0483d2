import should from 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { hourMs, minuteMs } from '../../../src/time/units';
import { withSchemas } from '../../support/model/wire';
import type { Entry } from '../../support/model/samples';
import { everyDay, everyMinute, normalize, ZONE } from '../../support/model/series';

describe('normalizeSeries', () => {
  withSchemas();

  describe('gas within a day', () => {
    const asked = { label: '2026-10-25', alias: 'p1-gas', role: 'gas' } as const;
    const { start, end } = periodFromLabel('2026-10-25', ZONE);
    const every = (step: number): Entry[] => {
      const entries: Entry[] = [];
      for (let time: number = start; time < end; time += step) entries.push([time, 0.25]);
      return entries.reverse();
    };

    for (const [step, name, count, field, unit, semantics, unitSource] of [
      [hourMs, 'PT1H', 25, 'gas_m3', 'm³', 'volume', 'specification'],
      [5 * minuteMs, 'PT5M', 300, 'gas_lpm', 'L/min', 'average', 'assumed'],
      [minuteMs, 'PT1M', 1500, 'gas_lpm', 'L/min', 'average', 'assumed'],
    ] as const) {
      it(`every ${step / minuteMs} minutes is ${field} per ${name}`, () => {
        const { period, fields, points, complete } = normalize({ gas: every(step) }, asked);
        period.step.should.equal(name);
        fields.should.eql({ [field]: { unit, semantics, unitSource, semanticsSource: 'assumed' } });
        points.should.have.length(count);
        complete.should.be.true();
      });
    }

    it('TD13: keeps its step across gaps', () => {
      const entries = every(hourMs).filter((_, index) => index % 5 !== 0);
      normalize({ gas: entries }, asked).stats.should.containEql({ expected: 25, received: 20, gaps: 5 });
      const fine = every(5 * minuteMs).filter((_, index) => index < 3 || index > 200);
      normalize({ gas: fine }, asked).period.step.should.equal('PT5M');
    });

    it('TD15: is a flow when one distance shows it, for any number of missing samples, and shows the gaps', () => {
      const moments = (...minutes: number[]): Entry[] => minutes.map((minute) => [start + minute * minuteMs, 2]);
      // Minutes after midnight → step.
      const rows: readonly (readonly [number[], string])[] = [
        [[480, 485, 720], 'PT5M'],
        [[480, 540, 600, 660, 685, 720, 780], 'PT5M'],
        [[480, 481, 720], 'PT1M'],
        [[485, 730], 'PT5M'],
        [[480, 720], 'PT1H'],
        [[480, 540, 1439], 'PT1H'],
      ];
      for (const [minutes, step] of rows) {
        normalize({ gas: moments(...minutes) }, asked).period.step.should.equal(step, minutes.join());
      }
      const { fields, points, stats, complete } = normalize({ gas: moments(480, 485, 720) }, asked);
      Object.keys(fields).should.eql(['gas_lpm']);
      points.filter(({ gas_lpm }) => gas_lpm !== null).should.have.length(3);
      stats.should.eql({ expected: 300, received: 3, gaps: 297, duplicates: 0, futureTrimmed: 0, outside: 0 });
      complete.should.be.false();
    });

    it('ignores the distance of duplicates', () => {
      const entries = every(hourMs).flatMap(([time, value]): Entry[] => [
        [time, value],
        [time + 20, value],
      ]);
      const { period, stats } = normalize({ gas: entries }, asked);
      period.step.should.equal('PT1H');
      stats.should.containEql({ received: 25, gaps: 0, duplicates: 25 });
    });

    it('ignores the entry of the last minute of the day', () => {
      const entries: Entry[] = [
        [end - minuteMs, null],
        [start + 5 * minuteMs, 1],
        [start, 1],
      ];
      normalize({ gas: entries }, { ...asked, now: '2026-10-24T22:10:00Z' }).period.step.should.equal('PT5M');
    });

    it('ignores a single sample on the hour until that hour is over, because its unit is unknown until then', () => {
      const entries: Entry[] = [[start, 0.5]];
      const early = normalize({ gas: entries }, { ...asked, now: '2026-10-24T22:04:00Z' });
      early.points.should.eql([]);
      const late = normalize({ gas: entries }, { ...asked, now: '2026-10-24T23:00:00Z' });
      late.points.should.eql([{ ts: start, gas_m3: 0.5 }]);
      const off = normalize({ gas: [[start + 5 * minuteMs, 0.5]] }, { ...asked, now: '2026-10-24T22:10:00Z' });
      off.points.should.eql([
        { ts: start, gas_lpm: null },
        { ts: start + 5 * minuteMs, gas_lpm: 0.5 },
      ]);
    });

    it('besides power is in the first minute of its hour, and is no gap in the others', () => {
      const power = everyMinute('2026-10-25');
      const { period, fields, points, stats, complete } = normalize(
        { electric_power: power, gas: every(hourMs) },
        asked,
      );
      period.step.should.equal('PT1M');
      Object.keys(fields).should.eql(['power_w', 'gas_m3']);
      points
        .filter(({ gas_m3 }) => gas_m3 !== null)
        .map(({ ts }) => (ts - start) / hourMs)
        .should.eql(Array.from({ length: 25 }, (_, hour) => hour));
      stats.gaps.should.equal(0);
      complete.should.be.true();
    });
  });

  describe('gas and water as register readings', () => {
    const day = { label: '2026-10-24', alias: 'p1-gas', role: 'gas' } as const;
    const { start, end } = periodFromLabel('2026-10-24', ZONE);
    const counter = { unit: 'm³', unitSource: 'specification', semanticsSource: 'data' };
    const fields = {
      gas_m3: { ...counter, semantics: 'volume' },
      gas_reading_m3: { ...counter, semantics: 'reading' },
    };
    /** Readings by hours after midnight. */
    const readings = (...hours: (readonly [hour: number, value: number])[]): Entry[] =>
      hours.map(([hour, value]) => [start + hour * hourMs, value]);

    it('TD21: returns the volume of each hour, and the register reading', () => {
      const entries = Array.from({ length: 25 }, (_, hour): [number, number] => [hour, 5400 + hour / 4]);
      const payload = normalize({ gas: readings(...entries).reverse() }, day);
      payload.period.step.should.equal('PT1H');
      payload.fields.should.eql(fields);
      payload.points.should.eql(
        Array.from({ length: 24 }, (_, hour) => ({
          ts: start + hour * hourMs,
          gas_m3: 0.25,
          gas_reading_m3: 5400 + hour / 4,
        })),
      );
      payload.stats.should.eql({ expected: 24, received: 24, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 1 });
      payload.complete.should.be.true();
    });

    it('gives no amount if the reading before or after is missing', () => {
      const { points, stats } = normalize({ gas: readings([0, 5400], [1, 5401], [3, 5404]) }, day);
      points
        .slice(0, 4)
        .map(({ gas_m3 }) => gas_m3)
        .should.eql([1, null, null, null]);
      points
        .slice(0, 4)
        .map(({ gas_reading_m3 }) => gas_reading_m3)
        .should.eql([5400, 5401, null, 5404]);
      stats.should.containEql({ expected: 24, received: 3, gaps: 21 });
    });

    it('assigns a reading at the end of a slot to that end', () => {
      const { points } = normalize({ gas: readings([0.99, 5400], [1.99, 5401], [2.99, 5403]) }, day);
      points
        .slice(0, 4)
        .map(({ gas_m3 }) => gas_m3)
        .should.eql([null, 1, 2, null]);
    });

    it('distinguishes it from a flow: m³ of five minutes, no litres', () => {
      const entries = Array.from({ length: 289 }, (_, slot): Entry => [start + slot * 5 * minuteMs, 5400 + slot / 100]);
      const payload = normalize({ gas: entries }, day);
      payload.period.step.should.equal('PT5M');
      payload.fields.should.eql(fields);
      should(payload.points[7]?.['gas_m3']).be.approximately(0.01, 1e-9);
      should(payload.points[287]?.['gas_m3']).be.approximately(0.01, 1e-9);
    });

    it('exists in a month, for water as well, with the current day so far', () => {
      const entries = everyDay((date) => (date <= 20 ? 300 + 2 * date : 0)).map(([time, value]): Entry => [
        time - 13 * hourMs,
        value,
      ]);
      const asked = { label: '2026-10', now: '2026-10-20T10:00:00Z', alias: 'pulse-2', role: 'water' } as const;
      const { points, stats, ...payload } = normalize({ volume: entries }, asked);
      Object.keys(payload.fields).should.eql(['water_m3', 'water_reading_m3']);
      points.should.have.length(20);
      points.map(({ water_m3 }) => water_m3).should.eql([...new Array<number>(19).fill(2), null]);
      stats.should.containEql({ expected: 20, received: 20, gaps: 0, futureTrimmed: 11 });
    });

    it('continues with the readings of the new meter on the day of a replacement', () => {
      const { fields: found, points } = normalize({ gas: readings([0, 5400], [1, 5400.25], [2, 0], [3, 0.5]) }, day);
      found.should.eql(fields);
      points
        .slice(0, 4)
        .map(({ gas_m3 }) => gas_m3)
        .should.eql([0.25, null, 0.5, null]);
    });

    it('is detected for a new meter by twelve readings of a day that never fall', () => {
      const hours = (count: number, of: (hour: number) => number): Entry[] =>
        readings(...Array.from({ length: count }, (_, hour): [number, number] => [hour, of(hour)]));
      const fieldsOf = (gas: Entry[]): string[] => Object.keys(normalize({ gas }, day).fields);
      const { fields, points } = normalize({ gas: hours(24, (hour) => 5 + hour / 8) }, day);
      Object.keys(fields).should.eql(['gas_m3', 'gas_reading_m3']);
      should(points[7]).containEql({ gas_m3: 0.125, gas_reading_m3: 5.875 });
      fieldsOf(hours(11, (hour) => 5 + hour / 8)).should.eql(['gas_m3']);
      fieldsOf(hours(24, () => 0.125)).should.eql(['gas_m3']);
      fieldsOf(hours(24, (hour) => hour / 8)).should.eql(['gas_m3']);
    });

    it('is not detected for a flow that rises through the first minutes of a day', () => {
      // A smart meter sends gas every five minutes, so three values stand in fifteen minutes.
      const flow = Array.from({ length: 15 }, (_, minute): Entry => [
        start + minute * minuteMs,
        1 + Math.floor(minute / 5),
      ]);
      const { fields: found, points } = normalize({ gas: flow, electric_power: everyMinute('2026-10-24') }, day);
      should(Object.keys(found)).containEql('gas_lpm').and.not.containEql('gas_reading_m3');
      should(points[7]).containEql({ gas_lpm: 2 });
    });

    it('is not detected for values that fall, or that a meter can count in a step', () => {
      const amounts: readonly (readonly [string, Entry[]])[] = [
        ['gas_m3', readings([0, 50], [1, 60], [2, 55])],
        ['gas_m3', readings([0, 38], [1, 39], [2, 40])],
        ['gas_m3', readings([0, 0.25], [1, 0.25], [2, 9])],
        [
          'gas_lpm',
          [
            [start, 600],
            [start + 5 * minuteMs, 610],
            [end - 5 * minuteMs, 700],
          ],
        ],
      ];
      for (const [name, entries] of amounts) {
        Object.keys(normalize({ gas: entries }, day).fields).should.eql([name]);
      }
      const month = normalize({ gas: everyDay((date) => 900 + date) }, { ...day, label: '2026-10' });
      Object.keys(month.fields).should.eql(['gas_m3']);
    });

    it('is in the first minute of its hour besides power per minute', () => {
      const gas = readings(...Array.from({ length: 25 }, (_, hour): [number, number] => [hour, 5400 + hour]));
      const { points } = normalize({ electric_power: everyMinute('2026-10-24'), gas }, day);
      points
        .filter(({ gas_reading_m3 }) => gas_reading_m3 !== null)
        .map(({ ts, gas_m3 }) => [(ts - start) / hourMs, gas_m3])
        .should.eql(Array.from({ length: 24 }, (_, hour) => [hour, 1]));
    });
  });
});
