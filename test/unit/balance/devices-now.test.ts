/** The devices of the present balance (src/balance/now/present-devices.ts), and the phases of the connection. */
import should from 'should';
import { Moment } from '../../../src/balance/now/moment';
import { balanceNow } from '../../../src/balance/now/now';
import type { MeterNow } from '../../../src/balance/now/present';
import type { BalancePayload, RealtimePayload, Values } from '../../../src/model/payload';
import { SOURCE } from '../../support/balance/small-house';

const testTs = Date.parse('2026-06-15T10:00:00Z');
const monitor = { id: '001122aabbcc' };

function realtime(values: Values, ts = testTs): RealtimePayload {
  const common = { schema: 'cemm/1', kind: 'realtime', id: 'rt', ts, time: new Date(ts).toISOString() } as const;
  return { ...common, monitor, meter: { role: null }, values, times: {}, missing: {}, source: SOURCE };
}

const p1 = (taken: number, more: Values = {}, ts = testTs): MeterNow => ({
  name: 'p1',
  role: 'grid',
  reading: realtime({ power_import_w: taken, power_export_w: 0, ...more }, ts),
});
const device = (name: string, watts: number | null, more: Partial<MeterNow> = {}, ts = testTs): MeterNow => ({
  name,
  role: 'consumption',
  reading: watts === null ? null : realtime({ power_w: watts }, ts),
  ...more,
});
const now = (...meters: MeterNow[]): BalancePayload =>
  balanceNow({ monitor, meters, intervalMs: 10_000, now: testTs + 2000, quarter: null }).payload;

describe('the devices of this moment', () => {
  it('have name, place and power, and leave the rest of the house', () => {
    const { devices, values, meters, complete } = now(
      p1(3000),
      device('mb2', 1500, { title: 'Heat pump' }),
      device('mb4', 400, { title: 'Boiler', within: 'mb2' }),
      device('mb3', 1000),
    );
    should(devices).deepEqual([
      { meter: 'mb2', name: 'Heat pump', power_w: 1500, coverage: 1 },
      { meter: 'mb4', name: 'Boiler', within: 'mb2', power_w: 400, coverage: 1 },
      { meter: 'mb3', name: 'mb3', power_w: 1000, coverage: 1 },
    ]);
    values.should.deepEqual({ power_import_w: 3000, power_export_w: 0, power_house_w: 3000, power_other_w: 500 });
    meters.should.deepEqual({ grid: ['p1'], production: [], gas: [], water: [] });
    complete.should.be.true();
  });

  it('change no other number, whatever they say', () => {
    const house = now(p1(3000));
    for (const one of [device('mb2', null), device('mb2', -3000), device('mb2', 500, {}, testTs - 3_600_000)]) {
      const { devices, values, missing, ...others } = now(p1(3000), one);
      should(devices?.[0]?.power_w).equal(null);
      should(devices?.[0]?.coverage).equal(0);
      const { power_other_w, ...ofHouse } = values;
      should(power_other_w).equal(null);
      Object.keys(missing).should.deepEqual(['power_other_w']);
      const { values: alone, missing: none, source: own, ...rest } = house;
      const { source, ...compared } = others;
      should(source.requests).be.aboveOrEqual(own.requests);
      compared.should.deepEqual({ ...rest });
      ofHouse.should.deepEqual(alone);
      none.should.deepEqual({});
    }
  });

  it('say why a power is not known', () => {
    const reason = (one: MeterNow) => now(p1(3000), one).devices?.[0]?.missing;
    should(reason(device('mb2', null))).deepEqual({ power_w: 'not_readable' });
    should(reason(device('mb2', -101))).deepEqual({ power_w: 'inconsistent' });
    should(reason(device('mb2', 500, {}, testTs - 61_000))).deepEqual({ power_w: 'too_old' });
    should(reason(device('mb2', -5))).equal(undefined);
  });

  it('count the other way round where the row says so', () => {
    const { devices, values } = now(p1(3000), device('mb2', -1200, { isReversed: true }));
    should(devices?.[0]?.power_w).equal(1200);
    should(values['power_other_w']).equal(1800);
  });

  it('leave no rest below zero, except for a small difference in time', () => {
    should(now(p1(3000), device('mb2', 3090)).values['power_other_w']).equal(-90);
    now(p1(3000), device('mb2', 3200)).missing.should.deepEqual({ power_other_w: 'inconsistent' });
  });

  it('count as behind no other one where that is no device of the balance', () => {
    const { devices, values } = now(p1(3000), device('mb4', 400, { within: 'mb2' }));
    should(devices?.[0]?.within).equal(undefined);
    should(values['power_other_w']).equal(2600);
  });

  it('are not waited for, and their last reading counts', () => {
    const taken: (readonly MeterNow[])[] = [];
    const moment = new Moment(
      [p1(0), device('mb2', 0)].map(({ name, role }) => ({ name, role })),
      (all) => taken.push(all),
    );
    const powersTaken = () => taken.at(-1)?.map(({ reading }) => reading?.values['power_w'] ?? null);
    moment.read('p1', realtime({ power_w: 1 }));
    should(powersTaken()).deepEqual([1, null]);
    moment.read('mb2', realtime({ power_w: 2 }));
    should(taken.length).equal(1);
    moment.read('p1', realtime({ power_w: 3 }));
    should(powersTaken()).deepEqual([3, 2]);
    moment.read('p1', realtime({ power_w: 4 }));
    should(powersTaken()).deepEqual([4, 2]);
    moment.lost('mb2');
    moment.read('p1', realtime({ power_w: 5 }));
    should(powersTaken()).deepEqual([5, null]);
  });
});

describe('the phases of this moment', () => {
  it('have what the meter of the grid sends of each', () => {
    const sent = { power_l1_w: 900, voltage_l1_v: 231.4, current_l1_a: 4, power_l2_w: -200, power_l3_w: 0 };
    should(now(p1(700, sent)).phases).deepEqual([
      { power_w: 900, voltage_v: 231.4, current_a: 4 },
      { power_w: -200 },
      { power_w: 0 },
    ]);
    should(now(p1(700, { voltage_l1_v: 230 })).phases).deepEqual([{ power_w: null, voltage_v: 230 }]);
  });

  it('are absent where the meter sends none, where its power is too old, and with several meters', () => {
    should(now(p1(700)).phases).equal(undefined);
    should(now(p1(700, { power_l1_w: 700 }, testTs - 61_000)).phases).equal(undefined);
    should(now(p1(700, { power_l1_w: 700 }), { ...p1(100), name: 'p2' }).phases).equal(undefined);
  });
});
