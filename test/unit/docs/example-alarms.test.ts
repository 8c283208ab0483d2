/** The functions of the example alarms, with days of simulated houses: an alarm for its own fault, and none without a fault. */
import should from 'should';
import { nextPeriod, periodContaining, type Period } from '../../../src/calendar/periods';
import { hourMs, millis } from '../../../src/time/units';
import type { FaultName } from '../../../src/simulator/faults';
import type { House } from '../../../src/simulator/house';
import { createHousehold, type Household } from '../../../src/simulator/household';
import { houses, listHouseMeters } from '../../../src/simulator/houses';
import type { Registers } from '../../../src/simulator/register-sums';
import { nodesOf, runFunction } from '../../support/docs/example-functions';

interface Point {
  readonly ts: number;
  readonly energy_house_kwh: number | null;
  readonly energy_other_kwh?: number | null;
  readonly energy_production_kwh: number | null;
  readonly water_m3: number | null;
}

/** Properties of a balance that the functions read. */
interface Day {
  readonly period: Period;
  readonly points: readonly Point[];
  readonly coverage: Readonly<Record<string, number>>;
  readonly estimatedFields?: Readonly<Record<string, readonly number[]>>;
  readonly missing?: Readonly<Record<string, string>>;
}

interface Alarm {
  readonly topic: string;
  readonly payload: string;
}

const zone = 'Europe/Amsterdam';
const noon = (day: string) => millis(Date.parse(`${day}T12:00:00+02:00`));

const nodes = nodesOf('alarms');

/** The function nodes of the example with its wires; the last one returns the texts. */
class Flow {
  private readonly alarms: Alarm[] = [];
  private readonly flow = new Map<string, unknown>();
  private readonly contexts = new Map<string, Map<string, unknown>>();

  constructor(
    private readonly env: Readonly<Record<string, string>> = {},
    language = 'en-GB',
  ) {
    this.flow.set('language', language);
  }

  /** Sends a message to a function and the next ones; returns their texts. */
  send(id: string, message: object, now = noon('2026-06-18')): Alarm[] {
    this.follow(`cemm-alarms-${id}`, message, now);
    return this.alarms.splice(0);
  }

  day(day: Day): Alarm[] {
    return this.send('days', { payload: day });
  }

  private follow(id: string, message: object, now: number): void {
    const node = nodes.find((one) => one.id === id);
    if (node?.type !== 'function') return;
    const context = this.contexts.get(id) ?? new Map<string, unknown>();
    this.contexts.set(id, context);
    const state = { env: this.env, flow: this.flow, context, now };
    const result = runFunction('alarms', id, structuredClone(message), state);
    if (result === null) return;
    if (id === 'cemm-alarms-words') this.alarms.push(result as Alarm);
    for (const follower of node.wires?.flat() ?? []) this.follow(follower, result as object, now);
  }
}

function houseOf(seed: number, first: string, last: string, ...names: FaultName[]): Household {
  return houseOfRow(houses.standard, { seed, first, last, names });
}

function houseOfRow(
  house: House,
  { seed, first, last, names = [] }: { seed: number; first: string; last: string; names?: readonly FaultName[] },
): Household {
  const now = noon(last);
  return createHousehold({ house, seed, now, since: noon(first), faults: { names: new Set(names), now: () => now } });
}

function daysOf(household: Household, last: string): Day[] {
  const days: Day[] = [];
  const end = noon(last);
  for (let period = periodContaining('day', zone, household.since); period.start < end; period = nextPeriod(period)) {
    days.push(dayOf(household, period));
  }
  return days;
}

/** The hours of a day as in its balance. */
function dayOf(household: Household, period: Period): Day {
  const production = (r: Registers) =>
    r.solarT1Kwh + r.solarT2Kwh + r.garageT1Kwh + r.garageT2Kwh - r.solarOwnT1Kwh - r.solarOwnT2Kwh - r.garageOwnT1Kwh;
  const net = (r: Registers) => r.importT1Kwh + r.importT2Kwh - r.exportT1Kwh - r.exportT2Kwh;
  const hours = Array.from({ length: (period.end - period.start) / hourMs }, (_, hour) => period.start + hour * hourMs);
  const points = hours.map((ts): Point => {
    const [before, after] = [household.registers(millis(ts)), household.registers(millis(ts + hourMs))];
    const sun = production(after) - production(before);
    return {
      ts,
      energy_house_kwh: net(after) - net(before) + sun,
      energy_production_kwh: sun,
      water_m3: after.waterM3 - before.waterM3,
    };
  });
  return {
    period,
    points,
    coverage: { energy_import_kwh: 1, energy_house_kwh: 1, energy_production_kwh: 1, water_m3: 1 },
  };
}

