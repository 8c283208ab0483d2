/** The balance of a house in each format. */
import should from 'should';
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import type { HaDiscovery, HaSensor } from '../../../src/formats/home-assistant/discovery';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, prices } from '../../support/balance/small-house';
import { describeFormatError } from '../../support/formats/errors';
import { discoveryFlaws, valueSensors } from '../../support/home-assistant/discovery-rules';
import { houseDay, houseNow, MAC, offline, realtime, S, T } from '../../support/formats/payloads';

const balanceTopic = `cemm/${MAC}/balance`;

function only(format: FormatName, payload: BalancePayload): unknown {
  const [message, ...more] = createFormatter(format)({ payload });
  more.should.have.length(0);
  should(message?.topic).equal(balanceTopic);
  return message?.payload;
}

/** A day of a house with prices and an unknown hour. */
function computed(): BalancePayload {
  const { start, end } = period('2026-06-15');
  const watts = Array.from({ length: 1440 }, (_, minute) => (minute >= 600 && minute < 660 ? null : 300));
  const shapes = { import: minutesFrom(start, watts), export: minutesFrom(start, watts) };
  const production = { production: minutesFrom(start, watts) };
  const meters = [meter('p1', 'grid', { shapes }), meter('s01', 'production', { shapes: production })];
  const source = { transport: 'local', fetchedAt: end - 1, latencyMs: 1, requests: 1, promises: 0 } as const;
  return balance('2026-06-15', meters, { prices: prices({ currency: 'EUR', import: 0.25, export: 0.05 }), source });
}

describe('a balance that was computed', () => {
  it('passes every format without 0 for an unknown value', () => {
    const payload = computed();
    const unknown = payload.points?.[10];
    should(unknown?.['energy_import_kwh']).equal(null);
    for (const format of ['values', 'rows', 'chart', 'influx', 'senml', 'homeassistant'] as const) {
      const messages = createFormatter(format)({ payload });
      messages.length.should.equal(format === 'homeassistant' ? 3 : 1);
      JSON.stringify(messages).should.not.match(/NaN|undefined|Infinity/);
    }
    const rows = only('rows', payload) as { ts: number; value: number | null }[];
    rows.filter(({ ts, value }) => ts === unknown?.ts && value !== null).should.deepEqual([]);
    const points = only('influx', payload) as { timestamp: Date; fields: Record<string, number> }[];
    points.filter(({ timestamp }) => timestamp.getTime() === unknown?.ts).should.deepEqual([]);
    points.length.should.equal(23 + 1);
    should(only('values', payload)).containEql({ energy_import_kwh: 6.9, cost_import: 1.725, peak_power_w: 300 });
  });
});

describe('a balance as values', () => {
  it('has the current powers and the forecast of the quarter', () => {
    should(only('values', houseNow)).deepEqual({ ...houseNow.values, peak_expected_w: 210 });
  });

  it('has the sums of the period with peak and cost, and null for missing values', () => {
    should(only('values', houseDay)).deepEqual({
      ...houseDay.values,
      peak_power_w: 1400,
      cost: 1.48,
      cost_import: 0.3,
      cost_export: 0.02,
      cost_export_fee: null,
      cost_gas: null,
      cost_water: null,
      cost_fixed: 1.2,
      cost_peak: null,
      cost_netted: null,
      cost_per_kwh: 0.24,
    });
    const { cost, ...unpriced } = houseDay;
    should(cost).be.ok();
    should(only('values', { ...unpriced, peak: null })).deepEqual(houseDay.values);
  });
});

describe('a balance as rows', () => {
  it('has one row per field of the current balance, without a meter', () => {
    const rows = only('rows', houseNow) as object[];
    should(rows[0]).deepEqual({ ts: T, monitor: MAC, meter: null, field: 'power_import_w', value: 200, unit: 'W' });
    rows.map((row) => Reflect.get(row, 'unit') as unknown).should.deepEqual(rows.map(() => 'W'));
  });

  it('has one row per point and field of a period, with cost in its currency and without the sums', () => {
    const rows = only('rows', houseDay) as { ts: number; field: string; value: number | null; unit: string }[];
    rows.should.have.length(14);
    const second = rows.filter(({ ts }) => ts === S + hourMs).map(({ field, value, unit }) => [field, value, unit]);
    second.should.deepEqual([
      ['energy_import_kwh', 1, 'kWh'],
      ['energy_export_kwh', 0, 'kWh'],
      ['energy_production_kwh', null, 'kWh'],
      ['energy_self_consumed_kwh', null, 'kWh'],
      ['energy_house_kwh', null, 'kWh'],
      ['gas_m3', null, 'm³'],
      ['cost', null, 'EUR'],
    ]);
  });
});

