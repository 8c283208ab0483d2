import should from 'should';
import { createFormatter } from '../../../src/formats/formatter';
import type { Formatted } from '../../../src/formats/formatted';
import type { HaDiscovery, HaSensor } from '../../../src/formats/home-assistant/discovery';
import type { RealtimePayload, WebhookPayload } from '../../../src/model/payload';
import { describeFormatError } from '../../support/formats/errors';
import { discoveryFlaws, energyDashboard, valueSensors } from '../../support/home-assistant/discovery-rules';
import {
  later,
  MAC,
  offline,
  problem,
  realtime,
  series,
  T,
  totals,
  water,
  webhook,
} from '../../support/formats/payloads';

const discoveryTopic = `homeassistant/device/cemm_${MAC}/config`;
const monitorTopic = `cemm/${MAC}/availability`;
const meterTopic = `cemm/${MAC}/p1/availability`;
const stateTopic = `cemm/${MAC}/p1/state`;
const contactTopic = `cemm/${MAC}/contact`;

function discovery(messages: readonly Formatted[]): HaDiscovery {
  const [first, ...more] = messages.filter(({ topic }) => topic.startsWith('homeassistant/'));
  if (first === undefined || more.length > 0) throw new Error(`${more.length + 1} discoveries`);
  return first.payload as HaDiscovery;
}

/** The sensors of values, without those of the device itself. */
function sensors(messages: readonly Formatted[]): Readonly<Record<string, HaSensor>> {
  return valueSensors(discovery(messages));
}

const topics = (messages: readonly Formatted[]): string[] => messages.map(({ topic }) => topic);

function classOf(field: string): unknown[] {
  const payload = { ...realtime, values: { [field]: 1 }, times: {} };
  const [sensor] = Object.values(sensors(createFormatter('homeassistant')({ payload })));
  return [sensor?.device_class, sensor?.state_class, sensor?.unit_of_measurement];
}

