/** The current values of the house, from simultaneous readings only (src/balance/now/now.ts). */
import should from 'should';
import { balanceNow } from '../../../src/balance/now/now';
import type { MeterNow } from '../../../src/balance/now/present';
import type { SeenPowers } from '../../../src/balance/now/present';
import { RunningQuarters } from '../../../src/balance/now/running-quarters';
import type { RunningQuarter } from '../../../src/balance/period/peak';
import type { RealtimePayload, Values } from '../../../src/model/payload';
import { SOURCE } from '../../support/balance/small-house';

const testTs = Date.parse('2026-06-15T10:00:00Z');
const monitor = { id: '001122aabbcc' };

function realtime(values: Values, ts = testTs): RealtimePayload {
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'rt',
    ts,
    time: new Date(ts).toISOString(),
    monitor,
    meter: { role: 'grid' },
    values,
    times: {},
    missing: {},
    source: SOURCE,
  };
}

const p1 = (taken: number, given: number, ts = testTs): MeterNow => ({
  name: 'p1',
  role: 'grid',
  reading: realtime({ power_import_w: taken, power_export_w: given }, ts),
});
const s01 = (watts: number, ts = testTs): MeterNow => ({
  name: 's01',
  role: 'production',
  reading: realtime({ power_production_w: watts }, ts),
});
const now = (meters: readonly MeterNow[]) =>
  balanceNow({ monitor, meters, intervalMs: 10_000, now: testTs + 2000, quarter: null }).payload;

describe('the running quarters of several houses', () => {
  it('are each of their own, also where only the number of the monitor is known', () => {
    const quarters = new RunningQuarters();
    const quarter = testTs - (testTs % 900_000);
    const context = { intervalMs: 60_000, timezone: 'Europe/Amsterdam' };
    const expectedOf = (cemm: number, watts: number, at: number): unknown =>
      quarters.balance({ monitor: { id: null, cemm } }, [p1(watts, 0, at)], context, at + 1000).peak?.expected_w;
    for (const at of [quarter, quarter + 60_000]) {
      should(expectedOf(1001, 3000, at)).equal(3000);
      should(expectedOf(1002, 100, at)).equal(100);
    }
  });
});