describe('a balance as a chart', () => {
  const chart = (payload: BalancePayload, index = 0) =>
    createFormatter('chart')({ payload, parts: { id: 'x', index, count: 3 } })[0];

  it('replaces the bars: import and self-consumption above zero, export below, and a gap for a missing value', () => {
    should(chart(houseDay)).deepEqual({
      topic: balanceTopic,
      action: 'replace',
      payload: [
        { series: 'From the grid', ts: S, value: 0.25, label: '00:00' },
        { series: 'From the grid', ts: S + hourMs, value: 1, label: '01:00' },
        { series: 'Own production used', ts: S, value: 1.5, label: '00:00' },
        { series: 'Own production used', ts: S + hourMs, value: null, label: '01:00' },
        { series: 'To the grid', ts: S, value: -0.5, label: '00:00' },
        { series: 'To the grid', ts: S + hourMs, value: 0, label: '01:00' },
      ],
    });
  });

  it('draws the use of the house as the sum of the bars above zero', () => {
    const bars = (chart(houseDay)?.payload ?? []).map(({ ts, value }) => ({ ts, value: Number(value) }));
    const above = bars.filter(({ ts, value }) => ts === S && value > 0).reduce((sum, { value }) => sum + value, 0);
    should(above).equal(houseDay.points?.[0]?.['energy_house_kwh']);
  });

  it('adds the later periods of a range', () => {
    should(chart(houseDay, 1)?.action).equal('append');
    should(chart({ ...houseDay, points: [] }, 1)).equal(undefined);
    should(chart({ ...houseDay, points: [] }, 0)).deepEqual({ topic: balanceTopic, action: 'replace', payload: [] });
  });

  it('appends the current power of house and production to lines', () => {
    should(chart(houseNow)).deepEqual({
      topic: balanceTopic,
      action: 'append',
      payload: [
        { series: 'House', ts: T, value: 700 },
        { series: 'Production', ts: T, value: 500 },
      ],
    });
    should(chart({ ...houseNow, values: { power_house_w: null } })).equal(undefined);
  });

  it('draws gas and water of a house without other meters', () => {
    const points = [{ ts: S, gas_m3: 0.4, water_m3: 0.1 }];
    should(chart({ ...houseDay, points })?.payload).deepEqual([
      { series: 'Gas', ts: S, value: 0.4, label: '00:00' },
      { series: 'Water', ts: S, value: 0.1, label: '00:00' },
    ]);
  });
});

describe('a balance of chosen fields', () => {
  it('has only these in every format, with readable line names', () => {
    const format = (name: FormatName, fields: string) =>
      createFormatter(name, { fields, names: (field) => (field === 'gas_m3' ? 'Gas' : null) })({ payload: houseDay });
    const points = [{ series: 'energy_house_kwh', ts: S, value: 1.75, label: '00:00' }];
    should(format('chart', 'energy_house_kwh')[0]?.payload).containDeep(points);
    should(format('values', 'energy_house_kwh')[0]?.payload).have.only.keys('energy_house_kwh');
    format('values', 'power_w').should.deepEqual([]);
    const [influx] = format('influx', 'cost');
    (influx?.payload as { fields: object }[])
      .map(({ fields }) => Object.keys(fields))
      .should.deepEqual([['cost'], ['cost']]);
  });
});

