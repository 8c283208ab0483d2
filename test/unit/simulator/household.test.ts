/** The simulated house: reproducible, plausible, and with registers that are the exact integral of its minutes. */
import should from 'should';
import fc from 'fast-check';
import { createHousehold, type Household } from '../../../src/simulator/household';
import type { Registers } from '../../../src/simulator/register-sums';
import { dayContaining } from '../../../src/simulator/house-day';
import { periodContaining, periodsUntil } from '../../../src/calendar/periods';
import { minuteMs, millis, type Millis } from '../../../src/time/units';

const stepMs = 5000;
const at = (iso: string) => millis(Date.parse(iso));
const now = at('2026-12-31T12:00:00Z');
const net = (r: Registers) => r.importT1Kwh + r.importT2Kwh - r.exportT1Kwh - r.exportT2Kwh;
const solar = (r: Registers) => r.solarT1Kwh + r.solarT2Kwh - r.solarOwnT1Kwh - r.solarOwnT2Kwh;
const garage = (r: Registers) => r.garageT1Kwh + r.garageT2Kwh - r.garageOwnT1Kwh - r.garageOwnT2Kwh;

function houseOf(seed: number, timezone = 'Europe/Amsterdam'): Household {
  return createHousehold({ seed, timezone, now, since: at('2026-01-01T12:00:00Z') });
}

function change(household: Household, from: Millis, to: Millis, reading: (r: Registers) => number): number {
  return reading(household.registers(to)) - reading(household.registers(from));
}

function sumOfMinutes(
  household: Household,
  from: Millis,
  to: Millis,
  value: 'gridW' | 'solarW' | 'garageW' | 'gasL',
): number {
  let sum = 0;
  for (let time = from; time < to; time = millis(time + minuteMs)) sum += household.minute(time)[value];
  return sum;
}

