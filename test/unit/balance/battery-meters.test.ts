/** Meters of batteries: which ones count, which way they count, and what their readings mean. */
import should from 'should';
import { addMessage } from '../../../src/balance/messages/add-message';
import { roleOfMessage } from '../../../src/balance/messages/delivered-role';
import { balanceOfHouse } from '../../../src/balance/messages/houses';
import { emptyState } from '../../../src/balance/messages/state';
import { PresentHouses } from '../../../src/balance/messages/present-houses';
import { readState } from '../../../src/balance/messages/stored-state';
import { choiceOf, everyMeter, type MeterChoice, metersInBalance } from '../../../src/balance/meters/choice';
import { readCounters } from '../../../src/balance/meters/readings';
import { buildShapes } from '../../../src/balance/meters/slots';
import { balanceNow } from '../../../src/balance/now/now';
import type { MeterNow } from '../../../src/balance/now/present';
import { requestsFor } from '../../../src/balance/requests/plan';
import { CemmError } from '../../../src/errors';
import type { MeterInfo, RealtimePayload, Values } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { at, period, series, SOURCE, zone } from '../../support/balance/small-house';

const isName = (name: string): boolean => /^[\w-]+$/.test(name);
const choose = (battery: readonly string[]): MeterChoice =>
  choiceOf((role) => (role === 'battery' ? battery : undefined), isName);

const meters: readonly MeterInfo[] = [
  { alias: 'p1', role: 'grid' },
  { alias: 's01', role: 'production', portOption: 's0_in' },
  { alias: 'mb5', role: 'production', portOption: 'enabled' },
  { alias: 'mb6', role: null, portOption: 'enabled' },
  { alias: 'odd', role: null, portOption: 's0_in' },
];

function refusedBy(attempt: () => unknown): CemmError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof CemmError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const ts = at('2026-06-15T10:00:00Z');

function realtime(values: Values, meter: MeterInfo, moment = ts): RealtimePayload {
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'rt',
    ts: moment,
    time: new Date(moment).toISOString(),
    monitor: { id: '001122aabbcc' },
    meter,
    values,
    times: {},
    missing: {},
    source: SOURCE,
  };
}

