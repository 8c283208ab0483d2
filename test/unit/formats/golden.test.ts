/** The complete output of each format for each kind of payload. */
import should from 'should';
import vm from 'node:vm';
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import type { Payload } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { describeFormatError } from '../../support/formats/errors';
import * as kinds from '../../support/formats/payloads';
import { MAC, S, T } from '../../support/formats/payloads';

function payloads(format: FormatName, payload: Payload): unknown[] {
  return createFormatter(format)({ payload }).map((message) => message.payload);
}

describe('format values', () => {
  it('is the flat map of a reading, with null for missing values', () => {
    payloads('values', kinds.realtime).should.deepEqual([kinds.realtime.values]);
    payloads('values', kinds.totals).should.deepEqual([kinds.totals.values]);
  });

  it('has one message per meter of a delivery, with windows under their own names', () => {
    createFormatter('values')({ payload: kinds.webhook }).should.deepEqual([
      {
        topic: 'cemm/24000001/dsmr/webhook',
        payload: { power_import_w: 412.5, last_15minutes_power_import_w: 398, this_day_energy_import_kwh: 3.2 },
      },
      { topic: 'cemm/24000001/boiler gas/webhook', payload: { gas_m3: 2511.8, flow_lpm: null } },
    ]);
  });

  it('reports availability and problems', () => {
    payloads('values', kinds.offline).should.deepEqual([{ online: false }]);
    payloads('values', { ...kinds.offline, state: 'online' }).should.deepEqual([{ online: true }]);
    payloads('values', kinds.problem).should.deepEqual([{ problem_missed: 1 }]);
  });
});

describe('format rows', () => {
  const row = (ts: number, meter: string | null, field: string, value: number | null, unit: string | null) => ({
    ts,
    monitor: MAC as string | null,
    meter,
    field,
    value,
    unit,
  });

  it('is one row per field of a reading, each at its own time', () => {
    payloads('rows', kinds.realtime).should.deepEqual([
      [
        row(T, 'p1', 'power_w', -1240, 'W'),
        row(T, 'p1', 'power_import_w', 0, 'W'),
        row(T, 'p1', 'power_export_w', 1240, 'W'),
        row(T, 'p1', 'energy_import_t1_kwh', 4310.52, 'kWh'),
        row(T, 'p1', 'energy_import_t2_kwh', null, 'kWh'),
        row(T, 'p1', 'energy_import_kwh', null, 'kWh'),
        row(T, 'p1', 'energy_net_kwh', 12, 'kWh'),
        row(T - 5 * minuteMs, 'p1', 'gas_m3', 2511.873, 'm³'),
        row(T, 'p1', 'tariff', 2, null),
        row(T, 'p1', 'switch_raw', null, null),
      ],
    ]);
  });

  it('is one row per point and field of a series', () => {
    payloads('rows', kinds.series).should.deepEqual([
      [
        row(S, 'p1', 'power_w', 250, 'W'),
        row(S, 'p1', 'gas_lpm', 3, 'L/min'),
        row(S + minuteMs, 'p1', 'power_w', 300.5, 'W'),
        row(S + minuteMs, 'p1', 'gas_lpm', null, 'L/min'),
        row(S + 2 * minuteMs, 'p1', 'power_w', null, 'W'),
        row(S + 2 * minuteMs, 'p1', 'gas_lpm', 0, 'L/min'),
        row(S + 3 * minuteMs, 'p1', 'power_w', 0, 'W'),
        row(S + 3 * minuteMs, 'p1', 'gas_lpm', null, 'L/min'),
        row(S + 4 * minuteMs, 'p1', 'power_w', -20, 'W'),
        row(S + 4 * minuteMs, 'p1', 'gas_lpm', 1.5, 'L/min'),
      ],
    ]);
  });

  it('spells the units of a channel without a field as those of fields', () => {
    for (const unit of ['W', 'kWh', 'm³', 'L/min', 'V', 'A']) {
      const readings = kinds.webhook.readings
        .slice(0, 1)
        .map((one) => ({ ...one, channel: 'x', field: 'x', unit: unit.toLowerCase() }));
      payloads('rows', { ...kinds.webhook, readings }).should.containDeep([[{ field: 'x', unit }]]);
    }
  });

  it('has the number of a monitor without a known MAC, and the start of a window', () => {
    const of = (...parts: Parameters<typeof row>) => ({ ...row(...parts), monitor: '24000001' });
    payloads('rows', kinds.webhook).should.deepEqual([
      [
        of(T - 1000, 'dsmr', 'power_import_w', 412.5, 'W'),
        of(T - 15 * minuteMs, 'dsmr', 'last_15minutes_power_import_w', 398, 'W'),
        of(S, 'dsmr', 'this_day_energy_import_kwh', 3.2, 'kWh'),
        of(T, 'boiler gas', 'gas_m3', 2511.8, 'm³'),
        of(T, 'boiler gas', 'flow_lpm', null, 'L/min'),
      ],
    ]);
    payloads('rows', kinds.timeseries).should.deepEqual([
      [
        { ...row(T - 2 * minuteMs, 'dsmr', 'power_w', 100, 'W'), monitor: 'house-1' },
        { ...row(T - minuteMs, 'dsmr', 'power_w', null, 'W'), monitor: 'house-1' },
      ],
    ]);
    payloads('rows', kinds.nameless).should.containDeep([[{ monitor: null }]]);
  });

  it('has a row for an outage and for a problem', () => {
    payloads('rows', kinds.offline).should.deepEqual([[row(T, 'p1', 'online', 0, null)]]);
    payloads('rows', kinds.problem).should.deepEqual([
      [{ ...row(T, null, 'problem_missed', 1, null), monitor: '24000001' }],
    ]);
    payloads('rows', kinds.totals).should.deepEqual([
      [
        row(T, 'p1', 'energy_import_t1_kwh', 4310.5, 'kWh'),
        row(T, 'p1', 'energy_export_t1_kwh', 0, 'kWh'),
        row(T, 'p1', 'gas_m3', null, 'm³'),
      ],
    ]);
  });
});

