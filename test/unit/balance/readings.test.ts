/** Meter readings from payloads, and the border of each (src/balance/meters/readings.ts). */
import should from 'should';
import { deliveredFieldReadings } from '../../../src/balance/meters/field-readings';
import { placeReadings, readCounters } from '../../../src/balance/meters/readings';
import { toAmount, perKwh, perM3, type BalanceRole } from '../../../src/balance/meters/amounts';
import type { RealtimePayload, Values, WebhookPayload, WebhookReading } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { period, reading, SOURCE } from '../../support/balance/small-house';

const { start, end } = period('2026-06-15');

function realtime(values: Values, times: Record<string, number> = {}): RealtimePayload {
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'rt',
    ts: start,
    time: new Date(start).toISOString(),
    monitor: { id: '001122aabbcc' },
    meter: { role: null },
    values,
    times,
    missing: {},
    source: SOURCE,
  };
}

const kwh = (value: number) => toAmount(value, perKwh);
const m3 = (value: number) => toAmount(value, perM3);
const found = (values: Values, role: BalanceRole) =>
  readCounters(realtime(values), role).map(({ counter, amount }) => [counter, amount]);

describe('the readings of a meter', () => {
  it('have the counters of its role, with their own times', () => {
    const values = { energy_import_kwh: 10, gas_m3: 4, water_m3: 2, energy_export_kwh: null };
    found(values, 'grid').should.deepEqual([
      ['import', kwh(10)],
      ['gas', m3(4)],
    ]);
    found(values, 'gas').should.deepEqual([['gas', m3(4)]]);
    found(values, 'water').should.deepEqual([['water', m3(2)]]);
    found({ energy_import_kwh: 10 }, 'gas').should.deepEqual([]);
    const [read] = readCounters(realtime({ gas_m3: 4 }, { gas_m3: start - minuteMs }), 'gas');
    should(read?.ts).equal(start - minuteMs);
  });

  it('of a device at a pulse input, of which the service has net energy alone, are that energy', () => {
    found({ energy_net_kwh: 12 }, 'consumption').should.deepEqual([['used', kwh(12)]]);
    found({ energy_net_kwh: 12, energy_import_kwh: 13 }, 'consumption').should.deepEqual([['used', kwh(13)]]);
    found({ energy_net_kwh: 12, energy_import_kwh: null }, 'consumption').should.deepEqual([]);
    found({ energy_net_kwh: 12, energy_export_kwh: 3 }, 'consumption').should.deepEqual([['returned', kwh(3)]]);
    const payload = realtime({ energy_net_t1_kwh: 12, energy_net_t2_kwh: null, energy_net_kwh: null });
    payload.missing = { energy_net_t2_kwh: 'no_timestamp', energy_net_kwh: 'incomplete_sum' };
    should(readCounters(payload, 'consumption')).containDeep([{ counter: 'used', amount: kwh(12) }]);
  });

  it('of an inverter are its delivery minus its own use, with the newer time', () => {
    const both = { energy_production_kwh: 12, energy_own_use_kwh: 2, energy_net_kwh: 9 };
    found(both, 'production').should.deepEqual([['production', kwh(10)]]);
    const [read] = readCounters(realtime(both, { energy_own_use_kwh: start + 7 }), 'production');
    should(read?.ts).equal(start + 7);
  });

  it('of an inverter whose second tariff never had a value use the first one', () => {
    const payload = realtime(
      { energy_net_t1_kwh: 12, energy_net_t2_kwh: null, energy_net_kwh: null },
      { energy_net_t1_kwh: start - 7 },
    );
    payload.missing = { energy_net_t2_kwh: 'no_timestamp', energy_net_kwh: 'incomplete_sum' };
    should(readCounters(payload, 'production')).deepEqual([{ counter: 'production', ts: start - 7, amount: kwh(12) }]);
    payload.missing = { energy_net_t2_kwh: 'not_finite', energy_net_kwh: 'incomplete_sum' };
    should(readCounters(payload, 'production')).deepEqual([]);
  });

  it('of an inverter with one counter use that counter, or net energy if the second one has no value', () => {
    found({ energy_production_kwh: 12 }, 'production').should.deepEqual([['production', kwh(12)]]);
    found({ energy_production_kwh: 12, energy_own_use_kwh: null, energy_net_kwh: 9 }, 'production').should.deepEqual([
      ['production', kwh(9)],
    ]);
    found({ energy_export_kwh: 7, energy_import_kwh: 1 }, 'production').should.deepEqual([['production', kwh(6)]]);
    found({ energy_production_kwh: 12, energy_own_use_kwh: null }, 'production').should.deepEqual([]);
    found({}, 'production').should.deepEqual([]);
  });

  it('of a delivery are the values of topic reading, with the time of the delivery if they have none', () => {
    const of = (more: Partial<WebhookReading>): WebhookReading => ({
      meter: 'dsmr',
      channel: '',
      topic: 'reading',
      field: 'energy_import_kwh',
      value: 5,
      unit: 'kWh',
      unitSource: 'specification',
      ts: null,
      ...more,
    });
    const payload: WebhookPayload = {
      ...realtime({}),
      kind: 'webhook',
      values: {},
      delivery: { format: 'basic-v1', verified: [], ageMs: 0, bytes: 1, replayCheck: 'none' },
      readings: [of({}), of({ field: 'energy_export_kwh', value: null }), of({ field: 'gas_m3', topic: 'this/day' })],
    };
    deliveredFieldReadings(payload.readings, payload.ts).should.deepEqual([
      { field: 'energy_import_kwh', ts: start, amount: kwh(5) },
    ]);
  });
});

