/** What prices need beside the counters at the borders of a period (src/balance/requests/price-needs.ts). */
import should from 'should';
import { needsOf } from '../../../src/balance/requests/price-needs';
import { period, prices } from '../../support/balance/small-house';

const hourMs = 3_600_000;

describe('what prices need', () => {
  const needs = (label: string, input: object, wantsPeak = false) =>
    needsOf(prices({ currency: 'EUR', ...input }), period(label), { wantsPeak, wantsHours: false, hasTotals: true });
  const changes = (...starts: string[]) => starts.map((from, index) => ({ start: from, value: index / 10 }));

  it('are the minutes of the grid for a peak, in a month and in a year', () => {
    const peak = { peak: { per_kw_year: 50 } };
    should(needs('2026-06', peak).minutesOf).deepEqual(['grid']);
    should(needs('2026', peak).minutesOf).deepEqual(['grid']);
    should(needs('2026-06-15', peak).minutesOf).deepEqual([]);
    should(needs('2026-06', { import: 0.2 }, true).minutesOf).deepEqual(['grid']);
    should(needs('2026', { import: 0.2 }, true).minutesOf).deepEqual([]);
  });

  it('are the minutes of a month for what changes within a day, and nothing for a change at midnight', () => {
    should(needs('2026-06', { export: changes('2026-06-01', '2026-06-10T06:00') }).minutesOf).deepEqual(['grid']);
    should(needs('2026-06', { gas: changes('2026-05-01T06:00', '2026-06-10T06:00') }).minutesOf).deepEqual(['gas']);
    should(needs('2026-06', { import: changes('2026-06-01', '2026-06-10'), gas: changes('2026-05-02') })).deepEqual({
      minutesOf: [],
      keptMinutesOf: [],
      midnights: [],
    });
  });

  it('are the readings of the midnights of a year at which a price changes, unless they are many', () => {
    const twice = { import: changes('2026-01-01', '2026-07-15', '2026-08-01T06:00'), water: changes('2026-02-03') };
    const { midnights } = needs('2026', twice);
    should(midnights).deepEqual([period('2026-07-15').start, period('2026-02-03').start]);
    const daily = Array.from({ length: 30 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`);
    should(needs('2026', { gas: changes(...daily) }).midnights).deepEqual([]);
  });

  it('are those of a price that changes on a date, whatever the other prices are by the hour', () => {
    const [first, april, july] = ['2026-01-01', '2026-04-01', '2026-07-15'].map((label) => period(label).start);
    if (first === undefined || april === undefined || july === undefined) throw new Error('no days');
    const hours = Array.from({ length: (april - first) / hourMs }, (_, hour) => ({
      start: first + hour * hourMs,
      value: (hour % 7) / 10,
    }));
    const dated = changes('2026-01-01', '2026-07-15');
    should(needs('2026', { import: dated, export: hours, export_fee: hours }).midnights).containEql(july);
    should(needs('2026', { import: hours, gas: dated }).midnights).deepEqual([april, july]);
    // A price by the hour until April, and one price from then on.
    const until = [...hours, { start: april, end: period('2026').end, value: 0.3 }];
    should(needs('2026', { import: until }).midnights).deepEqual([april]);
    const clock = { value: 0.3, zones: [{ hours: '0-6', value: 0.2 }] };
    should(needs('2026', { import: clock, gas: dated }).midnights).deepEqual([july]);
  });
});