describe('format influx', () => {
  const tags = { monitor: MAC, meter: 'p1' };

  it('has one point per moment, floats only, without missing values', () => {
    payloads('influx', kinds.realtime).should.deepEqual([
      [
        {
          measurement: 'cemm_reading',
          tags,
          fields: {
            power_w: -1240,
            power_import_w: 0,
            power_export_w: 1240,
            energy_import_t1_kwh: 4310.52,
            energy_net_kwh: 12,
            tariff: 2,
          },
          timestamp: new Date(T),
        },
        { measurement: 'cemm_reading', tags, fields: { gas_m3: 2511.873 }, timestamp: new Date(T - 5 * minuteMs) },
      ],
    ]);
    payloads('influx', kinds.totals).should.deepEqual([
      [
        {
          measurement: 'cemm_reading',
          tags,
          fields: { energy_import_t1_kwh: 4310.5, energy_export_t1_kwh: 0 },
          timestamp: new Date(T),
        },
      ],
    ]);
  });

  it('separates amounts per slot from counter readings', () => {
    const point = (minute: number, fields: Record<string, number>) => ({
      measurement: 'cemm_series',
      tags: { ...tags, step: 'PT1M' },
      fields,
      timestamp: new Date(S + minute * minuteMs),
    });
    payloads('influx', kinds.series).should.deepEqual([
      [
        point(0, { power_w: 250, gas_lpm: 3 }),
        point(1, { power_w: 300.5 }),
        point(2, { gas_lpm: 0 }),
        point(3, { power_w: 0 }),
        point(4, { power_w: -20, gas_lpm: 1.5 }),
      ],
    ]);
  });

  it('has a measurement for windows, outages and problems', () => {
    const dsmr = { monitor: '24000001', meter: 'dsmr' };
    payloads('influx', kinds.webhook).should.deepEqual([
      [
        {
          measurement: 'cemm_reading',
          tags: dsmr,
          fields: { power_import_w: 412.5 },
          timestamp: new Date(T - 1000),
        },
        {
          measurement: 'cemm_window',
          tags: { ...dsmr, topic: 'last/15minutes' },
          fields: { power_import_w: 398 },
          timestamp: new Date(T - 15 * minuteMs),
        },
        {
          measurement: 'cemm_window',
          tags: { ...dsmr, topic: 'this/day' },
          fields: { energy_import_kwh: 3.2 },
          timestamp: new Date(S),
        },
        {
          measurement: 'cemm_reading',
          tags: { monitor: '24000001', meter: 'boiler gas' },
          fields: { gas_m3: 2511.8 },
          timestamp: new Date(T),
        },
      ],
    ]);
    payloads('influx', kinds.timeseries).should.deepEqual([
      [
        {
          measurement: 'cemm_series',
          tags: { monitor: 'house-1', meter: 'dsmr' },
          fields: { power_w: 100 },
          timestamp: new Date(T - 2 * minuteMs),
        },
      ],
    ]);
    payloads('influx', kinds.offline).should.deepEqual([
      [{ measurement: 'cemm_availability', tags, fields: { online: 0 }, timestamp: new Date(T) }],
    ]);
    payloads('influx', kinds.problem).should.deepEqual([
      [
        {
          measurement: 'cemm_problem',
          tags: { monitor: '24000001' },
          fields: { problem_missed: 1 },
          timestamp: new Date(T),
        },
      ],
    ]);
  });

  it('is equal for the same reading from any interface at any time', () => {
    const again = {
      ...kinds.realtime,
      monitor: { id: MAC },
      meter: { alias: 'p1', role: null },
      source: { ...kinds.realtime.source, transport: 'remote' as const, fetchedAt: T + 60_000, requests: 4 },
    };
    payloads('influx', again).should.deepEqual(payloads('influx', kinds.realtime));
  });

  it('gives no field the name of a tag, which a condition of a query would then not find', () => {
    const channels = { monitor: 1, meter: 2, step: 3, topic: 4 };
    const [points] = payloads('influx', { ...kinds.realtime, values: channels, times: {} }) as { fields: object }[][];
    should(points?.map(({ fields }) => fields)).deepEqual([
      { monitor_value: 1, meter_value: 2, step_value: 3, topic_value: 4 },
    ]);
  });

  it('lets no name begin another line, be empty, or use the reserved name of InfluxDB', () => {
    const meter = { alias: 'p1\\', role: null };
    const [points] = payloads('influx', { ...kinds.realtime, meter, values: { time: 1, 'a\nb': 2, '': 3 }, times: {} });
    should(points).deepEqual([
      {
        measurement: 'cemm_reading',
        tags: { monitor: MAC, meter: 'p1_' },
        fields: { time_value: 1, a_b: 2, _: 3 },
        timestamp: new Date(T),
      },
    ]);
  });
});

