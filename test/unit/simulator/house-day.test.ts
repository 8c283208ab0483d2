/** Days of local time: their length, and the local time of each of their minutes, in zones with unusual clock changes. */
import 'should';
import { DateTime } from 'luxon';
import { dayContaining, minuteAtLocalTime, localMinuteAt } from '../../../src/simulator/house-day';
import { requestedPeriod, type RequestedPeriod } from '../../../src/simulator/requested-period';
import { millis, type Millis } from '../../../src/time/units';

const at = (iso: string) => millis(Date.parse(iso));

/** The current period of a request without a time. */
function requestedAt(unit: 'month' | 'year', now: Millis, zone: string): RequestedPeriod {
  const requested = requestedPeriod(unit, new URLSearchParams(), now, zone);
  if (requested === null) throw new Error('a request without a time has a period');
  return requested;
}

describe('simulator: local days', () => {
  const cases = [
    { zone: 'Europe/Amsterdam', noon: '2026-06-15T10:00:00Z', start: '2026-06-14T22:00:00Z', minutes: 1440, wall: 0 },
    { zone: 'Europe/Amsterdam', noon: '2026-03-29T10:00:00Z', start: '2026-03-28T23:00:00Z', minutes: 1380, wall: 0 },
    { zone: 'Europe/Amsterdam', noon: '2026-10-25T10:00:00Z', start: '2026-10-24T22:00:00Z', minutes: 1500, wall: 0 },
    { zone: 'Australia/Sydney', noon: '2026-04-05T02:00:00Z', start: '2026-04-04T13:00:00Z', minutes: 1500, wall: 0 },
    { zone: 'Australia/Sydney', noon: '2026-10-04T02:00:00Z', start: '2026-10-03T14:00:00Z', minutes: 1380, wall: 0 },
    {
      zone: 'Australia/Lord_Howe',
      noon: '2026-04-05T02:00:00Z',
      start: '2026-04-04T13:00:00Z',
      minutes: 1470,
      wall: 0,
    },
    // Clocks change from 00:00 to 01:00: the day begins at one.
    { zone: 'Africa/Cairo', noon: '2026-04-24T10:00:00Z', start: '2026-04-23T22:00:00Z', minutes: 1380, wall: 60 },
    { zone: 'Asia/Kolkata', noon: '2026-04-24T10:00:00Z', start: '2026-04-23T18:30:00Z', minutes: 1440, wall: 0 },
  ];
  for (const { zone, noon, start, minutes, wall } of cases) {
    it(`knows the day around ${noon} in ${zone}: ${minutes} minutes`, () => {
      const day = dayContaining(at(noon), zone);
      day.start.should.equal(Date.parse(start));
      (day.end - day.start).should.equal(minutes * 60_000);
      day.minutes.should.equal(minutes);
      day.startLocalMinute.should.equal(wall);
    });

    it(`shows at every minute of it what a clock in ${zone} shows`, () => {
      const day = dayContaining(at(noon), zone);
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      for (let index = 0; index < day.minutes; index++) {
        const [hour = '', minute = ''] = clock.format(day.start + index * 60_000).split(':');
        localMinuteAt(day, index).should.equal(Number(hour) * 60 + Number(minute), `minute ${index}`);
      }
    });
  }

  for (const zone of ['Europe/Amsterdam', 'Australia/Sydney', 'Africa/Cairo', 'America/Havana', 'Asia/Kathmandu']) {
    it(`has every day, month and year of 2024 to 2027 where luxon has them in ${zone}`, () => {
      for (
        let day = DateTime.fromISO('2024-01-01', { zone });
        day.year < 2028;
        day = day.plus({ day: 1 }).startOf('day')
      ) {
        const end = day.plus({ day: 1 }).startOf('day').toMillis();
        const found = dayContaining(millis(end - 1), zone);
        [found.start, found.end, found.dayOfYear, found.weekend].should.deepEqual([
          day.toMillis(),
          end,
          day.ordinal,
          day.weekday >= 6,
        ]);
        found.number.should.equal(Date.UTC(day.year, day.month - 1, day.day) / 86_400_000);
        dayContaining(millis(day.toMillis()), zone).should.deepEqual(found);
        if (day.day !== 1) continue;
        const month = requestedAt('month', millis(end - 1), zone).period;
        [month.start, month.end].should.deepEqual([day.toMillis(), day.plus({ month: 1 }).startOf('day').toMillis()]);
        if (day.month !== 1) continue;
        const year = requestedAt('year', millis(end - 1), zone).period;
        [year.start, year.end].should.deepEqual([day.toMillis(), day.plus({ year: 1 }).startOf('day').toMillis()]);
      }
    });
  }

  it('finds the minute of a time on the wall; a time that is skipped is the change, a repeated one the first', () => {
    const spring = dayContaining(at('2026-03-29T10:00:00Z'), 'Europe/Amsterdam');
    minuteAtLocalTime(spring, 119).should.equal(119);
    minuteAtLocalTime(spring, 150).should.equal(120);
    minuteAtLocalTime(spring, 180).should.equal(120);
    minuteAtLocalTime(spring, 720).should.equal(660);
    const autumn = dayContaining(at('2026-10-25T10:00:00Z'), 'Europe/Amsterdam');
    minuteAtLocalTime(autumn, 150).should.equal(150);
    minuteAtLocalTime(autumn, 720).should.equal(780);
  });

  it('divides a year into months and a month into days without gap or overlap', () => {
    for (const zone of ['Europe/Amsterdam', 'Australia/Sydney']) {
      const { period: year, parts: months } = requestedAt('year', at('2026-07-01T00:00:00Z'), zone);
      months.should.have.length(12);
      const days = months.flatMap(({ start }) => requestedAt('month', start, zone).parts);
      days.should.have.length(365);
      days[0]?.start.should.equal(year.start);
      days.at(-1)?.end.should.equal(year.end);
      days.slice(1).forEach(({ start }, index) => start.should.equal(days[index]?.end));
    }
  });
});