describe('a balance as points of InfluxDB', () => {
  it('is one point of cemm_balance for a current balance, without meter and step', () => {
    should(only('influx', houseNow)).deepEqual([
      {
        measurement: 'cemm_balance',
        tags: { monitor: MAC },
        fields: { ...houseNow.values, peak_expected_w: 210 },
        timestamp: new Date(T),
      },
    ]);
  });

  it('distinguishes points and sums by step, and leaves out missing values', () => {
    const point = (ts: number, step: string, fields: object) => ({
      measurement: 'cemm_balance',
      tags: { monitor: MAC, step },
      fields,
      timestamp: new Date(ts),
    });
    const { gas_m3: gas, ...sums } = houseDay.values;
    should(gas).equal(null);
    should(only('influx', houseDay)).deepEqual([
      point(S, 'PT1H', {
        energy_import_kwh: 0.25,
        energy_export_kwh: 0.5,
        energy_production_kwh: 2,
        energy_self_consumed_kwh: 1.5,
        energy_house_kwh: 1.75,
        cost: 0.04,
      }),
      point(S + hourMs, 'PT1H', { energy_import_kwh: 1, energy_export_kwh: 0 }),
      point(S, 'P1D', {
        ...sums,
        peak_power_w: 1400,
        cost: 1.48,
        cost_import: 0.3,
        cost_export: 0.02,
        cost_fixed: 1.2,
        cost_per_kwh: 0.24,
      }),
    ]);
  });

  it('names the installation of an unknown monitor, and refuses a balance without both', () => {
    const [point] = createFormatter('influx')({ payload: { ...houseNow, monitor: { id: null }, installation: 'h1' } });
    should(point?.payload[0]?.tags).deepEqual({ monitor: 'h1' });
    should(point?.topic).equal('cemm/h1/balance');
    const nameless = { ...houseNow, monitor: { id: null } };
    describeFormatError(() => createFormatter('influx')({ payload: nameless })).should.equal('INPUT no_monitor');
    const odd = { ...nameless, installation: 5 };
    describeFormatError(() => createFormatter('influx')({ payload: odd })).should.equal('INPUT not_a_payload');
  });

  it('gives the sums of a month and of a year their own steps', () => {
    const steps = (['day', 'month', 'year'] as const).map((unit) => {
      const period = { ...houseDay.period, unit } as NonNullable<BalancePayload['period']>;
      const points = only('influx', { ...houseDay, period }) as { tags: { step: string } }[];
      return points.at(-1)?.tags.step;
    });
    steps.should.deepEqual(['P1D', 'P1M', 'P1Y']);
  });
});

describe('a balance as SenML', () => {
  it('is a pack that names each field with its step', () => {
    const pack = only('senml', houseDay) as { n: string; v: number; t?: number; u?: string }[];
    should(pack[0]).deepEqual({
      bver: 26,
      bn: 'urn:dev:mac:001122fffeaabbcc:',
      bt: S / 1000,
      n: 'energy_import_kwh:PT1H',
      u: 'kWh',
      v: 0.25,
    });
    const times = pack.map(({ t }) => t ?? 0);
    times.should.deepEqual([...times].sort((a, b) => a - b));
    const named = pack.filter(({ n }) => n.startsWith('energy_import_kwh:')).map(({ n, v, t }) => [n, v, t]);
    named.should.deepEqual([
      ['energy_import_kwh:PT1H', 0.25, undefined],
      ['energy_import_kwh:P1D', 1.25, undefined],
      ['energy_import_kwh:PT1H', 1, 3600],
    ]);
    for (const { v } of pack) should(v).be.a.Number();
  });

  it('has the time of a current balance as its base time', () => {
    const [first] = only('senml', houseNow) as object[];
    should(first).deepEqual({
      bn: 'urn:dev:mac:001122fffeaabbcc:',
      bt: T / 1000,
      n: 'power_import_w',
      u: 'W',
      v: 200,
    });
  });
});