describe('format influx-lines', () => {
  it('is a line for each point, with the topic of the payload', () => {
    const [points] = payloads('influx', kinds.series) as { timestamp: Date }[][];
    const [message] = createFormatter('influx-lines')({ payload: kinds.series });
    should(message?.topic).equal(createFormatter('influx')({ payload: kinds.series })[0]?.topic);
    should(message?.payload.split('\n')).have.length(points?.length ?? 0);
    const reading = { ...kinds.realtime, values: { power_w: -1240, tariff: 2 }, times: {} };
    payloads('influx-lines', reading).should.deepEqual([
      `cemm_reading,monitor=${MAC},meter=p1 power_w=-1240,tariff=2 ${T}`,
    ]);
  });

  it('escapes what separates the parts of a line', () => {
    const meter = { alias: 'a b,c=d', role: null };
    payloads('influx-lines', { ...kinds.realtime, meter, values: { 'f 1': 1.5 }, times: {} }).should.deepEqual([
      `cemm_reading,monitor=${MAC},meter=a\\ b\\,c\\=d f\\ 1=1.5 ${T}`,
    ]);
  });

  it('takes the chosen fields only', () => {
    createFormatter('influx-lines', { fields: 'tariff' })({
      payload: { ...kinds.realtime, values: { power_w: -1240, tariff: 2 }, times: {} },
    }).should.containDeep([{ payload: `cemm_reading,monitor=${MAC},meter=p1 tariff=2 ${T}` }]);
  });

  const point = { measurement: 'own', tags: { monitor: 'm' }, fields: { f: 0, g: -2 }, timestamp: new Date(T) };

  it('takes points of format influx that a function has changed, also with a Date of its context', () => {
    const timestamp: unknown = vm.runInNewContext(`new Date(${T})`);
    createFormatter('influx-lines')({
      payload: [point, { ...point, tags: {}, timestamp }],
      topic: 't',
    }).should.deepEqual([{ topic: 't', payload: `own,monitor=m f=0,g=-2 ${T}\nown f=0,g=-2 ${T}` }]);
    createFormatter('influx-lines')({ payload: [point] }).should.containDeep([{ topic: '' }]);
    createFormatter('influx-lines')({ payload: [] }).should.be.empty();
  });

  const broken: [string, object][] = [
    ['no measurement', { measurement: undefined }],
    ['a measurement with a line break', { measurement: 'a\nb' }],
    ['a tag that is a number', { tags: { monitor: 1 } }],
    ['an empty tag', { tags: { monitor: '' } }],
    ['a tag with a backslash', { tags: { monitor: 'm\\' } }],
    ['the name of a tag with a line break', { tags: { 'a\nb': 'm' } }],
    ['tags that are a list', { tags: [] }],
    ['no fields', { fields: {} }],
    ['a field that is a text', { fields: { f: '1' } }],
    ['a field that is not finite', { fields: { f: NaN } }],
    ['the name of a field with a line break', { fields: { 'f\n': 1 } }],
    ['a time that is a number', { timestamp: T }],
    ['a time that is none', { timestamp: new Date(NaN) }],
  ];
  for (const [what, change] of broken) {
    it(`refuses a point with ${what}`, () => {
      describeFormatError(() => createFormatter('influx-lines')({ payload: [{ ...point, ...change }] })).should.equal(
        'INPUT not_a_payload',
      );
    });
  }
});

