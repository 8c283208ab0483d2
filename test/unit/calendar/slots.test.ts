import 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { divideIntoSlots, type Step } from '../../../src/calendar/slots';
import { millis } from '../../../src/time/units';

const zone = 'Europe/Amsterdam';
const at = (iso: string) => millis(Date.parse(iso));

describe('slots', () => {
  const cases: readonly (readonly [string, Step, string, number])[] = [
    ['2026-03-29', 'PT1M', '2027-01-01T00:00:00Z', 1380],
    ['2026-10-25', 'PT1M', '2027-01-01T00:00:00Z', 1500],
    ['2026-10-25', 'PT5M', '2027-01-01T00:00:00Z', 300],
    ['2026-10-25', 'PT1H', '2027-01-01T00:00:00Z', 25],
    ['2026-10-26', 'PT1M', '2027-01-01T00:00:00Z', 1440],
    ['2028-02', 'P1D', '2029-01-01T00:00:00Z', 29],
    ['2026', 'P1M', '2029-01-01T00:00:00Z', 12],
    // The current minute and hour are not expected yet; the current day and month are.
    ['2026-10-25', 'PT1M', '2026-10-24T22:00:59Z', 0],
    ['2026-10-25', 'PT1M', '2026-10-24T22:01:00Z', 1],
    ['2026-10-25', 'PT1H', '2026-10-25T00:59:59Z', 2],
    ['2026-10-25', 'PT1H', '2026-10-25T01:00:00Z', 3],
    ['2026-10', 'P1D', '2026-10-25T22:59:59Z', 25],
    ['2026-10', 'P1D', '2026-10-25T23:00:00Z', 26],
    ['2026', 'P1M', '2026-10-31T22:59:00Z', 10],
    ['2026', 'P1M', '2026-10-31T23:00:00Z', 11],
    // The last moment of a period, and moments before it.
    ['2026-10-25', 'PT1M', '2026-10-25T22:59:59.999Z', 1499],
    ['2026-10-25', 'PT1M', '2026-10-25T23:00:00Z', 1500],
    ['2026-10-25', 'PT1M', '2026-10-24T21:59:00Z', 0],
    ['2026-10', 'P1D', '2026-09-30T21:59:00Z', 0],
    ['2026-10', 'P1D', '2026-09-30T22:00:00Z', 1],
  ];
  for (const [label, step, now, expected] of cases) {
    it(`${label} holds ${expected} of ${step} at ${now}`, () => {
      divideIntoSlots(periodFromLabel(label, zone), step).expectedBy(at(now)).should.equal(expected);
    });
  }

  it('counts half an hour left over as a slot', () => {
    const day = periodFromLabel('2026-04-05', 'Australia/Lord_Howe');
    divideIntoSlots(day, 'PT1H').expectedBy(at('2027-01-01T00:00:00Z')).should.equal(25);
  });

  it('expects the half hour left over when the day is over', () => {
    const day = periodFromLabel('2026-10-04', 'Australia/Lord_Howe');
    const { expectedBy } = divideIntoSlots(day, 'PT1H');
    expectedBy(millis(day.end - 1)).should.equal(23);
    expectedBy(day.end).should.equal(24);
  });

  it('finds the slot of a moment, at its first and last millisecond', () => {
    for (const [label, step] of [
      ['2026-10-25', 'PT1M'],
      ['2026-10', 'P1D'],
      ['2026', 'P1M'],
    ] as const) {
      const period = periodFromLabel(label, zone);
      const { starts, indexOf } = divideIntoSlots(period, step);
      starts.forEach((start, index) => {
        indexOf(start).should.equal(index);
        indexOf((starts[index + 1] ?? period.end) - 1).should.equal(index);
      });
    }
  });

  it('separates both 02:30 of a day of 25 hours', () => {
    const { indexOf } = divideIntoSlots(periodFromLabel('2026-10-25', zone), 'PT1M');
    indexOf(at('2026-10-25T00:30:00Z')).should.equal(150);
    indexOf(at('2026-10-25T01:30:00Z')).should.equal(210);
  });

  it('skips the day that Samoa skipped', () => {
    divideIntoSlots(periodFromLabel('2011-12', 'Pacific/Apia'), 'P1D').count.should.equal(30);
  });
});
