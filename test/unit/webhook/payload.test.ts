import should from 'should';
import {
  type DeliveryArrival,
  deliveryId,
  type DeliveryContext,
  DeliveryNormalizer,
  problemPayload,
} from '../../../src/model/delivery';
import { readDelivery } from '../../../src/protocol/delivery';
import { millis } from '../../../src/time/units';
import { catalogueFrom } from '../../support/webhook/catalogue';
import { plainContext } from '../../support/webhook/context';

const time = Date.parse('2026-01-15T12:00:00Z') / 1000;

const digest = '9f2c41d07be3a816'.padEnd(64, '0');
const arrival: Omit<DeliveryArrival, 'id'> = {
  at: millis(time * 1000 + 640),
  latencyMs: 3,
  bytes: 812,
  verified: ['hmac'],
  keyUsed: 'current',
  replayCheck: 'window',
};

function payloadOf(body: unknown, more: Partial<DeliveryContext> = {}) {
  const delivery = readDelivery(body);
  const known = { ...plainContext, ...more };
  return new DeliveryNormalizer().payload(delivery, known, {
    ...arrival,
    id: deliveryId(delivery, known, arrival.at, digest),
  });
}

const record = (value: number | null, at = time) => ({ time: at, value });

describe('the payload of a delivery', () => {
  it('CL3: has the documented fields', () => {
    const payload = payloadOf({
      format: 'basic-v1',
      cemm: 24000001,
      time,
      data: {
        'smartmeter-dsmr': {
          electric_power_import: { realtime: record(412.5), 'last/15minutes': record(380) },
          electric_energy_import: { realtime: null, reading: record(8297.62), 'last/day': null },
        },
      },
    });
    payload.should.deepEqual({
      schema: 'cemm/1',
      kind: 'webhook',
      id: 'wh:24000001:1768478400:9f2c41d07be3a816',
      ts: time * 1000,
      time: '2026-01-15T12:00:00.000Z',
      monitor: { id: null, cemm: 24000001 },
      source: { transport: 'webhook', fetchedAt: time * 1000 + 640, latencyMs: 3, requests: 1, promises: 0 },
      delivery: {
        format: 'basic-v1',
        verified: ['hmac'],
        keyUsed: 'current',
        ageMs: 640,
        bytes: 812,
        replayCheck: 'window',
      },
      readings: [
        {
          meter: 'smartmeter-dsmr',
          channel: 'electric_power_import',
          topic: 'realtime',
          field: 'power_import_w',
          value: 412.5,
          unit: 'W',
          unitSource: 'assumed',
          ts: time * 1000,
        },
        {
          meter: 'smartmeter-dsmr',
          channel: 'electric_power_import',
          topic: 'last/15minutes',
          field: 'power_import_w',
          value: 380,
          unit: 'W',
          unitSource: 'assumed',
          ts: time * 1000,
          window: { start: (time - 900) * 1000, end: time * 1000 },
        },
        {
          meter: 'smartmeter-dsmr',
          channel: 'electric_energy_import',
          topic: 'realtime',
          field: 'energy_import_kwh',
          value: null,
          unit: 'kWh',
          unitSource: 'assumed',
          ts: null,
          missing: 'topic_not_valid',
        },
        {
          meter: 'smartmeter-dsmr',
          channel: 'electric_energy_import',
          topic: 'reading',
          field: 'energy_import_kwh',
          value: 8297.62,
          unit: 'kWh',
          unitSource: 'assumed',
          ts: time * 1000,
        },
        {
          meter: 'smartmeter-dsmr',
          channel: 'electric_energy_import',
          topic: 'last/day',
          field: 'energy_import_kwh',
          value: null,
          unit: 'kWh',
          unitSource: 'assumed',
          ts: null,
          window: { start: Date.parse('2026-01-13T23:00:00Z'), end: Date.parse('2026-01-14T23:00:00Z') },
          missing: 'no_recent_value',
        },
      ],
      values: { 'smartmeter-dsmr': { power_import_w: 412.5, energy_import_kwh: 8297.62 } },
    });
  });

  it('WB15, WB16: passes on unknown meters, channels, topics and formats', () => {
    const payload = payloadOf({
      format: 'basic-v7',
      cemm: 1,
      time,
      data: { new: { mystery: { 'last/week': record(5) } } },
    });
    payload.delivery.format.should.equal('basic-v7');
    payload.readings.should.containDeep([
      {
        meter: 'new',
        channel: 'mystery',
        topic: 'last/week',
        field: 'mystery',
        value: 5,
        unit: null,
        unitSource: null,
      },
    ]);
    payload.values.should.deepEqual({});
    const unknown = payloadOf({ format: 'pulse-v9', cemm: 1, time, pulses: [1] });
    should(unknown.raw).containDeep({ pulses: [1] });
    unknown.readings.should.be.empty();
    should(unknown.delivery.flaws).not.be.undefined();
  });

  it('keeps names of inherited members as names', () => {
    const payload = payloadOf({
      format: 'basic-v1',
      time,
      data: { constructor: { toString: { reading: record(1) } }, valueOf: { x: { realtime: record(2) } } },
    });
    Object.keys(payload.values).should.deepEqual(['constructor', 'valueOf']);
    should(payload.values['constructor']).deepEqual({ toString: 1 });
  });

  it('takes units, classes and roles from the monitor where it was asked', () => {
    const catalogue = catalogueFrom({
      meters: [
        { key: 'w', type: 'water', role: null, channels: [{ key: 'volume', unit: 'L', aggregation_method: 'PULSE' }] },
        {
          key: 'd',
          type: 'electricity',
          role: 'consumer',
          channels: [{ key: 'electric_power_import', unit: 'kW', aggregation_method: 'DERIVED' }],
        },
      ],
    });
    const { readings } = payloadOf(
      {
        format: 'basic-v1',
        time,
        data: { w: { volume: { reading: record(3) } }, d: { electric_power_import: { realtime: null } } },
      },
      { catalogue },
    );
    readings.should.containDeep([
      // Not water_m3: the name would contradict the unit.
      { field: 'volume', unit: 'L', unitSource: 'monitor' },
      { unit: 'kW', unitSource: 'monitor', missing: 'topic_not_valid' },
    ]);
  });

  it('names the monitor by its MAC where the connection knows which one it is', () => {
    const body = { format: 'basic-v1', cemm: 5, time, data: {} };
    payloadOf(body, { monitor: { id: '801f124706b0', name: 'hal' } }).monitor.should.deepEqual({
      id: '801f124706b0',
      name: 'hal',
      cemm: 5,
    });
    payloadOf(body, { monitor: { id: '801f124706b0', cemm: 5 } }).monitor.should.deepEqual({
      id: '801f124706b0',
      cemm: 5,
    });
    payloadOf(body, { monitor: { id: '801f124706b0', cemm: 6 } }).monitor.should.deepEqual({ id: null, cemm: 5 });
  });

  it('makes a series of the result of a Public API request', () => {
    const day = 86_400;
    const payload = payloadOf(
      {
        data: [
          [time, 3],
          [time - day, 2],
          [time - day, 9],
          [time - 2 * day, null],
          ['x', 1],
        ],
      },
      { subject: { meter: 'zon', channel: 'electric_energy_export' }, interval: '15m' },
    );
    should(payload.points).deepEqual([
      { ts: (time - 2 * day) * 1000, energy_export_kwh: null },
      { ts: (time - day) * 1000, energy_export_kwh: 2 },
      { ts: time * 1000, energy_export_kwh: 3 },
    ]);
    should(payload.meter).deepEqual({ key: 'zon', role: null });
    payload.delivery.should.containDeep({ format: 'timeseries', ageMs: null, flaws: [{ path: '$.data[4]' }] });
    payload.id.should.equal('wh:/cemm:1768478400:9f2c41d07be3a816');
    payload.ts.should.equal(time * 1000);
    should(payloadOf({ data: [] }).points).deepEqual([]);
    should(payloadOf({ data: [[time, 1]] }).points).deepEqual([{ ts: time * 1000, value: 1 }]);
  });

  it('names the columns of a series after the listed channels, and counts the others', () => {
    const body = { data: [[time, 1, 2, 3], [time + 60, null, 5]] }; // prettier-ignore
    const of = (meter: string, channel: string) => payloadOf(body, { subject: { meter, channel } }).points;
    should(of('', '')).deepEqual([
      { ts: time * 1000, value: 1, value_2: 2, value_3: 3 },
      { ts: (time + 60) * 1000, value: null, value_2: 5, value_3: null },
    ]);
    should(of('zon', 'electric_power_import, electric_power_export')?.[0]).deepEqual({
      ts: time * 1000,
      power_import_w: 1,
      power_export_w: 2,
      value_3: 3,
    });
    should(of('zon', 'value_2, , ts')?.[0]).deepEqual({ ts: time * 1000, value_2: 1, value_2_raw: 2, ts_raw: 3 });
  });

  it('has the reading of a number that came as a text, and the moment of a value that is missing', () => {
    const { readings } = payloadOf({
      format: 'basic-v1',
      time,
      data: { m: { electric_energy_import: { reading: { time, value: '12' }, realtime: { time, value: null } } } },
    });
    readings.should.containDeepOrdered([
      { topic: 'reading', value: null, ts: time * 1000, missing: 'not_finite' },
      { topic: 'realtime', value: null, ts: time * 1000, missing: 'no_recent_value' },
    ]);
  });

  it('TD18: uses the number of a time that also has a null, in any order', () => {
    for (const data of [
      [
        [time, null],
        [time, 5],
      ],
      [
        [time, 5],
        [time, null],
      ],
    ]) {
      should(payloadOf({ data }).points).deepEqual([{ ts: time * 1000, value: 5 }]);
    }
  });

  it('has one id for two receivers that are half a minute apart', () => {
    const delivery = readDelivery({ data: [[time, 1]] });
    const id = (offset: number): string =>
      deliveryId(delivery, { ...plainContext, interval: '15m' }, millis(time * 1000 + offset), digest);
    id(-29_000).should.equal(id(0));
    id(29_000).should.equal(id(0));
    id(15 * 60_000).should.not.equal(id(0));
  });

  it('of a problem names the slot', () => {
    const slot = { start: millis(time * 1000 - 900_000), end: millis(time * 1000) };
    problemPayload(
      { reason: 'missed', count: 1, remote: null, at: millis(time * 1000 + 30_000), slot },
      '/cemm',
      null,
    ).should.containDeep({
      kind: 'problem',
      id: `wp:/cemm:missed:${slot.start}:${slot.end}`,
      ts: slot.end,
      reason: 'missed',
      slot,
      monitor: { id: null },
    });
    problemPayload({ reason: 'stale', count: 3, remote: '10.0.0.7', at: millis(time * 1000) }, '/cemm', {
      id: null,
      cemm: 4,
    }).should.containDeep({
      reason: 'stale',
      count: 3,
      remote: '10.0.0.7',
      monitor: { cemm: 4 },
    });
  });
});