describe('simulator: house', () => {
  const household = houseOf(7);

  it('is the same house for the same seed, whatever was asked before', () => {
    const moments = ['2026-07-01T10:11:12Z', '2026-02-03T17:45:00Z', '2026-10-25T00:30:00Z', '2026-02-03T17:46:00Z'];
    const forwards = houseOf(7);
    const backwards = houseOf(7);
    const first = moments.map((iso) => [forwards.minute(at(iso)), forwards.registers(at(iso))]);
    const second = moments.toReversed().map((iso) => [backwards.minute(at(iso)), backwards.registers(at(iso))]);
    first.should.deepEqual(second.toReversed());
  });

  it('adds up its days in parts, and has the same readings', () => {
    const [slow, house] = [houseOf(7), houseOf(7)];
    let days = 0;
    for (const parts = house.addUp(now); parts.next().done !== true;) days += 1;
    days.should.equal(364);
    house.addUp(now).next().done?.should.equal(true);
    should(house.registers(now)).deepEqual(slow.registers(now));
  });

  it('is another house for another seed', () => {
    const moment = at('2026-07-01T10:11:12Z');
    houseOf(8).minute(moment).should.not.deepEqual(household.minute(moment));
    houseOf(8).registers(moment).should.not.deepEqual(household.registers(moment));
  });

  it('counts exactly what flows: net import, both productions and gas over any minutes', () => {
    const minutes = 364 * 1440;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: minutes - 3000 }), fc.integer({ min: 1, max: 3000 }), (first, count) => {
        const from = millis(household.since + first * minuteMs);
        const to = millis(from + count * minuteMs);
        change(household, from, to, net).should.be.approximately(
          sumOfMinutes(household, from, to, 'gridW') / 60_000,
          1e-9,
        );
        change(household, from, to, solar).should.be.approximately(
          sumOfMinutes(household, from, to, 'solarW') / 60_000,
          1e-9,
        );
        change(household, from, to, garage).should.be.approximately(
          sumOfMinutes(household, from, to, 'garageW') / 60_000,
          1e-9,
        );
        change(household, from, to, (r) => r.gasM3).should.be.approximately(
          sumOfMinutes(household, from, to, 'gasL') / 1000,
          1e-8,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('lets registers grow linearly within five seconds, and never backwards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 * 17_280 }), fc.integer({ min: 1, max: 4999 }), (first, part) => {
        const from = millis(household.since + first * stepMs);
        const before = household.registers(from);
        const within = household.registers(millis(from + part));
        const after = household.registers(millis(from + stepMs));
        const whole = net(after) - net(before);
        (net(within) - net(before)).should.be.approximately((whole * part) / stepMs, 1e-9);
        for (const key of Object.keys(before) as (keyof Registers)[]) {
          within[key].should.be.aboveOrEqual(before[key], key);
          after[key].should.be.aboveOrEqual(within[key], key);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has minutes that are the mean of their steps, and registers that count each step by its direction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 * 1440 }), (index) => {
        const from = millis(household.since + index * minuteMs);
        const minute = household.minute(from);
        const steps = Array.from({ length: 12 }, (_, step) => household.step(millis(from + step * stepMs)));
        for (const power of ['gridW', 'solarW', 'garageW', 'homeW'] as const) {
          steps.reduce((sum, step) => sum + step[power], 0).should.equal(12 * minute[power], power);
        }
        const taken = steps.reduce((sum, { gridW }) => sum + Math.max(0, gridW), 0) / 12 / 60_000;
        const given = steps.reduce((sum, { gridW }) => sum + Math.max(0, -gridW), 0) / 12 / 60_000;
        const to = millis(from + minuteMs);
        change(household, from, to, (r) => r.importT1Kwh + r.importT2Kwh).should.be.approximately(taken, 1e-9);
        change(household, from, to, (r) => r.exportT1Kwh + r.exportT2Kwh).should.be.approximately(given, 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it('changes direction within minutes when the sun and the load are near to each other', () => {
    const noon = at('2026-06-15T08:00:00Z');
    const both = Array.from({ length: 600 }, (_, index) => {
      const [from, to] = [millis(noon + index * minuteMs), millis(noon + (index + 1) * minuteMs)];
      const taken = change(household, from, to, (r) => r.importT1Kwh + r.importT2Kwh);
      const given = change(household, from, to, (r) => r.exportT1Kwh + r.exportT2Kwh);
      return taken > 0 && given > 0;
    });
    both.filter(Boolean).length.should.be.above(5);
  });

  it('uses what comes from the grid and the panels, in whole watts, in every minute and step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 * 1440 }), (index) => {
        const moment = millis(household.since + index * minuteMs + 11_234);
        const [minute, step] = [household.minute(moment), household.step(moment)];
        minute.start.should.equal(household.since + index * minuteMs);
        step.start.should.equal(household.since + index * minuteMs + 10_000);
        for (const { gridW, solarW, garageW, homeW } of [minute, step]) {
          homeW.should.equal(gridW + solarW + garageW);
          homeW.should.be.above(0);
          for (const value of [gridW, solarW, garageW]) Number.isInteger(value).should.be.true();
        }
        minute.gasL.should.be.within(0, 65);
        minute.waterL.should.be.within(0, 65);
        minute.voltage.should.be.within(215, 245);
      }),
    );
  });

  for (const timezone of ['Europe/Amsterdam', 'Australia/Sydney']) {
    it(`adds days up to months and months to the year in ${timezone}, through 23 and 25 hours`, () => {
      const there = houseOf(3, timezone);
      const year = periodContaining('year', timezone, at('2026-06-15T00:00:00Z'));
      const months = periodsUntil('month', year, year.end);
      const untilNow = (end: Millis) => millis(Math.min(end, there.since + 364 * 1440 * minuteMs));
      const lengths = new Set<number>();
      let ofMonths = 0;
      for (const month of months) {
        const days = periodsUntil('day', month, month.end);
        days.forEach(({ start, end }) => lengths.add((end - start) / 3_600_000));
        const ofDays = days.reduce((sum, { start, end }) => sum + change(there, start, untilNow(end), net), 0);
        const ofMonth = change(there, month.start, untilNow(month.end), net);
        ofDays.should.be.approximately(ofMonth, 1e-8);
        ofMonths += ofMonth;
      }
      ofMonths.should.be.approximately(change(there, year.start, untilNow(year.end), net), 1e-8);
      [...lengths].sort().should.deepEqual([23, 24, 25]);
    });
  }

  it('has Dutch tariff hours: low from 23:00 to 07:00 on the wall and all weekend', () => {
    const tariff = (iso: string) => household.minute(at(iso)).tariff;
    tariff('2026-06-15T04:59:00Z').should.equal(1);
    tariff('2026-06-15T05:00:00Z').should.equal(2);
    tariff('2026-06-15T20:59:00Z').should.equal(2);
    tariff('2026-06-15T21:00:00Z').should.equal(1);
    tariff('2026-01-15T06:00:00Z').should.equal(2);
    tariff('2026-01-15T05:59:00Z').should.equal(1);
    tariff('2026-06-13T10:00:00Z').should.equal(1);
    tariff('2026-06-14T10:00:00Z').should.equal(1);
  });

  it('counts each step in the registers of its tariff and direction alone', () => {
    const low = change(household, at('2026-06-14T22:00:00Z'), at('2026-06-15T05:00:00Z'), (r) => r.importT2Kwh);
    low.should.equal(0);
    for (let hour = 0; hour < 24; hour++) {
      const time = millis(at('2026-06-15T00:00:00Z') + hour * 3_600_000);
      const { gridW, tariff } = household.step(time);
      const [before, after] = [household.registers(time), household.registers(millis(time + stepMs))];
      const grown = (['importT1Kwh', 'importT2Kwh', 'exportT1Kwh', 'exportT2Kwh'] as const).filter(
        (key) => after[key] > before[key],
      );
      grown.should.deepEqual([`${gridW > 0 ? 'import' : 'export'}T${tariff}Kwh`]);
    }
  });

  it('follows the sun: nothing at night but own use, much in June, little in December', () => {
    household.minute(at('2026-06-15T00:00:00Z')).solarW.should.be.within(-10, -1);
    household.minute(at('2026-12-15T17:00:00Z')).solarW.should.be.within(-10, -1);
    const june = change(household, at('2026-05-31T22:00:00Z'), at('2026-06-30T22:00:00Z'), solar);
    const december = change(household, at('2026-11-30T23:00:00Z'), at('2026-12-30T23:00:00Z'), solar);
    june.should.be.within(250, 900);
    december.should.be.within(20, 200);
    const noon = dayContaining(at('2026-06-15T12:00:00Z'), 'Europe/Amsterdam');
    sumOfMinutes(
      household,
      millis(noon.start + 11 * 3_600_000),
      millis(noon.start + 15 * 3_600_000),
      'solarW',
    ).should.be.above(
      5 * sumOfMinutes(household, millis(noon.start + 5 * 3_600_000), millis(noon.start + 8 * 3_600_000), 'solarW'),
    );
  });

  it('has a year like a Dutch household', () => {
    for (const seed of [1, 2, 3]) {
      const any = houseOf(seed);
      const used = (reading: (r: Registers) => number) =>
        change(any, any.since, millis(any.since + 364 * 1440 * minuteMs), reading);
      used((r) => net(r) + solar(r) + garage(r)).should.be.within(2000, 5000);
      used(solar).should.be.within(2500, 5500);
      used((r) => r.gasM3).should.be.within(800, 2200);
      used((r) => r.waterM3).should.be.within(60, 200);
    }
  });

  it('heats in January and not in July, most of all in the morning and evening', () => {
    const gas = (from: string, to: string) => change(household, at(from), at(to), (r) => r.gasM3);
    gas('2026-01-05T00:00:00Z', '2026-01-19T00:00:00Z').should.be.above(
      4 * gas('2026-07-05T00:00:00Z', '2026-07-19T00:00:00Z'),
    );
    let [morning, night] = [0, 0];
    for (let day = 5; day < 19; day++) {
      const date = `2026-01-${String(day).padStart(2, '0')}`;
      morning += gas(`${date}T06:00:00Z`, `${date}T08:00:00Z`);
      night += gas(`${date}T01:00:00Z`, `${date}T03:00:00Z`);
    }
    morning.should.be.above(2 * night);
  });

  it('has no data from before its meters were in service', () => {
    const before = millis(household.since - 1);
    should(() => household.minute(before)).throw(RangeError);
    should(() => household.registers(before)).throw(RangeError);
    household.since.should.equal(Date.parse('2025-12-31T23:00:00Z'));
  });

  it('is in service since 1 January of the year before, on the wall of its zone', () => {
    createHousehold({ now, timezone: 'Australia/Sydney' }).since.should.equal(Date.parse('2024-12-31T13:00:00Z'));
    createHousehold({ now: at('2025-12-31T23:30:00Z') }).since.should.equal(Date.parse('2024-12-31T23:00:00Z'));
  });

  it('refuses a time zone that is none', () => {
    should(() => createHousehold({ now, timezone: 'Europe/Assen' })).throw(RangeError);
  });

  it('starts a thousand houses that have been there since today', () => {
    const houses = Array.from({ length: 1000 }, (_, seed) => createHousehold({ seed, now, since: now }));
    const powers = new Set(houses.map((each) => each.registers(now).importT1Kwh));
    powers.size.should.equal(1000);
  });
});
