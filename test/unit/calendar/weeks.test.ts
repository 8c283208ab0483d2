import 'should';
import { nextPeriod, periodContaining, periodsBetween, weekFromLabel } from '../../../src/calendar/periods';
import { divideIntoSlots } from '../../../src/calendar/slots';
import { CalendarError } from '../../../src/calendar/zone';
import { hourMs, millis } from '../../../src/time/units';

const zone = 'Europe/Amsterdam';
const at = (iso: string) => millis(Date.parse(iso));

describe('ISO weeks', () => {
  const labels: readonly (readonly [string, string])[] = [
    ['2026-11-24T12:00:00+01:00', '2026-W48'],
    ['2026-11-23T00:00:00+01:00', '2026-W48'],
    ['2026-11-22T23:59:59+01:00', '2026-W47'],
    ['2027-01-01T12:00:00+01:00', '2026-W53'],
    ['2027-01-03T23:59:59+01:00', '2026-W53'],
    ['2027-01-04T00:00:00+01:00', '2027-W01'],
    ['2024-12-30T12:00:00+01:00', '2025-W01'],
    ['2028-01-02T12:00:00+01:00', '2027-W52'],
  ];
  for (const [moment, label] of labels) {
    it(`${moment} lies in ${label}`, () => {
      const week = periodContaining('week', zone, at(moment));
      week.label.should.equal(label);
      weekFromLabel(label, zone).should.eql(week);
    });
  }

  it('has seven days, and an hour more or less at a change of the clocks', () => {
    const hours = (label: string): number => {
      const { start, end } = weekFromLabel(label, zone);
      return (end - start) / hourMs;
    };
    [hours('2026-W48'), hours('2026-W13'), hours('2026-W43')].should.eql([168, 167, 169]);
    divideIntoSlots(weekFromLabel('2026-W43', zone), 'P1D').count.should.equal(7);
  });

  it('follows one week on another over fifty years', () => {
    const weeks = periodsBetween('week', zone, at('2020-01-01T12:00:00Z'), at('2069-12-31T12:00:00Z'));
    new Set(weeks.map(({ label }) => label)).size.should.equal(weeks.length);
    for (const week of weeks) {
      nextPeriod(week).start.should.equal(week.end);
      weekFromLabel(week.label, zone).should.eql(week);
    }
  });

  for (const [label, reason] of [
    ['2025-W53', 'no_such_date'],
    ['2026-W00', 'no_such_date'],
    ['2026-W1', 'not_a_label'],
    ['12026-W01', 'not_a_label'],
    ['2026-W011', 'not_a_label'],
    ['2026-11', 'not_a_label'],
  ] as const) {
    it(`refuses ${label}: ${reason}`, () => {
      (() => weekFromLabel(label, zone)).should.throw(CalendarError, { reason });
    });
  }
});
