import should from 'should';
import vm from 'node:vm';
import { IANAZone } from 'luxon';
import { CalendarError, type CalendarReason, toLocalTime } from '../../../src/calendar/zone';
import { millis } from '../../../src/time/units';
import { otherMoment, parseDate } from '../../../src/calendar/dates';
import { faultTitle } from '../../support/mocha/fault-title';
import { countZoneLookups } from '../../support/time/zone-lookups';

const zone = 'Europe/Amsterdam';

describe('parseDate', () => {
  const read: readonly (readonly [string, unknown, string])[] = [
    ['a date in the installation’s zone', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['a month', '2026-10', '2026-09-30T22:00:00.000Z'],
    ['a year', '2026', '2025-12-31T23:00:00.000Z'],
    ['a week, as its Monday', '2026-W48', '2026-11-22T23:00:00.000Z'],
    ['the last week of a year with 53 weeks', '2026-W53', '2026-12-27T23:00:00.000Z'],
    ['a local date and time', '2026-07-01T12:00', '2026-07-01T10:00:00.000Z'],
    ['a local date and time with a space', '2026-07-01 12:00:30', '2026-07-01T10:00:30.000Z'],
    ['spaces around it', ' 2026-07-01 ', '2026-06-30T22:00:00.000Z'],
    ['a fraction, to the millisecond', '2026-07-01T12:00:00.0299', '2026-07-01T10:00:00.029Z'],
    ['Zulu', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
    ['Zulu in lower case', '2026-07-01t12:00:00z', '2026-07-01T12:00:00.000Z'],
    ['the last second of a day', '2026-07-01T23:59:59Z', '2026-07-01T23:59:59.000Z'],
    ['the offset of Kiritimati', '2026-07-01T12:00+14:00', '2026-06-30T22:00:00.000Z'],
    ['an offset of odd minutes', '2026-07-01T12:00+00:59', '2026-07-01T11:01:00.000Z'],
    ['an offset', '2026-07-01T12:00:00+09:30', '2026-07-01T02:30:00.000Z'],
    ['a short offset', '2026-07-01T12:00-03', '2026-07-01T15:00:00.000Z'],
    ['an offset without colon', '2026-07-01T12:00-0330', '2026-07-01T15:30:00.000Z'],
    ['an hour that occurs twice: the first', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['an hour that is skipped: as much later', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['epoch seconds', 1792879200, '2026-10-24T22:00:00.000Z'],
    ['epoch milliseconds', 1792879200000, '2026-10-24T22:00:00.000Z'],
    ['a fraction of a second', 1792879200.9, '2026-10-24T22:00:00.000Z'],
    ['the first second of 2010', 1262304000, '2010-01-01T00:00:00.000Z'],
    ['the last second of 2099', 4102444799, '2099-12-31T23:59:59.000Z'],
    ['a Date', new Date('2026-10-25T12:00:00Z'), '2026-10-25T12:00:00.000Z'],
    ['a Date of a function node', vm.runInNewContext('new Date("2026-10-25T12:00:00Z")'), '2026-10-25T12:00:00.000Z'],
  ];
  for (const [name, input, expected] of read) {
    it(`reads ${name}`, () => {
      new Date(parseDate(input, zone)).toISOString().should.equal(expected);
    });
  }

  const refused: readonly (readonly [string, unknown, CalendarReason, string?])[] = [
    ['nothing', undefined, 'not_a_date'],
    ['null', null, 'not_a_date'],
    ['an empty text', '', 'not_a_date'],
    ['words', 'yesterday', 'not_a_date'],
    ['a week of a year with 52 weeks', '2025-W53', 'no_such_date'],
    ['week 0', '2026-W00', 'no_such_date'],
    ['a day of a week', '2026-W10-3', 'not_a_date'],
    ['a day of the year', '2026-123', 'not_a_date'],
    ['a time without a date', '12:00', 'not_a_date'],
    ['digits in a text', '1792879200', 'not_a_date'],
    ['a year of five digits', '12026-01-01', 'not_a_date'],
    ['something behind the date', '2026-10-25; DROP', 'not_a_date'],
    ['an invalid Date', new Date('x'), 'not_a_date'],
    ['NaN', NaN, 'not_a_date'],
    ['infinity', Infinity, 'not_a_date'],
    ['true', true, 'not_a_date'],
    ['an object that pretends', { getTime: () => 1792879200000 }, 'not_a_date'],
    ['an array', ['2026-10-25'], 'not_a_date'],
    ['30 February', '2026-02-30', 'no_such_date'],
    ['month 13', '2026-13', 'no_such_date'],
    ['hour 24', '2026-10-25T24:00', 'no_such_date'],
    ['day 0', '2026-10-00', 'no_such_date'],
    ['day 32', '2026-10-32', 'no_such_date'],
    ['hour 24 in mid-month, with its zone', '2026-10-10T24:00Z', 'no_such_date'],
    ['minute 60', '2026-10-25T12:60', 'no_such_date'],
    ['second 60', '2026-10-25T12:00:60', 'no_such_date'],
    ['offset +05:60', '2026-10-25T12:00+05:60', 'no_such_date'],
    ['offset +15:00', '2026-10-25T12:00+15:00', 'no_such_date'],
    ['year 0000', '0000-01-01', 'no_such_date'],
    ['zero', 0, 'out_of_range'],
    ['a negative number', -1792879200, 'out_of_range'],
    ['a year as a number', 2026, 'out_of_range'],
    ['microseconds', 1792879200000000, 'out_of_range', 'TD6'],
    ['the year 2009', '2009-12-31', 'out_of_range'],
    ['a Date of 2009', new Date('2009-06-01T12:00:00Z'), 'out_of_range'],
    ['the first moment of 2100', '2100-01-01T00:00Z', 'out_of_range'],
    ['the year 2100', '2100-06-01', 'out_of_range'],
  ];
  for (const [name, input, reason, ids] of refused) {
    it(faultTitle(ids, `refuses ${name}: ${reason}`), () => {
      (() => parseDate(input, zone)).should.throw(CalendarError, { reason });
    });
  }

  it('refuses a zone that does not exist', () => {
    (() => parseDate('2026-10-25', 'Europe/Nowhere')).should.throw(CalendarError, { reason: 'no_such_zone' });
  });

  it('RA31: never quotes the input', () => {
    try {
      parseDate('api_key=secret', zone);
      should.fail(null, null, 'accepted', 'throw');
    } catch (error) {
      should(error).be.instanceof(CalendarError);
      String(error).should.not.containEql('secret');
    }
  });
});

describe('otherMoment', () => {
  const other = (input: unknown, inZone = zone): string | null => {
    const found = otherMoment(input, inZone, parseDate(input, inZone));
    return found === null ? null : new Date(found).toISOString();
  };

  it('is the second moment of a local time that occurs twice', () => {
    should(other('2026-10-25T02:00')).equal('2026-10-25T01:00:00.000Z');
    should(other('2026-10-25T02:30')).equal('2026-10-25T01:30:00.000Z');
    should(other('2026-11-01T01:59:59', 'America/New_York')).equal('2026-11-01T06:59:59.000Z');
    should(other('2026-04-05T01:30', 'Australia/Lord_Howe')).equal('2026-04-04T15:00:00.000Z');
  });

  it('is none of a time that occurs once, not at all, or says its offset', () => {
    for (const input of [
      ...['2026-10-25T01:59:59', '2026-10-25T03:00', '2026-10-24T02:30', '2026-07-01', '2026-03-29T02:30'],
      ...['2026-10-25T02:30+02:00', '2026-10-25T00:30Z', 1793061000],
    ]) {
      should(other(input)).be.null();
    }
    should(other('2026-10-25T02:30', 'UTC')).be.null();
    should(otherMoment('no date', zone, parseDate('2026-10-25T02:30', zone))).be.null();
  });
});

describe('offsets of a zone', () => {
  it('are computed once for each minute, and not kept without limit', () => {
    const start = parseDate('2026-01-01T00:00Z', 'Pacific/Chatham');
    const local = (minute: number): number => toLocalTime('Pacific/Chatham', millis(start + minute * 60_000 + 59_999));
    const lookups = countZoneLookups();
    try {
      for (let round = 0; round < 3; round += 1) local(0);
      lookups.count().should.equal(1);
      for (let minute = 0; minute < 20_000; minute += 1) local(minute);
      lookups.count().should.equal(20_000);
      local(20_000);
      lookups.count().should.equal(20_001);
      for (let round = 0; round < 3; round += 1) local(1);
      lookups.count().should.equal(20_002);
    } finally {
      lookups.stop();
    }
    const offset = IANAZone.create('Pacific/Chatham').offset(start) * 60_000;
    local(0).should.equal(start + 59_999 + offset);
  });
});