describe('the meter of a battery', () => {
  it('counts only where it is named, whatever the connection takes it for', () => {
    const names = (choice: MeterChoice): string[] =>
      metersInBalance(choice, meters).map(({ name, role, isReversed }) => `${name} ${role}${isReversed ? ' -' : ''}`);
    names(everyMeter).should.deepEqual(['p1 grid', 's01 production', 'mb5 production']);
    names(choose(['mb6'])).should.deepEqual(['p1 grid', 's01 production', 'mb5 production', 'mb6 battery']);
    names(choose(['mb5', '-mb6', '- mb7'])).should.deepEqual([
      ...['p1 grid', 's01 production', 'mb5 battery', 'mb6 battery -', 'mb7 battery -'],
    ]);
  });

  it('is refused at an S0 output, by its name and by its input', () => {
    for (const name of ['s01', 'S02', 'pulse-3', '-s01']) {
      const { code, reason, params, message } = refusedBy(() => choose([name]));
      should([code, reason]).deepEqual(['INPUT', 'battery_s0']);
      should(params['meter']).equal(name.replace('-s', 's'));
      should(message).match(/no direction/);
    }
    should(refusedBy(() => metersInBalance(choose(['odd']), meters)).reason).equal('battery_s0');
    should(refusedBy(() => choose(['a meter'])).reason).equal('meters');
  });

  it('charges with import and positive power, in every form of its readings', () => {
    const forms: readonly Values[] = [
      { energy_battery_charged_kwh: 30, energy_battery_discharged_kwh: 20 },
      { energy_import_kwh: 30, energy_export_kwh: 20 },
      { energy_production_kwh: 30, energy_own_use_kwh: 20 },
    ];
    for (const values of forms) {
      readCounters(realtime(values, { alias: 'mb6', role: null }), 'battery').should.deepEqual([
        { counter: 'charged', ts, amount: 1_800_000_000 },
        { counter: 'discharged', ts, amount: 1_200_000_000 },
      ]);
    }
    const start = period('2026-06-15').start;
    const points = [900, -600].map((power_battery_w, minute) => ({ ts: start + minute * minuteMs, power_battery_w }));
    const { charged, discharged } = buildShapes(series('2026-06-15', 'PT1M', points), 'battery');
    should([...(charged?.amounts ?? [])]).deepEqual([0, 600_000]);
    should([...(discharged?.amounts ?? [])]).deepEqual([900_000, 0]);
  });

  it('has a second tariff that was never offered left out', () => {
    const reading = realtime(
      { energy_battery_charged_kwh: null, energy_battery_charged_t1_kwh: 5, energy_battery_charged_t2_kwh: null },
      { alias: 'mb6', role: 'battery' },
    );
    reading.missing = { energy_battery_charged_kwh: 'incomplete_sum', energy_battery_charged_t2_kwh: 'no_timestamp' };
    readCounters(reading, 'battery').should.deepEqual([{ counter: 'charged', ts, amount: 300_000_000 }]);
  });

  it('makes a month read the minutes of every meter of electricity, and a year those of none', () => {
    const house = [
      { name: 'p1', role: 'grid' },
      { name: 's01', role: 'production' },
      { name: 'mb6', role: 'battery' },
      { name: 'pulse-2', role: 'water' },
    ] as const;
    const count = (label: string): Record<string, number> => {
      const found: Record<string, number> = {};
      const plan = { period: period(label), meters: house, now: at('2027-06-01T12:00:00Z'), hasTotals: true };
      for (const request of requestsFor({
        ...plan,
        needs: { minutesOf: [], keptMinutesOf: [], midnights: [] },
        knowsReading: () => false,
        knowsMonth: () => true,
      })) {
        if (request.kind !== 'series' || request.period.unit !== 'day') continue;
        found[request.meter] = (found[request.meter] ?? 0) + 1;
      }
      return found;
    };
    count('2026-10').should.deepEqual({ p1: 31, s01: 31, mb6: 31 });
    count('2026').should.deepEqual({});
  });
});

describe('the balance of this moment with a battery', () => {
  const p1 = (power: number): MeterNow => ({
    name: 'p1',
    role: 'grid',
    reading: realtime({ power_import_w: Math.max(0, power), power_export_w: Math.max(0, -power) }, { role: 'grid' }),
  });
  const s01 = (power: number): MeterNow => ({
    name: 's01',
    role: 'production',
    reading: realtime({ power_production_w: power }, { role: 'production' }),
  });
  const mb6 = (values: Values, isReversed = false): MeterNow => ({
    name: 'mb6',
    role: 'battery',
    isReversed,
    reading: realtime(values, { role: 'battery' }),
  });
  const now = (list: readonly MeterNow[]) =>
    balanceNow({
      monitor: { id: '001122aabbcc' },
      meters: list,
      intervalMs: 10_000,
      now: ts + 2000,
      quarter: null,
    }).payload;

  it('adds what it discharges, and takes away what it charges', () => {
    const charging = now([p1(-500), s01(3000), mb6({ power_battery_w: -1500 })]);
    charging.values.should.deepEqual({
      power_import_w: 0,
      power_export_w: 500,
      power_production_w: 3000,
      power_battery_w: -1500,
      power_house_w: 1000,
      power_self_consumed_w: 2500,
    });
    should(charging.meters.battery).deepEqual(['mb6']);
    should(charging.complete).be.true();
    // It sells: what goes to the grid is not from the sun alone.
    const selling = now([p1(-2000), s01(500), mb6({ power_battery_w: 2500 })]);
    selling.values.should.containDeep({ power_house_w: 1000, power_self_consumed_w: 0 });
    const bought = now([p1(3000), s01(0), mb6({ power_battery_w: -2500 })]);
    bought.values.should.containDeep({ power_house_w: 500, power_self_consumed_w: 0 });
  });

  it('reads a power without a role, and a meter the other way', () => {
    now([p1(0), mb6({ power_w: -700 })]).values.should.containDeep({ power_battery_w: 700, power_house_w: 700 });
    now([p1(0), mb6({ power_w: 700 }, true)]).values.should.containDeep({ power_battery_w: 700, power_house_w: 700 });
    now([p1(200), mb6({ power_w: 0 }, true)]).values.should.containDeep({ power_battery_w: 0, power_house_w: 200 });
  });

  it('has no house without the reading of the battery', () => {
    const { values, missing, complete } = now([
      ...[p1(0), s01(10)],
      { name: 'mb6', role: 'battery', reading: null } as const,
    ]);
    values.should.containDeep({ power_battery_w: null, power_house_w: null, power_self_consumed_w: null });
    missing.should.deepEqual({
      power_battery_w: 'not_readable',
      power_house_w: 'not_readable',
      power_self_consumed_w: 'not_readable',
    });
    should(complete).be.false();
  });
});