describe('the balance of this moment', () => {
  it('is import − export + production, with self-consumption', () => {
    const { values, missing, meters, source } = now([p1(0, 800), s01(2000, testTs - 3000)]);
    values.should.deepEqual({
      power_import_w: 0,
      power_export_w: 800,
      power_production_w: 2000,
      power_house_w: 1200,
      power_self_consumed_w: 1200,
    });
    missing.should.deepEqual({});
    meters.should.deepEqual({ grid: ['p1'], production: ['s01'], gas: [], water: [] });
    should(source.requests).equal(6);
  });

  it('is the import of a house without production', () => {
    now([p1(300, 0)]).values.should.deepEqual({ power_import_w: 300, power_export_w: 0, power_house_w: 300 });
  });

  it('BA16: has no house where the readings are further apart than an interval', () => {
    const { values, missing } = now([p1(300, 0), s01(2000, testTs - 11_000)]);
    values.should.containDeep({ power_import_w: 300, power_production_w: 2000, power_house_w: null });
    missing.should.deepEqual({ power_house_w: 'not_simultaneous', power_self_consumed_w: 'not_simultaneous' });
  });

  it('BA4: makes null what a meter that does not answer is needed for, and only that', () => {
    const { values, missing, complete } = now([p1(300, 0), { name: 's01', role: 'production', reading: null }]);
    values.should.containDeep({ power_import_w: 300, power_production_w: null, power_house_w: null });
    should(missing['power_house_w']).equal('not_readable');
    complete.should.be.false();
  });

  it('reports a use of the house below 0 as inconsistent', () => {
    now([p1(0, 3000), s01(1000)]).missing.should.deepEqual({
      power_house_w: 'inconsistent',
      power_self_consumed_w: 'inconsistent',
    });
  });

  it('names the installation, which distinguishes houses with unknown monitors', () => {
    const of = (id: string | null) =>
      balanceNow({
        monitor: { id },
        installation: 'house-1',
        meters: [p1(300, 0)],
        intervalMs: 10_000,
        now: testTs,
        quarter: null,
      }).payload;
    should(of(null).installation).equal('house-1');
    should(of(null).id).containEql('house-1');
    should(of('001122aabbcc').id).not.containEql('house-1');
  });

  it('follows the current quarter from reading to reading', () => {
    const first = balanceNow({
      monitor,
      meters: [p1(2000, 0)],
      intervalMs: 10_000,
      now: testTs,
      quarter: null,
      seen: new Map(),
    });
    const later = [p1(2000, 0, testTs + 60_000)];
    const next = balanceNow({
      monitor,
      meters: later,
      intervalMs: 10_000,
      now: testTs,
      quarter: first.quarter,
      seen: new Map(),
    });
    should(next.payload.peak).deepEqual({ power_w: null, start: testTs, end: testTs + 900_000, expected_w: 2000 });
  });

  it('has no sum if readings of two meters are more than an interval apart, or if one has no power', () => {
    const garage: MeterNow = { ...s01(500, testTs - 11_000), name: 'mb5' };
    const apart = now([p1(300, 0), s01(2000), garage]);
    should(apart.missing['power_production_w']).equal('not_simultaneous');
    should(apart.missing['power_house_w']).equal('not_simultaneous');
    const silent: MeterNow = { ...p1(0, 0), reading: realtime({ power_import_w: null }) };
    const { values, missing, ts, peak } = now([silent]);
    values.should.deepEqual({ power_import_w: null, power_export_w: null, power_house_w: null });
    missing.should.deepEqual({
      power_import_w: 'not_measured',
      power_export_w: 'not_measured',
      power_house_w: 'not_measured',
    });
    should(ts).equal(testTs + 2000);
    should(peak).equal(null);
  });

  it('continues the current quarter after a failure of the grid meter', () => {
    const at = (meters: readonly MeterNow[], quarter: RunningQuarter | null) =>
      balanceNow({ monitor, meters, intervalMs: 10_000, now: testTs, quarter });
    const first = at([p1(2000, 0)], null);
    const lost = at([{ ...p1(0, 0), reading: null }], first.quarter);
    should(lost.payload.peak).equal(null);
    should(lost.quarter).deepEqual(first.quarter);
    should(at([p1(2000, 0, testTs + 60_000)], lost.quarter).payload.peak?.expected_w).equal(2000);
  });

  it('follows the quarter by counters if every grid meter has one', () => {
    const counted = (name: string, kwh: number | null, ts: number): MeterNow => ({
      name,
      role: 'grid',
      reading: realtime(
        { power_import_w: 600, power_export_w: 0, ...(kwh !== null && { energy_import_kwh: kwh }) },
        ts,
      ),
    });
    const expected = (second: number | null) => {
      const meters = (kwh: number, ts: number) => [counted('p1', kwh, ts), counted('p2', second && second + kwh, ts)];
      const first = balanceNow({
        monitor,
        meters: meters(10, testTs),
        intervalMs: 10_000,
        now: testTs,
        quarter: null,
      });
      const next = meters(10.05, testTs + 60_000);
      const later = balanceNow({
        monitor,
        meters: next,
        intervalMs: 10_000,
        now: testTs,
        quarter: first.quarter,
      });
      return later.payload.peak?.expected_w;
    };
    // Both counted 0.05 kWh: 6 kW for a minute, 1200 W for the other fourteen.
    should(expected(20)).be.approximately((6000 + 14 * 1200) / 15, 1e-6);
    should(expected(null)).be.approximately(1200, 1e-6);
  });
});