describe('the border that a reading stands for', () => {
  const borders = [start, end];
  const placedOf =
    (counter: 'import' | 'gas') =>
    (...readings: readonly (readonly [number, number])[]) =>
      placeReadings(
        readings.map(([ts, value]) => reading(counter, ts, value)),
        counter,
        borders,
      ).map(({ at, amount }) => [at, amount]);
  const placed = placedOf('import');

  it('is the next one within five minutes, otherwise its own minute', () => {
    placed([start - minuteMs, 1], [end - 6 * minuteMs - 10_000, 4]).should.deepEqual([
      [start, kwh(1)],
      [end - 6 * minuteMs, kwh(4)],
    ]);
  });

  it('of gas is the next one within an hour for the last reading of that hour, and its own minute for the others', () => {
    const gas = placedOf('gas');
    const evening = [
      [end - 60 * minuteMs, 4],
      [end - 30 * minuteMs, 5],
    ] as const;
    const own = evening.map(([at, volume]) => [at, m3(volume)]);
    gas(...evening, [end - 15 * minuteMs, 6]).should.deepEqual([...own, [end, m3(6)]]);
    gas(...evening, [end, 7], [end + 5 * minuteMs, 8]).should.deepEqual([...own, [end, m3(7)]]);
    gas([start - 60 * minuteMs, 1], [start - 30 * minuteMs, 2]).should.deepEqual([[start, m3(2)]]);
    gas([end - 60 * minuteMs, 4]).should.deepEqual([[end, m3(4)]]);
    gas([end - 61 * minuteMs, 4]).should.deepEqual([[end - 61 * minuteMs, m3(4)]]);
  });

  it('is absent outside the period', () => {
    placed([start - 10 * minuteMs, 1], [end + 10 * minuteMs, 5]).should.deepEqual([]);
  });

  it('has the nearest reading in any order, and the larger of two with the same time; the others are of their own minutes', () => {
    const expected = [[end, kwh(5)]];
    const both = [[end - 2 * minuteMs, kwh(4)], ...expected];
    placed([end - 2 * minuteMs, 4], [end - minuteMs, 5]).should.deepEqual(both);
    placed([end - minuteMs, 5], [end - 2 * minuteMs, 4]).should.deepEqual(both);
    placed([end - 2 * minuteMs, 4], [end, 5]).should.deepEqual(both);
    placed([end - minuteMs, 5], [end - minuteMs, 4]).should.deepEqual(expected);
    placed([end - minuteMs, 4], [end - minuteMs, 5]).should.deepEqual(expected);
  });

  it('uses the later of two readings that are equally near to their minute', () => {
    const minute = start + 60 * minuteMs;
    placed([minute - 3000, 1], [minute + 3000, 2]).should.deepEqual([[minute, kwh(2)]]);
  });

  it('keeps the 0 of a replaced meter and of a new one', () => {
    const noon = start + 12 * 60 * minuteMs;
    placed([noon, 0], [noon + 10 * minuteMs, 1]).should.have.length(2);
    placed([start, 9], [noon, 0], [noon + 10 * minuteMs, 1]).should.have.length(3);
    placed([start, 9], [noon, 0], [noon + 10 * minuteMs, 9]).should.have.length(2);
    placed([start, 9], [noon, 0]).should.have.length(1);
  });
});
