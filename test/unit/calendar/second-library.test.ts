import should from 'should';
import { Temporal } from '@js-temporal/polyfill';
import {
  nextPeriod,
  type Period,
  periodContaining,
  type PeriodUnit,
  previousPeriod,
  requestTime,
  type SeriesPeriod,
} from '../../../src/calendar/periods';
import { divideIntoSlots } from '../../../src/calendar/slots';
import { millis } from '../../../src/time/units';

const zones = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Asuncion',
  'America/Havana',
  'America/Los_Angeles',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Amman',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Kolkata',
  'Asia/Tehran',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/Amsterdam',
  'Europe/Dublin',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Chatham',
];
const units: readonly PeriodUnit[] = ['day', 'week', 'month', 'year'];

/** The same windows, computed with functions of another library. */
function window(unit: PeriodUnit, zone: string, at: number): Period {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  const start = {
    day: date,
    week: date.subtract({ days: date.dayOfWeek - 1 }),
    month: date.with({ day: 1 }),
    year: date.with({ month: 1, day: 1 }),
  }[unit];
  const end = start.add({ [`${unit}s`]: 1 });
  const moment = (day: Temporal.PlainDate) => millis(day.toZonedDateTime(zone).epochMilliseconds);
  const week = `${String(start.yearOfWeek)}-W${String(start.weekOfYear).padStart(2, '0')}`;
  const label = unit === 'week' ? week : start.toString().slice(0, { year: 4, month: 7, day: 10 }[unit]);
  return { unit, label, timezone: zone, start: moment(start), end: moment(end) };
}

function noon({ unit, label, timezone }: SeriesPeriod): number {
  const date = { day: label, month: `${label}-15`, year: `${label}-07-01` }[unit];
  return Temporal.PlainDateTime.from(`${date}T12:00`).toZonedDateTime(timezone).epochMilliseconds / 1000;
}

function transitions(zone: string): number[] {
  const found: number[] = [];
  let at = Temporal.ZonedDateTime.from(`2020-01-01T00:00[${zone}]`).getTimeZoneTransition('next');
  while (at !== null && at.year <= 2035) {
    found.push(at.epochMilliseconds);
    at = at.getTimeZoneTransition('next');
  }
  return found;
}

describe('periods compared with a second library', () => {
  let count = 0;
  for (const zone of zones) {
    it(`TD1: ${zone}: agrees around every clock change from 2020 to 2035`, () => {
      const moments = transitions(zone);
      count += moments.length;
      // A zone without clock changes is compared at each turn of the year.
      for (let year = 2020; year <= 2035; year += 1) moments.push(Date.UTC(year, 0, 1));
      for (const moment of moments) {
        for (const at of [moment - 1, moment]) {
          for (const unit of units) {
            const period: Period = periodContaining(unit, zone, millis(at));
            period.should.eql(window(unit, zone, at));
            if (period.unit !== 'week') requestTime(period).should.equal(noon(period));
            nextPeriod(period).should.eql(window(unit, zone, period.end));
            previousPeriod(period).should.eql(window(unit, zone, period.start - 1));
          }
        }
        const day = periodContaining('day', zone, millis(moment));
        nextPeriod(day).should.eql(window('day', zone, day.end));
        previousPeriod(day).should.eql(window('day', zone, day.start - 1));
      }
    });

    it(`TD4: ${zone}: agrees on the days of months and the months of years`, () => {
      for (const moment of transitions(zone).slice(0, 4)) {
        const month = periodContaining('month', zone, millis(moment));
        const days = Array.from(divideIntoSlots(month, 'P1D').starts);
        days.should.eql(days.map((start) => window('day', zone, start).start));
        days.should.have.length(Temporal.PlainYearMonth.from(month.label).daysInMonth);
        const year = periodContaining('year', zone, millis(moment));
        const months = Array.from(divideIntoSlots(year, 'P1M').starts);
        months.should.eql(months.map((start) => window('month', zone, start).start));
        months.should.have.length(12);
      }
    });
  }

  after(() => {
    // Both libraries read the time zones of this Node.js; with far fewer changes than these the test would prove little.
    should(count).be.above(500);
  });
});