describe('format homeassistant', () => {
  it('sends discovery, availability and states in this order, all retained', () => {
    const messages = createFormatter('homeassistant')({ payload: realtime });
    topics(messages).should.deepEqual([discoveryTopic, monitorTopic, meterTopic, contactTopic, stateTopic]);
    for (const message of messages) message.should.containEql({ retain: true, qos: 1 });
    messages
      .slice(1)
      .map(({ payload }) => payload)
      .should.deepEqual([
        'online',
        'online',
        { last_contact: '2026-10-25T12:00:00.900Z', delay_ms: 41 },
        {
          power_w: -1240,
          power_import_w: 0,
          power_export_w: 1240,
          energy_import_t1_kwh: 4310.52,
          energy_net_kwh: 12,
          gas_m3: 2511.873,
          tariff: 2,
        },
      ]);
  });

  it('describes the device and each of its sensors', () => {
    const { device, origin, components, ...others } = discovery(
      createFormatter('homeassistant')({ payload: realtime }),
    );
    device.should.deepEqual({
      identifiers: [`cemm_${MAC}`],
      connections: [['mac', '00:11:22:aa:bb:cc']],
      name: 'Meter cupboard',
      manufacturer: 'CEMM',
      model: 'CEMM Basic',
      sw_version: '2.26.0.0',
      configuration_url: 'http://192.0.2.9/',
    });
    origin.should.deepEqual({ name: 'node-red-contrib-cemm' });
    others.should.deepEqual({ qos: 1 });
    Object.keys(components).should.deepEqual([
      'p1_power_w',
      'p1_power_import_w',
      'p1_power_export_w',
      'p1_energy_import_t1_kwh',
      'p1_energy_net_kwh',
      'p1_gas_m3',
      'p1_tariff',
      'last_contact',
      'delay_ms',
    ]);
    should(components['p1_energy_import_t1_kwh']).deepEqual({
      platform: 'sensor',
      unique_id: `cemm_${MAC}_p1_energy_import_t1_kwh`,
      name: 'p1 energy import t1',
      default_entity_id: 'sensor.meter_cupboard_p1_energy_import_t1',
      state_topic: stateTopic,
      value_template: "{{ value_json['energy_import_t1_kwh'] | default('') }}",
      device_class: 'energy',
      state_class: 'total_increasing',
      unit_of_measurement: 'kWh',
      suggested_display_precision: 3,
      availability: [{ topic: monitorTopic }, { topic: meterTopic }],
      availability_mode: 'all',
    });
    should(components['p1_tariff']).not.have.properties(['device_class', 'state_class', 'unit_of_measurement']);
  });

  it('uses the product name as the model, and no other text', () => {
    const modelOf = (type: string | undefined, name: string | undefined) => {
      const monitor = { id: MAC, ...(type !== undefined && { type }), ...(name !== undefined && { name }) };
      return discovery(createFormatter('homeassistant')({ payload: { ...realtime, monitor } })).device.model;
    };
    should(modelOf('51AE021CDE1E00000007', 'CEMM Basic')).equal('CEMM Basic');
    should(modelOf('CEMM_plus', 'Meter cupboard')).equal('CEMM Plus');
    should(modelOf(undefined, 'CEMM 3.0')).equal('CEMM 3.0');
    should(modelOf('51AE021CDE1E00000007', 'CEMM at home')).equal(undefined);
    should(modelOf(undefined, undefined)).equal(undefined);
  });

  describe('shows at first', () => {
    const shown = (...payloads: readonly unknown[]): string[] => {
      const format = createFormatter('homeassistant');
      const all = payloads.flatMap((payload) => format({ payload }));
      const last = all.filter(({ topic }) => topic === discoveryTopic).slice(-1);
      return Object.entries(sensors(last)).flatMap(([key, sensor]) => (sensor.enabled_by_default === false ? [] : key));
    };
    const of = (alias: string, role: RealtimePayload['meter']['role'], values: RealtimePayload['values']) => ({
      ...realtime,
      meter: { alias, role },
      values,
      times: {},
      missing: {},
    });
    const p1 = of('p1', 'grid', {
      power_w: 198,
      power_import_w: 198,
      power_export_w: 0,
      energy_import_t1_kwh: 1,
      energy_import_t2_kwh: 2,
      energy_import_kwh: 3,
      energy_export_kwh: 0,
      energy_net_t1_kwh: 1,
      energy_net_kwh: 3,
      gas_m3: 8,
      tariff: 1,
      voltage_l1_v: 230,
      power_l1_w: 198,
      switch_raw: 0,
      something_new: 1,
    });

    it('power, import and export of the grid, and what this package does not know, but no tariffs, sums of both and phases', () => {
      shown(p1).should.deepEqual([
        'p1_power_w',
        'p1_power_import_w',
        'p1_power_export_w',
        'p1_energy_import_kwh',
        'p1_energy_export_kwh',
        'p1_gas_m3',
        'p1_something_new',
      ]);
    });

    it('all fields that the user chose', () => {
      const format = createFormatter('homeassistant', { fields: 'tariff, energy_import_t1_kwh' });
      const components = sensors(format({ payload: p1 }));
      Object.keys(components).should.deepEqual(['p1_energy_import_t1_kwh', 'p1_tariff']);
      Object.values(components)
        .map((sensor) => sensor.enabled_by_default)
        .should.deepEqual([undefined, undefined]);
    });

    it('a tariff without a sum of both', () => {
      shown(of('p1', 'grid', { energy_import_t1_kwh: 1, energy_import_kwh: null })).should.deepEqual([
        'p1_energy_import_t1_kwh',
      ]);
    });

    it('gas once, of the smart meter or of the gas meter behind it, whichever arrives first', () => {
      const gas = of('p1-gas', 'gas', { gas_m3: 8 });
      shown(p1, gas)
        .filter((key) => key.endsWith('_gas_m3'))
        .should.deepEqual(['p1_gas_m3']);
      shown(gas, p1)
        .filter((key) => key.endsWith('_gas_m3'))
        .should.deepEqual(['p1-gas_gas_m3']);
      const other = of('pulse-3', 'gas', { gas_m3: 2 });
      shown(p1, other)
        .filter((key) => key.endsWith('_gas_m3'))
        .should.deepEqual(['pulse-3_gas_m3', 'p1_gas_m3']);
    });

    it('the production of an inverter, and its net energy without separate counters', () => {
      const powers = { power_w: 72, power_production_w: 72 };
      const counters = { energy_production_t1_kwh: 1, energy_production_kwh: 2, energy_own_use_kwh: 1 };
      shown(of('s01', 'production', { ...powers, ...counters, energy_net_kwh: 1 })).should.deepEqual([
        's01_power_production_w',
        's01_energy_production_kwh',
      ]);
      shown(of('s01', 'production', { ...powers, energy_net_t1_kwh: 1, energy_net_kwh: 1 })).should.deepEqual([
        's01_power_production_w',
        's01_energy_net_kwh',
      ]);
    });

    it('the power of a meter without a direction, and its volume', () => {
      shown(of('usage', 'consumption', { power_w: 5 })).should.deepEqual(['usage_power_w']);
      shown(of('pulse-2', 'water', { water_m3: 5, flow_lpm: 1 })).should.deepEqual(['pulse-2_water_m3']);
    });

    it('windows of a delivery only where it has no current values', () => {
      const own = { ...webhook, monitor: { id: MAC } };
      shown(own).should.deepEqual(['dsmr_power_import_w', 'boiler_gas_34ba6b5d_gas_m3']);
      const readings = webhook.readings.filter(({ topic }) => topic === 'this/day');
      shown({ ...own, readings }).should.deepEqual(['dsmr_this_day_energy_import_kwh']);
    });
  });

  it('satisfies the rules of Home Assistant for any name of a meter', () => {
    const strange: WebhookPayload = {
      ...webhook,
      readings: ["a'] | x", 'a_] | x', 'é/+#', 'ok', ''].flatMap((name) =>
        webhook.readings.map((reading) => ({ ...reading, meter: name, field: `${name}${reading.field}`, value: 1 })),
      ),
    };
    for (const payload of [realtime, water, totals, webhook, strange]) {
      const messages = createFormatter('homeassistant')({ payload });
      discoveryFlaws(messages[0]?.topic ?? '', messages[0]?.payload).should.deepEqual([]);
      for (const topic of topics(messages)) topic.should.match(/^[A-Za-z0-9_/-]+$/);
    }
  });

  const classes: Record<string, unknown[]> = {
    power_w: ['power', 'measurement', 'W'],
    power_l1_w: ['power', 'measurement', 'W'],
    home_power_w: ['power', 'measurement', 'W'],
    power_production_w: ['power', 'measurement', 'W'],
    energy_import_kwh: ['energy', 'total_increasing', 'kWh'],
    energy_import_l3_kwh: ['energy', 'total_increasing', 'kWh'],
    energy_export_t2_kwh: ['energy', 'total_increasing', 'kWh'],
    energy_production_kwh: ['energy', 'total_increasing', 'kWh'],
    energy_own_use_t1_kwh: ['energy', 'total_increasing', 'kWh'],
    home_energy_kwh: ['energy', 'total_increasing', 'kWh'],
    energy_net_kwh: ['energy', 'total', 'kWh'],
    energy_net_t1_kwh: ['energy', 'total', 'kWh'],
    gas_m3: ['gas', 'total_increasing', 'm³'],
    water_m3: ['water', 'total_increasing', 'm³'],
    volume_m3: ['volume', 'total_increasing', 'm³'],
    gas_lpm: ['volume_flow_rate', 'measurement', 'L/min'],
    flow_lpm: ['volume_flow_rate', 'measurement', 'L/min'],
    voltage_v: ['voltage', 'measurement', 'V'],
    voltage_l2_v: ['voltage', 'measurement', 'V'],
    tariff: [undefined, undefined, undefined],
    switch_raw: [undefined, undefined, undefined],
    price_import_low: [undefined, undefined, 'currency/kWh'],
    something_new: [undefined, undefined, undefined],
  };
  for (const [field, expected] of Object.entries(classes)) {
    it(`gives ${field} its classes of Home Assistant`, () => {
      classOf(field).should.deepEqual(expected);
      const payload = { ...realtime, values: { [field]: 1 }, times: {} };
      const [first] = createFormatter('homeassistant')({ payload });
      discoveryFlaws(first?.topic ?? '', first?.payload).should.deepEqual([]);
    });
  }

  it('offers import, export, production, gas and water to the Energy dashboard, and net energy as what may fall', () => {
    const { electricity, gas, water: tap } = energyDashboard;
    const offered: [string, { device_class: string; units: readonly string[] }][] = [
      ['energy_import_kwh', electricity],
      ['energy_export_kwh', electricity],
      ['energy_production_kwh', electricity],
      ['gas_m3', gas],
      ['water_m3', tap],
    ];
    for (const [field, { device_class, units }] of offered) {
      const [deviceClass, stateClass, unit] = classOf(field);
      should(deviceClass).equal(device_class);
      should(stateClass).equal('total_increasing');
      units.should.containEql(unit);
    }
  });

  it('separates the sensors of two meters whose joined names would be equal', () => {
    const [reading] = webhook.readings;
    const two = [
      { ...reading, meter: 'a_b', field: 'c' },
      { ...reading, meter: 'a', field: 'b_c' },
    ];
    const payload = { ...webhook, readings: two };
    const components = sensors(createFormatter('homeassistant')({ payload }));
    Object.keys(components).should.have.length(2);
    new Set(Object.values(components).map((sensor) => sensor.unique_id)).size.should.equal(2);
  });

  it('sets no class for a unit that does not match it', () => {
    const [reading] = webhook.readings;
    const payload = { ...webhook, readings: [{ ...reading, unit: 'bar' }] };
    const [sensor] = Object.values(sensors(createFormatter('homeassistant')({ payload })));
    should(sensor?.unit_of_measurement).equal('bar');
    should(sensor).not.have.properties(['device_class', 'state_class']);
  });

  it('treats a window neither as a counter nor as a current value, but as a sum from its start', () => {
    const components = sensors(createFormatter('homeassistant')({ payload: webhook }));
    should(components['dsmr_last_15minutes_power_import_w']).not.have.property('state_class');
    should(components['dsmr_last_15minutes_power_import_w']).have.property('device_class', 'power');
    should(components['dsmr_this_day_energy_import_kwh']).have.property('state_class', 'total_increasing');
  });

  it('announces a monitor once, and again when another field has a value', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    topics(format({ payload: later(5, { power_w: 100 }) })).should.deepEqual([stateTopic]);
    const [again, ...others] = format({ payload: later(10, { power_w: 90, voltage_v: 231 }) });
    should(again?.topic).equal(discoveryTopic);
    Object.keys(valueSensors(again?.payload as HaDiscovery)).should.have.length(8);
    topics(others).should.deepEqual([stateTopic]);
    topics(format({ payload: later(15, { energy_import_t2_kwh: null, power_w: 80 }) })).should.deepEqual([stateTopic]);
  });

  it('puts all meters of a monitor into one device', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    const messages = format({ payload: water });
    topics(messages).should.deepEqual([
      discoveryTopic,
      `cemm/${MAC}/pulse-2/availability`,
      `cemm/${MAC}/pulse-2/state`,
    ]);
    Object.keys(sensors(messages)).should.have.length(9);
  });

  it('announces new properties of the device, and keeps those of another interface', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    format({ payload: { ...later(5, { power_w: 1 }), monitor: { id: MAC } } }).should.have.length(1);
    const moved = { ...later(10, { power_w: 1 }), monitor: { id: MAC, host: '192.0.2.77:8080' } };
    discovery(format({ payload: moved })).device.should.containEql({
      configuration_url: 'http://192.0.2.77:8080/',
      name: 'Meter cupboard',
    });
    for (const host of ['not a host', 'me:geheim@192.0.2.1', '192.0.2.1/page', '192.0.2.1:99999', '']) {
      const odd = { ...later(0, { power_w: 1 }), monitor: { id: MAC, host } };
      const { device } = discovery(createFormatter('homeassistant')({ payload: odd }));
      device.should.not.have.property('configuration_url');
    }
  });

  it('identifies a monitor without a MAC by its number, and refuses one without both', () => {
    const { device } = discovery(createFormatter('homeassistant')({ payload: webhook }));
    device.should.deepEqual({ identifiers: ['cemm_24000001'], name: 'CEMM 24000001', manufacturer: 'CEMM' });
    const payload = { ...webhook, monitor: { id: null } };
    describeFormatError(() => createFormatter('homeassistant')({ payload })).should.equal('INPUT no_monitor');
  });

  it('leaves a missing value out, and sends no state where all are missing', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    const [state] = format({ payload: later(5, { power_w: null, tariff: 1 }) });
    should(state?.payload).deepEqual({ tariff: 1 });
    format({ payload: later(10, { power_w: null }) }).should.deepEqual([]);
  });

  it('sends amounts of today, which start at 0 each day', () => {
    const format = createFormatter('homeassistant');
    const today = webhook.readings.filter(({ topic }) => topic === 'this/day');
    format({ payload: { ...webhook, readings: today } });
    const tomorrow = today.map((reading) => ({ ...reading, value: 0, window: { start: T + 1, end: T + 2 } }));
    const [state] = format({ payload: { ...webhook, readings: tomorrow } });
    should(state?.payload).deepEqual({ this_day_energy_import_kwh: 0 });
  });

  it('reports a meter or monitor as offline, and as online with its next reading', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    format({ payload: offline }).should.deepEqual([{ topic: meterTopic, payload: 'offline', retain: true, qos: 1 }]);
    topics(format({ payload: later(5, { power_w: 1 }) })).should.deepEqual([meterTopic, stateTopic]);
    const { meter, ...whole } = offline;
    should(meter).be.ok();
    format({ payload: whole }).should.deepEqual([{ topic: monitorTopic, payload: 'offline', retain: true, qos: 1 }]);
    topics(format({ payload: later(10, { power_w: 1 }) })).should.deepEqual([monitorTopic, stateTopic]);
    format({ payload: { ...whole, state: 'offline' } });
    topics(format({ payload: { ...offline, state: 'online' } })).should.deepEqual([monitorTopic, meterTopic]);
  });

  it('reports the grid meter as offline while its power is stale, whatever other values it has', () => {
    const format = createFormatter('homeassistant');
    const stale = { ...offline, state: 'stale' as const, reason: 'stale', since: T };
    format({ payload: realtime });
    format({ payload: stale }).should.deepEqual([{ topic: meterTopic, payload: 'offline', retain: true, qos: 1 }]);
    const old = { ...later(20, { power_w: 1, gas_m3: 3000 }), times: { power_w: T } };
    topics(format({ payload: old })).should.deepEqual([stateTopic]);
    topics(format({ payload: later(30, { power_w: 2 }) })).should.deepEqual([meterTopic, stateTopic]);
    format({ payload: stale });
    format({ payload: { ...offline, state: 'online' } }).should.containDeep([{ topic: meterTopic, payload: 'online' }]);
    topics(format({ payload: old })).should.not.containEql(meterTopic);
  });

  describe('when Home Assistant announces itself', () => {
    const birth = (payload: unknown, topic = 'homeassistant/status') => ({ payload, topic });

    it('sends all messages again', () => {
      const format = createFormatter('homeassistant');
      const first = format({ payload: realtime });
      const second = format({ payload: water });
      const again = format(birth('online'));
      topics(again).should.deepEqual([
        discoveryTopic,
        monitorTopic,
        meterTopic,
        `cemm/${MAC}/pulse-2/availability`,
        contactTopic,
        stateTopic,
        `cemm/${MAC}/pulse-2/state`,
      ]);
      should(again[0]).deepEqual(second[0]);
      should(again.at(-2)).deepEqual(first.at(-1));
      format(birth(Buffer.from('online'))).should.deepEqual(again);
    });

    it('sends nothing if nothing is known or Home Assistant stops', () => {
      const format = createFormatter('homeassistant');
      format(birth('online')).should.deepEqual([]);
      format({ payload: realtime });
      format(birth('offline')).should.deepEqual([]);
    });

    it('ignores its own messages', () => {
      const format = createFormatter('homeassistant');
      format({ payload: realtime });
      describeFormatError(() => format(birth('online', monitorTopic))).should.equal('INPUT not_a_payload');
      describeFormatError(() => format(birth('hello'))).should.equal('INPUT not_a_payload');
    });

    it('has no effect in other formats', () => {
      for (const name of ['values', 'rows', 'chart', 'influx', 'senml'] as const) {
        describeFormatError(() => createFormatter(name)(birth('online'))).should.equal('INPUT not_a_payload');
      }
    });
  });

  it('refuses readings of a past day, series and problems', () => {
    const format = createFormatter('homeassistant');
    const yesterday = { ...totals, period: { ...totals.period, final: true } };
    describeFormatError(() => format({ payload: yesterday })).should.equal('UNSUPPORTED not_current');
    describeFormatError(() => format({ payload: series })).should.equal('UNSUPPORTED not_current');
    describeFormatError(() => format({ payload: problem })).should.equal('UNSUPPORTED not_a_state');
  });

  it('stores a limited number of monitors and sensors', () => {
    const format = createFormatter('homeassistant');
    for (let number = 0; number < 1100; number += 1) {
      format({ payload: { ...later(0, { power_w: 1 }), monitor: { id: null, cemm: number } } });
    }
    const announced = topics(format(birthMessage));
    announced.filter((topic) => topic.startsWith('homeassistant/')).should.have.length(1000);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, number) => [`field_${number}`, number]));
    const messages = createFormatter('homeassistant')({ payload: later(0, many) });
    Object.keys(sensors(messages)).should.have.length(500);
    Object.keys(messages.at(-1)?.payload as object).should.have.length(500);
  });
});

const birthMessage = { payload: 'online', topic: 'homeassistant/status' };