describe('messages about a battery', () => {
  const day = period('2026-06-15');
  const house = { name: 'x', monitor: { id: '001122aabbcc' }, installation: undefined };
  const wanted = { period: day, step: 'PT1H', prices: null, now: day.end + minuteMs } as const;
  const readingsAt = (moment: number, grid: number, charged: number, discharged: number): RealtimePayload[] => [
    realtime({ energy_import_kwh: grid, energy_export_kwh: 100 }, { alias: 'p1', role: 'grid' }, moment),
    realtime({ energy_import_kwh: charged, energy_export_kwh: discharged }, { alias: 'mb6', role: null }, moment),
  ];

  it('are added up in the direction of the list, also after a restart', () => {
    for (const [list, house_kwh] of [
      ['mb6', 7],
      ['-mb6', 13],
    ] as const) {
      const choice = choose([list]);
      const state = emptyState();
      for (const payload of [...readingsAt(day.start, 500, 40, 30), ...readingsAt(day.end, 510, 50, 37)]) {
        const context = { timezone: zone, now: day.end + minuteMs, roleOf: roleOfMessageIn(choice) };
        should(addMessage(state, payload, context)).be.true();
      }
      const stored = readState(JSON.parse(JSON.stringify(state))) ?? emptyState();
      const { values, missing } = balanceOfHouse({ ...house, state: stored }, choice, wanted);
      should(values['energy_house_kwh']).be.approximately(house_kwh, 1e-9);
      should(values['energy_battery_charged_kwh']).equal(list === 'mb6' ? 10 : 7);
      should(missing['self_sufficiency']).equal('not_by_hour');
    }
  });

  it('count with role battery without a list, and not with another role', () => {
    const roleOf = roleOfMessageIn(everyMeter);
    should(roleOf('mb6', 'battery')).equal('battery');
    should(roleOf('mb6', null)).equal(null);
    should(roleOfMessageIn(choose(['mb6']))('mb6', 'production')).equal('battery');
  });

  it('make a current balance in the direction of the list', () => {
    const choice = choose(['-mb6']);
    const present = new PresentHouses();
    const context = { choice, intervalMs: 10_000, timezone: 'Europe/Amsterdam', now: ts + 1000 };
    const read = (values: Values, meter: MeterInfo, moment: number) =>
      present.read({ ...house, state: emptyState() }, realtime(values, meter, moment), context);
    const grid = (moment: number) =>
      read({ power_import_w: 0, power_export_w: 0 }, { alias: 'p1', role: 'grid' }, moment);
    grid(ts - 1000);
    should(read({ power_w: 400 }, { alias: 'mb6', role: null }, ts)).deepEqual([]);
    const [payload] = grid(ts);
    should(payload?.values).containDeep({ power_battery_w: 400, power_house_w: 400 });
  });
});

function roleOfMessageIn(choice: MeterChoice) {
  return (meter: string, role: Parameters<typeof roleOfMessage>[2]) => roleOfMessage(choice, meter, role);
}