/** The balance at this hour, or at the end of the day. */
function soFar(day: Day, hour: number): Day {
  return { ...day, points: day.points.slice(0, hour + 1) };
}

function changed(day: Day, hours: readonly number[], fields: Partial<Point>): Day {
  return { ...day, points: day.points.map((point, hour) => (hours.includes(hour) ? { ...point, ...fields } : point)) };
}

/** Sends all days, and returns the alarms of the last one. */
function lastOf(flow: Flow, days: readonly Day[]): Alarm[] {
  return days.map((day) => flow.day(day)).at(-1) ?? [];
}

const nothing: Alarm[] = [];

describe('the functions of the example alarms', function () {
  this.timeout(120_000);

  for (const seed of [1, 2, 3]) {
    it(`send nothing in a year of the simulated house ${seed}, at whatever hour they look`, () => {
      const flow = new Flow();
      const house = houseOf(seed, '2026-01-01', '2026-12-31');
      const alarms = daysOf(house, '2026-12-31').flatMap((day) =>
        [0, 4, 5, 13, 14, 24].flatMap((hour) => flow.day(soFar(day, hour))),
      );
      alarms.should.eql([]);
    });
  }

  describe('water at night', () => {
    const leaking = daysOf(houseOf(1, '2026-06-01', '2026-06-02', 'water-leak'), '2026-06-02');
    const [first, second] = leaking as [Day, Day];

    it('is one text a day, once the night is over', () => {
      const flow = new Flow();
      flow.day(soFar(first, 4)).should.eql(nothing);
      flow
        .day(soFar(first, 5))
        .should.eql([
          { topic: 'water', payload: 'Water ran in every hour of the night: 72 L from 1:00 to 5:00. Look for a leak.' },
        ]);
      flow.day(soFar(first, 6)).should.eql(nothing);
      flow.day(first).should.eql(nothing);
      flow
        .day(second)
        .map(({ topic }) => topic)
        .should.eql(['water']);
    });

    it('TD24: is neither raised nor cleared by hours that are not known or estimated', () => {
      new Flow().day(changed(first, [2], { water_m3: null })).should.have.length(1);
      new Flow().day(changed(first, [1, 2], { water_m3: null })).should.eql(nothing);
      new Flow().day(changed(first, [1, 2, 3, 4], { water_m3: null })).should.eql(nothing);
      new Flow().day(changed(first, [2], { water_m3: 0 })).should.eql(nothing);
      const estimated = first.points.slice(0, 6).map(({ ts }) => ts);
      new Flow().day({ ...first, estimatedFields: { water_m3: estimated } }).should.eql(nothing);
      new Flow().day({ ...first, estimatedFields: { gas_m3: estimated } }).should.have.length(1);
    });
  });

  describe('standby that rises', () => {
    const days = daysOf(houseOf(1, '2026-05-01', '2026-06-18', 'rising-standby'), '2026-06-18');

    it('is one text when each of four weeks is above the one before', () => {
      const flow = new Flow();
      const alarms = days.map((day) => flow.day(day));
      const firstDay = alarms.findIndex((all) => all.length > 0);
      firstDay.should.be.within(24, 28);
      const [alarm] = alarms.at(-1) ?? [];
      should(alarm?.topic).equal('standby');
      should(alarm?.payload).match(/^The house uses more each week at night: now \d{3} W, [34]\d W more than three/);
    });

    it('TD24: is neither raised nor cleared by nights that are not known', () => {
      const unknown = (day: Day): Day => changed(day, [2], { energy_house_kwh: null });
      const some = days.map((day, index) => (index % 3 === 0 ? unknown(day) : day));
      lastOf(new Flow(), some)
        .map(({ topic }) => topic)
        .should.eql(['standby']);
      lastOf(new Flow(), days.map(unknown)).should.eql(nothing);
      // A week without nights does not count as a low week.
      const noWeek = days.map((day, index) =>
        index > days.length - 15 && index < days.length - 7 ? unknown(day) : day,
      );
      lastOf(new Flow(), noWeek).should.eql(nothing);
      const measuredHalf = days.map((day) => ({ ...day, coverage: { ...day.coverage, energy_house_kwh: 0.5 } }));
      lastOf(new Flow(), measuredHalf).should.eql(nothing);
    });
  });

  describe('no sun at noon', () => {
    const days = daysOf(houseOf(1, '2026-06-01', '2026-06-18', 'no-sun'), '2026-06-18');
    const [before, today] = [days.slice(0, -1), days.slice(-1)[0] as Day];
    const after = (day: Day, days = before): Alarm[] => lastOf(new Flow(), [...days, day]);

    it('is one text, from 14:00 on', () => {
      const flow = new Flow();
      lastOf(flow, [...before, soFar(today, 13)]).should.eql(nothing);
      const [alarm] = flow.day(soFar(today, 14));
      should(alarm?.payload).match(/^No sun between 12:00 and 14:00, where it usually gives \d\.\d kWh\./);
      flow.day(today).should.eql(nothing);
    });

    it('TD24: is neither raised nor cleared by hours that are not known, estimated or measured in part', () => {
      after(changed(today, [12], { energy_production_kwh: null })).should.eql(nothing);
      const estimated = [today.points[13]?.ts ?? 0];
      after({ ...today, estimatedFields: { energy_production_kwh: estimated } }).should.eql(nothing);
      after({ ...today, estimatedFields: { gas_m3: estimated } }).should.have.length(1);
      after({ ...today, coverage: { ...today.coverage, energy_production_kwh: 0.9 } }).should.eql(nothing);
      const some = before.map((day, index) =>
        index % 2 === 0 ? changed(day, [13], { energy_production_kwh: null }) : day,
      );
      after(today, some).should.have.length(1);
      after(today, before.slice(-6)).should.eql(nothing);
    });

    it('is one text where a meter of pulses counted none for twelve hours, once noon is over', () => {
      const silent = (from: number): Day => ({
        ...changed(
          before.at(-1) as Day,
          [...Array(24).keys()].filter((hour) => hour >= from),
          { energy_production_kwh: null },
        ),
        coverage: { energy_import_kwh: 1, energy_production_kwh: from / 24 },
        missing: { energy_production_kwh: 'not_measured' },
      });
      const at = (day: Day, hour: number): number => after(soFar(day, hour)).length;
      [13, 14].map((hour) => at(silent(0), hour)).should.eql([0, 1]);
      [21, 22].map((hour) => at(silent(10), hour)).should.eql([0, 1]);
      // An unreadable meter, or a monitor that was away, does not count as a night.
      at({ ...silent(0), missing: { energy_production_kwh: 'not_readable' } }, 20).should.equal(0);
      at({ ...silent(0), coverage: { energy_import_kwh: 0.4 } }, 20).should.equal(0);
    });

    it('is sent in none of the weeks of a house without panels', () => {
      const bare = days.map((day) => changed(day, [...day.points.keys()], { energy_production_kwh: null }));
      lastOf(new Flow(), bare).should.eql(nothing);
    });
  });

  describe('standby of a house that heats', () => {
    const days = daysOf(houseOf(1, '2026-05-01', '2026-06-18'), '2026-06-18');
    const rising = (day: Day, place: number, fields: (night: number, each: Point) => Partial<Point>): Day => ({
      ...day,
      points: day.points.map((point, hour) => ({
        ...point,
        ...(hour < 7 ? fields(0.5 + 0.04 * Math.floor(place / 7), point) : {}),
      })),
    });

    it('is no alarm where only the nights rise, because it heats at night', () => {
      const heated = days.map((day, place) =>
        rising(day, place, (more, { energy_house_kwh: own }) => ({ energy_house_kwh: (own ?? 0) + more })),
      );
      lastOf(new Flow(), heated).should.eql(nothing);
    });

    it('is no alarm in the winter or in June where a heat pump is no device', () => {
      const house: House = {
        about: 'a heat pump that the connection does not describe',
        meters: listHouseMeters(houses.demo),
      };
      for (const seed of [1, 2]) {
        for (const [first, last] of [
          ['2025-10-01', '2026-01-31'],
          ['2026-05-01', '2026-06-30'],
        ] as const) {
          const flow = new Flow();
          const alarms = daysOf(houseOfRow(house, { seed, first, last }), last).flatMap((day) => flow.day(day));
          alarms.should.eql([], `house ${seed} from ${first}`);
        }
      }
    });

    it('is no alarm where a heat pump has a meter, and one where the rest of the house rises', () => {
      const withDevice = (rest: (place: number) => number): Day[] =>
        days.map((day, place) => ({
          ...day,
          coverage: { ...day.coverage, energy_other_kwh: 1 },
          points: day.points.map((point) => ({
            ...point,
            energy_house_kwh: (point.energy_house_kwh ?? 0) + 0.04 * Math.floor(place / 7),
            energy_other_kwh: rest(place),
          })),
        }));
      lastOf(
        new Flow(),
        withDevice(() => 0.2),
      ).should.eql(nothing);
      const rises = withDevice((place) => 0.2 + 0.04 * Math.floor(place / 7));
      lastOf(new Flow(), rises)
        .map(({ topic }) => topic)
        .should.eql(['standby']);
    });
  });

  describe('a phase above its fuse', () => {
    const ts = Date.parse('2026-06-18T18:05:00+02:00');
    const reading = (values: object) => ({ payload: { kind: 'realtime', ts, values } });
    const delivery = (values: object) => ({ payload: { kind: 'webhook', ts, values: { p1: values, zon: {} } } });

    const estimated = ' Estimated from the power.';

    it('is one text a day when it is seen twice in a row', () => {
      const flow = new Flow();
      const over = delivery({ power_l1_w: 900, power_l2_w: -6900, power_l3_w: null });
      flow.send('phase', over).should.eql(nothing);
      flow
        .send('phase', over)
        .should.eql([{ topic: 'phase', payload: `A phase carries 30 A. Its fuse is 25 A.${estimated}` }]);
      flow.send('phase', over).should.eql(nothing);
      flow.send('phase', reading({ power_l2_w: 6900 }), noon('2026-06-19')).should.have.length(1);
    });

    it('counts by the current where the meter sends one, and says nothing of an estimate', () => {
      const flow = new Flow();
      const over = reading({ power_l1_w: 900, current_l1_a: 31, power_w: 900 });
      flow.send('phase', over).should.eql(nothing);
      flow.send('phase', over).should.eql([{ topic: 'phase', payload: 'A phase carries 31 A. Its fuse is 25 A.' }]);
      // A high power at a low current is that of another moment.
      const other = new Flow();
      const below = reading({ power_l1_w: 9000, current_l1_a: 20 });
      [1, 2].flatMap(() => other.send('phase', below)).should.eql(nothing);
    });

    it('names its meter where the connection does', () => {
      const { payload } = reading({ current_l1_a: 31 });
      const over = { payload: { ...payload, meter: { alias: 'p1', name: 'Main meter' } } };
      const flow = new Flow();
      flow.send('phase', over).should.eql(nothing);
      flow
        .send('phase', over)
        .should.eql([{ topic: 'phase', payload: 'Main meter: A phase carries 31 A. Its fuse is 25 A.' }]);
    });

    it('shares the whole power between the phases where it knows no phase', () => {
      const twice = (flow: Flow, watt: number) => [1, 2].flatMap(() => flow.send('phase', reading({ power_w: watt })));
      twice(new Flow(), 17_000).should.eql(nothing);
      twice(new Flow(), 17_500).should.have.length(1);
      twice(new Flow({ PHASES: '1', FUSE_A: '35' }), 8000).should.eql(nothing);
      twice(new Flow({ PHASES: '1', FUSE_A: '35' }), -8100).should.have.length(1);
    });

    it('TD24: is neither raised nor cleared by a power that is not known', () => {
      const flow = new Flow();
      for (const watt of [7000, null, 2000, 7000, null]) {
        flow.send('phase', reading({ power_l1_w: watt })).should.eql(nothing);
      }
      flow.send('phase', reading({ power_l1_w: 7000 })).should.have.length(1);
    });
  });

  describe('a quarter near the peak of the month', () => {
    const end = Date.parse('2026-06-18T18:15:00+02:00');
    const minuteMs = 60_000;
    const quarter = (minutesLeft: number, peak: object) => ({
      payload: { kind: 'balance', ts: end - minutesLeft * minuteMs, peak: { end, power_w: null, ...peak } },
    });
    // 500 W more for six of the fifteen minutes are 200 W of the mean: 2,500 W would be a new peak.
    const near = { expected_w: 2_300, month_w: 2_500, room_w: 500 };

    it('is one text a day when it is seen twice in one quarter', () => {
      const flow = new Flow();
      flow.send('peak', quarter(7, { ...near, expected_w: 2_266 })).should.eql(nothing);
      const payload =
        'This quarter-hour is about to take 2,300 W on average. The highest of this month is 2,500 W. Turn something off.';
      flow.send('peak', quarter(6, near)).should.eql([{ topic: 'peak', payload }]);
      flow.send('peak', quarter(5, near)).should.eql(nothing);
    });

    it('is not sent for a short load, and at the share that is set', () => {
      const flow = new Flow();
      flow.send('peak', quarter(14, near)).should.eql(nothing);
      flow.send('peak', quarter(13, { ...near, expected_w: 400, room_w: 2_423 })).should.eql(nothing);
      flow.send('peak', quarter(6, near)).should.eql(nothing);
      const alarmsAt = (share: string): number => {
        const adjusted = new Flow({ PEAK_SHARE: share });
        return [6, 6].flatMap((left) => adjusted.send('peak', quarter(left, near))).length;
      };
      [alarmsAt('92'), alarmsAt('93')].should.eql([1, 0]);
    });

    it('TD24: is neither raised nor cleared by a month or a quarter that is not known', () => {
      const flow = new Flow();
      for (const peak of [
        {},
        { expected_w: 9_000 },
        { ...near, month_w: null, room_w: null },
        { ...near, expected_w: null },
      ]) {
        for (const left of [6, 5]) flow.send('peak', quarter(left, peak)).should.eql(nothing);
      }
      [6, 5]
        .flatMap(() => flow.send('peak', { payload: { kind: 'balance', ts: end, peak: null } }))
        .should.eql(nothing);
    });
  });

  it('tell once a day that the monitor is away', () => {
    const flow = new Flow();
    const away = { topic: 'away', payload: 'offline' };
    flow.send('words', away).should.eql([{ topic: 'away', payload: 'The monitor has not answered for ten minutes.' }]);
    flow.send('words', away).should.eql(nothing);
    flow.send('words', away, noon('2026-06-19')).should.have.length(1);
  });

  it('name the smart meter that has no new power where the connection does', () => {
    const cable = 'The monitor has had no new power from the smart meter for ten minutes. Look at the P1 cable.';
    const stale = { topic: 'cable', payload: 'stale' };
    new Flow().send('words', stale).should.eql([{ topic: 'cable', payload: cable }]);
    const named = { ...stale, meter: 'Main meter' };
    new Flow().send('words', named).should.eql([{ topic: 'cable', payload: `Main meter: ${cable}` }]);
    const change = nodes.find(({ id }) => id === 'cemm-alarms-away');
    should(Reflect.get(Object(change), 'rules')).containEql({
      t: 'set',
      p: 'meter',
      pt: 'msg',
      to: 'payload.meter.name',
      tot: 'jsonata',
    });
  });

  it('send a test as often as it is asked for', () => {
    const flow = new Flow({}, 'nl-NL');
    for (const day of [1, 2]) {
      flow
        .send('words', { topic: 'test', day })
        .should.eql([{ topic: 'test', payload: 'Dit is een test. Hier komen de alarmen van het huis aan.' }]);
    }
    should(nodes.find(({ id }) => id === 'cemm-alarms-try')).containDeep({
      type: 'inject',
      name: 'try it',
      topic: 'test',
    });
  });

  it('speak the language of the connection, in every text', () => {
    for (const topic of ['water', 'standby', 'sun', 'phase', 'peak', 'away', 'cable', 'test']) {
      const texts = ['en-GB', 'nl-NL', 'de-DE', 'fr-FR', 'tlh'].map((language) => {
        const [text] = new Flow({}, language).send('words', { topic, value: 20.4, other: 25 });
        return text?.payload;
      });
      new Set(texts).size.should.equal(4, topic);
      should(texts[4]).equal(texts[0]);
    }
    const first = daysOf(houseOf(1, '2026-06-01', '2026-06-01', 'water-leak'), '2026-06-01').map((day) => ({
      ...day,
      language: 'nl-NL',
    }));
    lastOf(new Flow(), first)[0]?.payload.should.match(/^Er liep elk uur van de nacht water: 72 L/);
  });
});
