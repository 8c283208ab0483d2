import 'should';
import fc from 'fast-check';
import {
  dayRange,
  monthsOf,
  namedPeriod,
  nextPeriod,
  periodContaining,
  periodFromLabel,
  periodsBetween,
  type PeriodUnit,
  previousPeriod,
  requestTime,
  weekFromLabel,
} from '../../../src/calendar/periods';
import { CalendarError, isTimezone } from '../../../src/calendar/zone';
import { minuteMs, millis } from '../../../src/time/units';

const testZone = 'Europe/Amsterdam';
const at = (iso: string) => millis(Date.parse(iso));
const iso = (moment: number) => new Date(moment).toISOString();
const unit = fc.constantFrom<PeriodUnit>('day', 'week', 'month', 'year');
const zone = fc.constantFrom(
  testZone,
  'UTC',
  'Asia/Tokyo',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Cairo',
  'America/Havana',
  'Atlantic/Azores',
  'Antarctica/Casey',
);
// The years before and after are requested as well, and have to lie between 2010 and 2099.
const moment = fc.integer({ min: Date.UTC(2011, 1), max: Date.UTC(2098, 11, 31) - 1 }).map(millis);

describe('periods', () => {
  it('TD3: returns the day, month and year of the installation, not of UTC', () => {
    const newYear = at('2025-12-31T23:30:00Z');
    periodContaining('day', testZone, newYear).should.eql({
      unit: 'day',
      label: '2026-01-01',
      timezone: testZone,
      start: at('2025-12-31T23:00:00Z'),
      end: at('2026-01-01T23:00:00Z'),
    });
    periodContaining('month', testZone, newYear).label.should.equal('2026-01');
    periodContaining('year', testZone, newYear).label.should.equal('2026');
    periodContaining('year', 'UTC', newYear).label.should.equal('2025');
  });

  const lengths: readonly (readonly [string, string, number])[] = [
    [testZone, '2026-03-29', 1380],
    [testZone, '2026-10-25', 1500],
    [testZone, '2026-10-26', 1440],
    ['Australia/Lord_Howe', '2026-04-05', 1470],
    ['Australia/Lord_Howe', '2026-10-04', 1410],
    ['Africa/Cairo', '2026-04-24', 1380],
    ['America/Havana', '2026-11-01', 1500],
    [testZone, '2028-02', 29 * 1440],
    [testZone, '2026-03', 31 * 1440 - 60],
    [testZone, '2026', 365 * 1440],
  ];
  for (const [timezone, label, minutes] of lengths) {
    it(`${label} in ${timezone} has ${minutes} minutes`, () => {
      const { start, end } = periodFromLabel(label, timezone);
      ((end - start) / minuteMs).should.equal(minutes);
    });
  }

  it('begins a day without midnight when its clocks begin, and one with two midnights at the first', () => {
    iso(periodFromLabel('2026-04-24', 'Africa/Cairo').start).should.equal('2026-04-23T22:00:00.000Z');
    iso(periodFromLabel('2026-11-01', 'America/Havana').start).should.equal('2026-11-01T04:00:00.000Z');
  });

  it('starts each day once when clocks are set back over midnight', () => {
    const repeated = periodContaining('day', 'America/St_Johns', at('2010-11-07T02:40:00Z'));
    repeated.label.should.equal('2010-11-07');
    iso(repeated.start).should.equal('2010-11-07T02:30:00.000Z');
  });

  it('skips the day that Samoa skipped', () => {
    const thursday = periodFromLabel('2011-12-29', 'Pacific/Apia');
    nextPeriod(thursday).label.should.equal('2011-12-31');
    previousPeriod(nextPeriod(thursday)).should.eql(thursday);
    (() => periodFromLabel('2011-12-30', 'Pacific/Apia')).should.throw(CalendarError, { reason: 'no_such_date' });
  });

  for (const [label, reason] of [
    ['2026-02-30', 'no_such_date'],
    ['2026-13', 'no_such_date'],
    ['2026-1', 'not_a_label'],
    ['2026-10-25T00:00', 'not_a_label'],
    ['', 'not_a_label'],
    ['12026-10-25', 'not_a_label'],
    ['2026-10-250', 'not_a_label'],
    ['12026-10', 'not_a_label'],
    ['12026', 'not_a_label'],
    ['1999', 'out_of_range'],
    ['2101', 'out_of_range'],
  ] as const) {
    it(`refuses the label "${label}": ${reason}`, () => {
      (() => periodFromLabel(label, testZone)).should.throw(CalendarError, { reason });
    });
  }

  it('TD6: refuses an unknown time zone, and times outside 2010 to 2100', () => {
    (() => periodContaining('day', 'Mars/Olympus', at('2026-01-01T00:00:00Z'))).should.throw(CalendarError, {
      reason: 'no_such_zone',
    });
    (() => periodContaining('day', testZone, millis(1_792_879_200))).should.throw(CalendarError, {
      reason: 'out_of_range',
    });
    (() => periodContaining('day', testZone, millis(NaN))).should.throw(CalendarError, { reason: 'out_of_range' });
  });

  it('reaches from the first moment of 2010 to the last one of 2099', () => {
    const [first, last] = [at('2010-01-01T00:00:00Z'), at('2099-12-31T23:59:59.999Z')];
    for (const [when, year] of [
      [first, '2010'],
      [last, '2099'],
    ] as const) {
      periodContaining('year', 'UTC', when).label.should.equal(year);
      periodFromLabel(year, 'UTC').label.should.equal(year);
    }
    for (const when of [first - 1, last + 1]) {
      (() => periodContaining('year', 'UTC', millis(when))).should.throw(CalendarError, { reason: 'out_of_range' });
    }
    for (const year of ['2009', '2100']) {
      (() => periodFromLabel(year, 'UTC')).should.throw(CalendarError, { reason: 'out_of_range' });
    }
  });

  it('TD4: each time is in exactly one period, labels convert back, and periods are adjacent', () => {
    fc.assert(
      fc.property(unit, zone, moment, (of, timezone, when) => {
        const period = periodContaining(of, timezone, when);
        (period.start <= when && when < period.end).should.be.true();
        (of === 'week' ? weekFromLabel : periodFromLabel)(period.label, timezone).should.eql(period);
        const next = nextPeriod(period);
        next.start.should.equal(period.end);
        previousPeriod(next).should.eql(period);
        periodContaining(of, timezone, period.end).should.eql(next);
        periodContaining(of, timezone, period.start).should.eql(period);
        periodContaining(of, timezone, millis(period.end - 1)).should.eql(period);
      }),
      { numRuns: 300 },
    );
  });

  it('lists a range with both ends', () => {
    const days = periodsBetween('day', testZone, at('2026-10-24T10:00:00Z'), at('2026-10-26T23:30:00Z'));
    days.map(({ label }) => label).should.eql(['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
    periodsBetween('month', testZone, at('2026-01-31T23:30:00Z'), at('2026-02-01T00:30:00Z'))
      .map(({ label }) => label)
      .should.eql(['2026-02']);
  });

  it('includes the period that starts at the end of the range', () => {
    const { start, end } = periodFromLabel('2026-10-25', testZone);
    const labels = (to: number) => periodsBetween('day', testZone, start, millis(to)).map(({ label }) => label);
    labels(start).should.eql(['2026-10-25']);
    labels(end - 1).should.eql(['2026-10-25']);
    labels(end).should.eql(['2026-10-25', '2026-10-26']);
  });

  it('accepts an end earlier in the same period, and refuses one before the period', () => {
    periodsBetween('day', testZone, at('2026-10-25T12:00:00Z'), at('2026-10-25T01:00:00Z')).should.have.length(1);
    (() => periodsBetween('day', testZone, at('2026-10-25T12:00:00Z'), at('2026-10-24T12:00:00Z'))).should.throw(
      CalendarError,
      {
        reason: 'wrong_order',
      },
    );
  });

  it('bounds the number of periods', () => {
    const [from, to] = [at('2026-01-01T12:00:00Z'), at('2026-01-31T12:00:00Z')];
    periodsBetween('day', testZone, from, to, 31).should.have.length(31);
    (() => periodsBetween('day', testZone, from, to, 30)).should.throw(CalendarError, { reason: 'too_many_periods' });
    (() => periodsBetween('day', testZone, from, at('2099-01-01T00:00:00Z'))).should.throw(CalendarError, {
      reason: 'too_many_periods',
    });
  });

  it('makes one range of days, both included', () => {
    const range = dayRange(testZone, at('2025-07-01T12:00:00Z'), at('2026-06-30T12:00:00Z'));
    range.should.eql({
      unit: 'range',
      label: '2025-07-01/2026-06-30',
      timezone: testZone,
      start: at('2025-06-30T22:00:00Z'),
      end: at('2026-06-30T22:00:00Z'),
    });
    (() => dayRange(testZone, range.end, range.start)).should.throw(CalendarError, { reason: 'wrong_order' });
    (() => dayRange(testZone, range.start, range.end, 100)).should.throw(CalendarError, { reason: 'too_many_periods' });
    const months = monthsOf(range).map(({ label }) => label);
    [months.length, months.at(0), months.at(-1)].should.eql([12, '2025-07', '2026-06']);
  });

  it('returns the current and the previous period', () => {
    const now = at('2026-03-01T00:30:00Z');
    namedPeriod('current', 'month', testZone, now).label.should.equal('2026-03');
    namedPeriod('previous', 'month', testZone, now).label.should.equal('2026-02');
    namedPeriod('previous', 'day', testZone, now).label.should.equal('2026-02-28');
    namedPeriod('previous', 'year', testZone, now).label.should.equal('2025');
  });

  for (const [label, expected] of [
    ['2026-03-29', '2026-03-29T10:00:00.000Z'],
    ['2026-10-25', '2026-10-25T11:00:00.000Z'],
    ['2026-10', '2026-10-15T10:00:00.000Z'],
    ['2026', '2026-07-01T10:00:00.000Z'],
  ] as const) {
    it(`asks for ${label} with its noon, in seconds`, () => {
      iso(requestTime(periodFromLabel(label, testZone)) * 1000).should.equal(expected);
    });
  }

  it('TD14: accepts the zones of the IANA database only', () => {
    for (const name of [testZone, 'UTC', 'America/Argentina/Buenos_Aires']) isTimezone(name).should.be.true();
    for (const name of ['', 'local', 'system', '+02:00', 'Europe/Nowhere', 'utc+2', null, 2, [testZone]]) {
      isTimezone(name).should.be.false();
    }
  });
});
