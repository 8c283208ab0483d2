/** What a dialog says of a list of prices: its extent, its holes, and the prices of one day. */
import should from 'should';
import { type ListSummary, summarizeList } from '../../../src/balance/prices/list-summary';
import { dayRange } from '../../../src/calendar/periods';
import { hourMs, millis } from '../../../src/time/units';
import { prices, zone } from '../../support/balance/small-house';

/** The day on which clocks are set back, from its first moment. */
const midnight = Date.parse('2026-10-24T22:00:00Z');
const day = dayRange(zone, millis(midnight), millis(midnight));
const hours = (first: number, values: readonly number[]) =>
  values.map((value, index) => ({ start: midnight + (first + index) * hourMs, value }));

function summary(written: object): ListSummary | null {
  return summarizeList(prices({ currency: 'EUR', ...written }), day, midnight + 12 * hourMs);
}

describe('the summary of a list of prices', () => {
  it('has the extent of the list, its holes, and each hour of a day of 25 hours with taxes', () => {
    const list = [...hours(-2, [0.1, 0.2, 0.3]), ...hours(3, [-0.1]), ...hours(5, Array<number>(21).fill(0.25))];
    const found = summary({ import: { list, times: 1.2 }, export: 0.1 });
    should(found?.isImport).equal(true);
    should([found?.from, found?.until]).deepEqual([midnight - 2 * hourMs, midnight + 26 * hourMs]);
    should(found?.holes).deepEqual([
      { start: midnight + hourMs, end: midnight + 3 * hourMs },
      { start: midnight + 4 * hourMs, end: midnight + 5 * hourMs },
    ]);
    should(found?.day).have.length(25);
    should(found?.day.slice(0, 6).map(({ value }) => value)).deepEqual([0.36, null, null, -0.12, null, 0.3]);
    should(found?.day.at(-1)).deepEqual({ start: midnight + 24 * hourMs, end: midnight + 25 * hourMs, value: 0.3 });
  });

  it('has quarters of a list of quarters, and names the first three holes of more', () => {
    const quarters = Array.from({ length: 40 }, (_, index) => ({ start: midnight + index * (hourMs / 4), value: 0.1 }));
    const found = summary({ import: quarters.filter((_, index) => index % 8 !== 7) });
    should(found?.day.length).equal(100);
    should([found?.holes.length, found?.holeCount]).deepEqual([3, 4]);
    should(found?.until).equal(midnight + 9.75 * hourMs);
  });

  it('has no end where the last price has none, and is that of export where only export is a list', () => {
    const found = summary({ import: 0.3, export: [{ start: '2026-01-01', value: 0.05 }], export_fee: 0.01 });
    should(found).containEql({ isImport: false, until: null, holeCount: 0 });
    should(new Set(found?.day.map(({ value }) => value))).deepEqual(new Set([0.04]));
  });

  it('is none without a list', () => {
    should(summary({ import: 0.3, export: { zones: [{ value: 1 }] }, gas: [{ start: '2026', value: 1 }] })).equal(null);
  });
});