describe('format senml', () => {
  it('is a pack with monitor, time and version in its first record', () => {
    payloads('senml', kinds.realtime).should.deepEqual([
      [
        {
          bver: 26,
          bn: 'urn:dev:mac:001122fffeaabbcc:',
          bt: T / 1000 - 300,
          n: 'p1:gas_m3',
          u: 'm3',
          v: 2511.873,
        },
        { n: 'p1:power_w', u: 'W', v: -1240, t: 300 },
        { n: 'p1:power_import_w', u: 'W', v: 0, t: 300 },
        { n: 'p1:power_export_w', u: 'W', v: 1240, t: 300 },
        { n: 'p1:energy_import_t1_kwh', u: 'kWh', v: 4310.52, t: 300 },
        { n: 'p1:energy_net_kwh', u: 'kWh', v: 12, t: 300 },
        { n: 'p1:tariff', v: 2, t: 300 },
      ],
    ]);
  });

  it('has each value in the unit of its name, and no version if all units are those of RFC 8428', () => {
    payloads('senml', kinds.water).should.deepEqual([
      [
        { bn: 'urn:dev:mac:001122fffeaabbcc:', bt: (T - 1500) / 1000, n: 'pulse-2:water_m3', u: 'm3', v: 800.5 },
        { n: 'pulse-2:flow_lpm', v: 6, t: 1.5 },
      ],
    ]);
    payloads('senml', kinds.series).should.deepEqual([
      [
        { bn: 'urn:dev:mac:001122fffeaabbcc:', bt: S / 1000, n: 'p1:power_w:PT1M', u: 'W', v: 250 },
        { n: 'p1:gas_lpm:PT1M', v: 3 },
        { n: 'p1:power_w:PT1M', u: 'W', v: 300.5, t: 60 },
        { n: 'p1:gas_lpm:PT1M', v: 0, t: 120 },
        { n: 'p1:power_w:PT1M', u: 'W', v: 0, t: 180 },
        { n: 'p1:power_w:PT1M', u: 'W', v: -20, t: 240 },
        { n: 'p1:gas_lpm:PT1M', v: 1.5, t: 240 },
      ],
    ]);
  });

  it('names monitors without a MAC by their number, in the characters of RFC 8428', () => {
    payloads('senml', kinds.webhook).should.deepEqual([
      [
        {
          bver: 26,
          bn: 'cemm:24000001:',
          bt: S / 1000,
          n: 'dsmr:this_day_energy_import_kwh',
          u: 'kWh',
          v: 3.2,
        },
        { n: 'dsmr:last_15minutes_power_import_w', u: 'W', v: 398, t: (T - S) / 1000 - 900 },
        { n: 'dsmr:power_import_w', u: 'W', v: 412.5, t: (T - S) / 1000 - 1 },
        { n: 'boiler_gas:gas_m3', u: 'm3', v: 2511.8, t: (T - S) / 1000 },
      ],
    ]);
    payloads('senml', kinds.timeseries).should.deepEqual([
      [{ bn: 'cemm:house-1:', bt: T / 1000 - 120, n: 'dsmr:power_w', u: 'W', v: 100 }],
    ]);
  });

  it('has a boolean for an outage', () => {
    payloads('senml', kinds.offline).should.deepEqual([
      [{ bn: 'urn:dev:mac:001122fffeaabbcc:', bt: T / 1000, n: 'p1:online', vb: false }],
    ]);
    payloads('senml', kinds.problem).should.deepEqual([
      [{ bn: 'cemm:24000001:', bt: T / 1000, n: 'problem_missed', v: 1 }],
    ]);
    payloads('senml', kinds.totals).should.deepEqual([
      [
        {
          bver: 26,
          bn: 'urn:dev:mac:001122fffeaabbcc:',
          bt: T / 1000,
          n: 'p1:energy_import_t1_kwh',
          u: 'kWh',
          v: 4310.5,
        },
        { n: 'p1:energy_export_t1_kwh', u: 'kWh', v: 0 },
      ],
    ]);
  });
});