describe('powers that are too old', () => {
  /** A watched house: the powers at some seconds after the start, each with its own time. */
  const house = (intervalMs = 10_000) => {
    const seen: SeenPowers = new Map();
    return (second: number, meters: readonly MeterNow[]) =>
      balanceNow({ monitor, meters, intervalMs, now: testTs + second * 1000, quarter: null, seen }).payload;
  };
  const at = (second: number) => testTs + second * 1000;
  const none = (name: string, role: MeterNow['role'], values: Values, ts = testTs): MeterNow => ({
    name,
    role,
    reading: realtime(values, ts),
  });

  it('leaves out powers older than three intervals and a minute, and reports the oldest time', () => {
    const read = house();
    should(read(60, [p1(1550, 0), none('mb5', 'production', { power_production_w: 400 }, at(60))]).stale).equal(
      undefined,
    );
    const { values, missing, stale, complete, peak } = read(61, [
      p1(1550, 0),
      none('mb5', 'production', { power_production_w: 400 }, at(61)),
    ]);
    values.should.deepEqual({
      power_import_w: null,
      power_export_w: null,
      power_production_w: 400,
      power_house_w: null,
      power_self_consumed_w: null,
    });
    should(missing['power_house_w']).equal('too_old');
    should(missing['power_import_w']).equal('too_old');
    should(stale).deepEqual({ since: testTs });
    should(complete).be.false();
    should(peak).equal(null);
  });

  it('waits for three intervals of at most a quarter hour each', () => {
    const isOld = (intervalMs: number, second: number) => house(intervalMs)(second, [p1(1550, 0)]).stale !== undefined;
    [isOld(60_000, 180), isOld(60_000, 181)].should.deepEqual([false, true]);
    [isOld(3_600_000, 2700), isOld(3_600_000, 2701)].should.deepEqual([false, true]);
  });

  it('accepts a wrong clock that advances, and rejects it when it stops', () => {
    for (const off of [-7200, 7200]) {
      const read = house();
      read(0, [p1(300, 0, at(off))]);
      for (const second of [10, 20, 30]) {
        should(read(second, [p1(300, 0, at(off + second))]).values['power_house_w']).equal(300);
      }
      should(read(90, [p1(300, 0, at(off + 30))]).values['power_house_w']).equal(300);
      should(read(91, [p1(300, 0, at(off + 30))]).missing['power_house_w']).equal('too_old');
    }
  });

  it('does not accept consecutive old readings as new', () => {
    const read = house();
    for (const minute of [0, 1, 2]) {
      should(read(minute, [p1(300, 0, at(minute * 60 - 7200))]).missing['power_house_w']).equal('too_old');
    }
  });

  it('counts a meter without pulses as 0 when this means less than 10 W and other meters have new powers', () => {
    const read = house();
    const power = (second: number, watts: number) => {
      const { values, missing } = read(second, [p1(300, 0, at(second)), s01(watts)]);
      return [values['power_production_w'], missing['power_production_w'] ?? null, values['power_house_w']];
    };
    // 40 W is a pulse every 90 s.
    power(0, 40).should.deepEqual([40, null, 340]);
    power(90, 40).should.deepEqual([40, null, 340]);
    power(100, 40).should.deepEqual([null, 'too_old', null]);
    power(360, 40).should.deepEqual([null, 'too_old', null]);
    power(361, 40).should.deepEqual([0, null, 300]);
    power(8 * 3600, 40).should.deepEqual([0, null, 300]);
    // The other meter has nothing new either.
    should(read(8 * 3600 + 61, [p1(300, 0, at(8 * 3600)), s01(40)]).values['power_production_w']).equal(null);
  });

  it('BA27: has no negative power of a pulse meter that is too old', () => {
    const read = house();
    const power = (second: number) => {
      const { values, missing } = read(second, [p1(300, 0, at(second)), s01(-500)]);
      return [values['power_production_w'], missing['power_production_w'] ?? null, values['power_house_w']];
    };
    power(0).should.deepEqual([-500, null, -200]);
    power(200).should.deepEqual([null, 'too_old', null]);
    power(361).should.deepEqual([0, null, 300]);
  });

  it('counts a known pulse meter without a power as 0', () => {
    const dark = (counted: number | null, ts = testTs) =>
      none('s01', 'production', { power_production_w: null, energy_production_kwh: counted }, ts);
    const read = house();
    read(0, [p1(300, 0), s01(25)]);
    should(read(300, [p1(300, 0, at(300)), dark(null)]).missing['power_production_w']).equal('too_old');
    should(read(361, [p1(300, 0, at(361)), dark(null)]).values['power_house_w']).equal(300);
    // After a restart at night there is its counter, with the time of the last pulse or with the current time.
    should(house()(0, [p1(300, 0), dark(812, at(-3600))]).values['power_house_w']).equal(300);
    const restarted = house();
    for (const second of [0, 120, 240, 360]) restarted(second, [p1(300, 0, at(second)), dark(812, at(second))]);
    should(restarted(361, [p1(300, 0, at(361)), dark(812, at(361))]).values['power_house_w']).equal(300);
    should(house()(9999, [p1(300, 0, at(9999)), dark(null)]).missing['power_house_w']).equal('not_measured');
    const modbus = none('mb5', 'production', { power_production_w: null, energy_production_kwh: 812 }, at(-3600));
    should(house()(0, [p1(300, 0), modbus]).missing['power_house_w']).equal('not_measured');
  });
});