describe('a balance in Home Assistant', () => {
  const discoveryTopic = `homeassistant/device/cemm_${MAC}/config`;
  const [NOW, DAY] = [`${balanceTopic}/now/state`, `${balanceTopic}/day/state`];

  function sensorsOf(payload: BalancePayload): Readonly<Record<string, HaSensor>> {
    const [discovery] = createFormatter('homeassistant')({ payload });
    should(discovery?.topic).equal(discoveryTopic);
    discoveryFlaws(discovery?.topic ?? '', discovery?.payload).should.deepEqual([]);
    return valueSensors(discovery?.payload as HaDiscovery);
  }

  it('sends current power and self-sufficiency', () => {
    const messages = createFormatter('homeassistant')({ payload: houseNow });
    should(messages[1]).deepEqual({ topic: `cemm/${MAC}/availability`, payload: 'online', retain: true, qos: 1 });
    should(messages.slice(3)).deepEqual([
      {
        topic: NOW,
        payload: { ...houseNow.values, peak_expected_w: 210, self_sufficiency: 71.4286 },
        retain: true,
        qos: 1,
      },
    ]);
    const sensors = sensorsOf(houseNow);
    should(sensors['balance_now_power_house_w']).deepEqual({
      platform: 'sensor',
      unique_id: `cemm_${MAC}_balance_now_power_house_w`,
      name: 'house power',
      default_entity_id: 'sensor.meter_cupboard_house_power',
      state_topic: NOW,
      value_template: "{{ value_json['power_house_w'] | default('') }}",
      device_class: 'power',
      state_class: 'measurement',
      unit_of_measurement: 'W',
      suggested_display_precision: 0,
      availability: [{ topic: `cemm/${MAC}/availability` }],
    });
    should(sensors['balance_now_self_sufficiency']).containEql({
      name: 'house self sufficiency',
      state_class: 'measurement',
      unit_of_measurement: '%',
    });
    should(sensors['balance_now_power_import_w']?.enabled_by_default).equal(false);
  });

  it('limits the current self-sufficiency, and sends none for a house without power or production', () => {
    const ratio = (own: number | null, house: number | null) => {
      const values = { power_self_consumed_w: own, power_house_w: house };
      const state = createFormatter('homeassistant')({ payload: { ...houseNow, values } }).at(-1);
      return (state?.payload as Record<string, unknown>)['self_sufficiency'];
    };
    should(ratio(500, 400)).equal(100);
    should(ratio(-20, 400)).equal(0);
    should(ratio(0, 0)).equal(null);
    should(ratio(null, 400)).equal(null);
    should(ratio(290, 1000)).equal(29);
    const state = createFormatter('homeassistant')({ payload: { ...houseNow, values: { power_house_w: 5 } } }).at(-1);
    should(state?.payload).deepEqual({ power_house_w: 5, peak_expected_w: 210 });
  });

  it('sends the sums of today with their start', () => {
    const state = createFormatter('homeassistant')({ payload: houseDay }).at(-1);
    should(state?.topic).equal(DAY);
    should(state?.payload).containEql({
      energy_import_kwh: 1.25,
      self_sufficiency: 29,
      gas_m3: null,
      cost: 1.48,
      last_reset: '2026-10-24T22:00:00.000Z',
    });
    const sensors = sensorsOf(houseDay);
    should(sensors['balance_day_energy_self_consumed_kwh']).deepEqual({
      platform: 'sensor',
      unique_id: `cemm_${MAC}_balance_day_energy_self_consumed_kwh`,
      name: 'today energy self consumed',
      default_entity_id: 'sensor.meter_cupboard_today_energy_self_consumed',
      state_topic: DAY,
      value_template: "{{ value_json['energy_self_consumed_kwh'] | default('') }}",
      device_class: 'energy',
      state_class: 'total',
      unit_of_measurement: 'kWh',
      suggested_display_precision: 3,
      last_reset_value_template: "{{ value_json['last_reset'] }}",
    });
    should(sensors['balance_day_cost']).containEql({
      device_class: 'monetary',
      state_class: 'total',
      unit_of_measurement: 'EUR',
    });
    should(sensors['balance_day_peak_power_w']).containEql({ state_class: 'measurement', enabled_by_default: false });
    for (const noSum of ['balance_day_peak_power_w', 'balance_day_cost_per_kwh']) {
      should(sensors[noSum]).be.ok().and.not.have.property('last_reset_value_template');
      should(sensors[noSum]?.state_class).not.equal('total');
    }
    should(sensors['balance_day_energy_import_t1_kwh']).have.property('enabled_by_default', false);
    // It never had a value.
    sensors.should.not.have.property('balance_day_gas_m3');
  });

  it('sends 0 at the start of the next day', () => {
    const format = createFormatter('homeassistant');
    format({ payload: houseDay });
    const start = houseDay.period?.end ?? 0;
    const tomorrow = {
      ...houseDay,
      ts: start,
      period: { ...houseDay.period, label: '2026-10-26', start, end: start + 24 * hourMs },
      values: { energy_import_kwh: 0 },
      source: { ...houseDay.source, fetchedAt: start + 1000 },
    };
    const states = format({ payload: tomorrow }).filter(({ topic }) => !topic.endsWith('/contact'));
    states.should.have.length(1);
    should(states[0]?.payload).containEql({ energy_import_kwh: 0, last_reset: '2026-10-25T23:00:00.000Z' });
    format({ payload: houseDay }).should.deepEqual([]);
  });

  it('sends null for a value that became unknown, because no other message shows that it is old', () => {
    const format = createFormatter('homeassistant');
    format({ payload: houseNow });
    const values = { ...houseNow.values, power_house_w: null };
    const [state] = format({ payload: { ...houseNow, ts: T + 10_000, values } });
    should(state?.payload).containEql({ power_house_w: null, power_import_w: 200, self_sufficiency: null });
    // A house without any known value.
    const unknown = { ...houseNow, peak: null, values: { power_house_w: null } };
    createFormatter('homeassistant')({ payload: unknown }).should.deepEqual([]);
  });

  it('belongs to the device of the meters, and is sent again when Home Assistant starts', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    const [discovery] = format({ payload: houseNow });
    const { components } = discovery?.payload as HaDiscovery;
    Object.keys(components).should.containEql('p1_power_w');
    Object.keys(components).should.containEql('balance_now_power_house_w');
    format({ payload: { ...houseNow, ts: T + 1 } })
      .map(({ topic }) => topic)
      .should.deepEqual([NOW]);
    const again = format({ payload: 'online', topic: 'homeassistant/status' }).map(({ topic }) => topic);
    again.should.containEql(NOW);
    again.should.containEql(discoveryTopic);
  });

  it('is unavailable while the monitor is away, except the sums of today, until the monitor is online again', () => {
    const format = createFormatter('homeassistant');
    const online = (ts: number): unknown =>
      format({ payload: { ...houseNow, ts } }).find(({ topic }) => topic === `cemm/${MAC}/availability`)?.payload;
    should(online(T)).equal('online');
    should(online(T + 1)).equal(undefined);
    const { meter: ofMeter, ...monitorAway } = offline;
    should(ofMeter).be.ok();
    format({ payload: monitorAway }).should.containEql({
      topic: `cemm/${MAC}/availability`,
      payload: 'offline',
      retain: true,
      qos: 1,
    });
    should(online(T + 2)).equal(undefined);
    format({ payload: { ...monitorAway, state: 'online' } }).should.containDeep([{ payload: 'online' }]);
    const unknown = { ...houseNow, values: { power_house_w: null } };
    createFormatter('homeassistant')({ payload: unknown }).should.not.containDeep([{ payload: 'online' }]);
    should(sensorsOf(houseDay)['balance_day_energy_house_kwh']?.availability).equal(undefined);
  });

  it('has the chosen fields only, all of them enabled', () => {
    const format = createFormatter('homeassistant', { fields: 'power_import_w, self_sufficiency' });
    const [discovery, , state] = format({ payload: houseNow });
    should(state?.payload).deepEqual({ power_import_w: 200, self_sufficiency: 71.4286 });
    const { components } = discovery?.payload as HaDiscovery;
    Object.keys(components).should.deepEqual(['balance_now_power_import_w', 'balance_now_self_sufficiency']);
    Object.values(components)
      .map((sensor) => sensor.enabled_by_default)
      .should.deepEqual([undefined, undefined]);
  });

  it('refuses a past day, a month and a year', () => {
    const period = houseDay.period as NonNullable<BalancePayload['period']>;
    const past = { ...houseDay, source: { ...houseDay.source, fetchedAt: period.end } };
    const month = { ...houseDay, period: { ...period, unit: 'month' } };
    for (const payload of [past, month]) {
      describeFormatError(() => createFormatter('homeassistant')({ payload })).should.equal('UNSUPPORTED not_current');
    }
  });
});
