/** Output for a client of a HomeWizard P1 meter: fields and signs of the vendor's documentation, and never an old value. */
import should from 'should';
import { createFormatter } from '../../../src/formats/formatter';
import type { Formatted } from '../../../src/formats/formatted';
import type { RealtimePayload, Values } from '../../../src/model/payload';
import { describeFormatError } from '../../support/formats/errors';
import { series, webhook, MAC, offline, realtime, T, water } from '../../support/formats/payloads';

const secondMs = 1000;

/** A P1 meter in summer, at 14:00 in Amsterdam. */
const summer = Date.UTC(2026, 5, 18, 12);

function p1(values: Values, changes: Partial<RealtimePayload> = {}): RealtimePayload {
  return { ...realtime, values, times: {}, missing: {}, ...changes };
}

function answer(payload: unknown, { now = T + secondMs, path = '/api/v1/data' } = {}): Formatted {
  const messages = createFormatter('homewizard', { now: () => now })({ payload, req: { path } });
  messages.should.have.length(1);
  return messages[0] ?? { topic: '', payload: null };
}

function data(values: Values, changes: Partial<RealtimePayload> = {}): object {
  const { payload, statusCode } = answer(p1(values, changes));
  should(statusCode).equal(undefined);
  const { wifi_ssid: network, ...rest } = payload as Record<string, unknown>;
  should(network).equal('CEMM');
  return rest;
}

const unavailable = (description: string) => ({ error: { id: 901, description } });
const stale = unavailable('The last reading is older than 30 seconds');

describe('format homewizard', () => {
  it('has import as a positive power and export as a negative one, of each phase too', () => {
    data({ power_w: -1240, power_l1_w: -1300, power_l2_w: 60, power_l3_w: 0 }).should.eql({
      active_power_w: -1240,
      active_power_l1_w: -1300,
      active_power_l2_w: 60,
      active_power_l3_w: 0,
    });
    data({ power_w: 412 }).should.eql({ active_power_w: 412 });
  });

  it('has the power of a meter with separate import and export, and none if one of them is missing', () => {
    data({ power_import_w: 0, power_export_w: 700 }).should.eql({ active_power_w: -700 });
    answer(p1({ power_export_w: 700 })).should.containEql({ statusCode: 503 });
    answer(p1({ power_import_w: 5, power_export_w: null })).should.containEql({ statusCode: 503 });
  });

  it('has tariffs 1 and 2 of import and of export, each in its own register', () => {
    const values = {
      power_w: 0,
      energy_import_kwh: 13_779.338,
      energy_import_t1_kwh: 10_830.511,
      energy_import_t2_kwh: 2948.827,
      energy_export_kwh: 4162.461,
      energy_export_t1_kwh: 1285.951,
      energy_export_t2_kwh: 2876.51,
      tariff: 2,
      voltage_l1_v: 231.5,
    };
    data(values).should.eql({
      active_tariff: 2,
      total_power_import_kwh: 13_779.338,
      total_power_import_t1_kwh: 10_830.511,
      total_power_import_t2_kwh: 2948.827,
      total_power_export_kwh: 4162.461,
      total_power_export_t1_kwh: 1285.951,
      total_power_export_t2_kwh: 2876.51,
      active_power_w: 0,
      active_voltage_l1_v: 231.5,
    });
  });

  it('has a counter without tariffs as tariff 1, because clients add up the tariffs', () => {
    data({ power_w: 1, energy_import_kwh: 5 }).should.eql({
      total_power_import_kwh: 5,
      total_power_import_t1_kwh: 5,
      active_power_w: 1,
    });
  });

  it('FO5: leaves out a direction of which a part is missing, and never says 0 for it', () => {
    const half = { energy_import_t1_kwh: 5, energy_import_t2_kwh: null, energy_import_kwh: null };
    data({ power_w: 1, ...half }).should.eql({ active_power_w: 1 });
    data({ power_w: 1, ...half, energy_import_kwh: 9 }).should.eql({ active_power_w: 1 });
    data({ power_w: 1, power_l1_w: null, tariff: null, gas_m3: null }).should.eql({ active_power_w: 1 });
  });

  it('has no registers while the monitor starts and sends 0 for all, and a real 0 of the export', () => {
    data({ power_w: 5, energy_import_kwh: 0, energy_export_kwh: 0 }).should.eql({ active_power_w: 5 });
    data({ power_w: 5, energy_import_kwh: 12, energy_export_kwh: 0 }).should.containEql({ total_power_export_kwh: 0 });
  });

  it('has gas and water beside the time of the meter, in the form YYMMDDhhmmss', () => {
    const source = { ...realtime.source, fetchedAt: summer };
    const gas = p1(
      { power_w: 1, gas_m3: 2569.646 },
      { ts: summer, times: { gas_m3: summer - 240 * secondMs }, source },
    );
    const house = [gas, { ...water, ts: summer, times: {}, source }];
    const gasMeter = { unique_id: `${MAC}-gas`, timestamp: 260_618_135_600, value: 2569.646 };
    answer(house, { now: summer }).payload?.should.containDeep({
      total_gas_m3: 2569.646,
      gas_timestamp: 260_618_135_600,
      gas_unique_id: `${MAC}-gas`,
      external: [
        { ...gasMeter, type: 'gas_meter', unit: 'm3' },
        { unique_id: `${MAC}-water`, type: 'water_meter', timestamp: 260_618_140_000, value: 800.5, unit: 'm3' },
      ],
    });
  });

  it('uses the gas meter if the grid meter has no gas, but not that of another house', () => {
    const gas = p1({ gas_m3: 7 }, { meter: { alias: 'p1-gas', role: 'gas' } });
    answer([p1({ power_w: 1 }), gas]).payload?.should.containDeep({ total_gas_m3: 7 });
    const neighbour = { ...gas, monitor: { id: '001122aabbcd' } };
    answer([p1({ power_w: 1 }), neighbour]).payload?.should.not.have.property('total_gas_m3');
  });

  it('FO1: is an error from 30 seconds on, and never the old value', () => {
    const reading = p1({ power_w: 5, energy_import_kwh: 3 });
    should(answer(reading, { now: T + 30 * secondMs }).statusCode).equal(undefined);
    answer(reading, { now: T + 31 * secondMs }).should.containDeep({ statusCode: 503, payload: stale });
    JSON.stringify(answer(reading, { now: T + 31 * secondMs })).should.not.match(/power|kwh/);
  });

  it('FO1: is an error for an old reading that is read again, and for one that only seems to be new', () => {
    const later = { ...realtime.source, fetchedAt: T + 60 * secondMs };
    answer(p1({ power_w: 5 }, { source: later }), { now: T + 61 * secondMs }).should.containDeep({ payload: stale });
    // The clock of the monitor is an hour ahead.
    const ahead = p1({ power_w: 5 }, { ts: T + 3600 * secondMs });
    should(answer(ahead).statusCode).equal(undefined);
    answer(ahead, { now: T + 40 * secondMs }).should.containDeep({ payload: stale });
    const own = p1({ power_w: 5, tariff: 1 }, { times: { power_w: T - 31 * secondMs } });
    answer(own, { now: T }).should.containDeep({ payload: stale });
  });

  it('leaves out an old value and sends a fresh one', () => {
    data({ power_w: 5, power_l1_w: 3 }, { times: { power_l1_w: T - 60 * secondMs } }).should.eql({ active_power_w: 5 });
  });

  it('is not stored by a cache', () => {
    for (const payload of [realtime, []]) should(answer(payload).headers).eql({ 'cache-control': 'no-store' });
  });

  it('describes the device at /api, for readings of any age', () => {
    const device = answer(realtime, { path: '/api', now: T + 3600 * secondMs });
    should(device.statusCode).equal(undefined);
    should(device.payload).eql({
      product_type: 'HWE-P1',
      product_name: 'P1 Meter',
      serial: MAC,
      firmware_version: '4.19',
      api_version: 'v1',
    });
    should(answer(realtime, { path: '/api/' }).payload).eql(device.payload);
  });

  it('is an error without a reading of a grid meter', () => {
    for (const payload of [[], water, [water]]) {
      for (const path of ['/api', '/api/v1/data']) {
        answer(payload, { path }).should.containDeep({ statusCode: 503, payload: unavailable('No reading yet') });
      }
    }
  });

  it('FO6: refuses what is no current reading, and readings of two grid meters', () => {
    for (const payload of [series, webhook, offline]) {
      describeFormatError(() => answer(payload)).should.equal('UNSUPPORTED not_current');
    }
    should(answer([offline, realtime]).statusCode).equal(undefined);
    const other = p1({ power_w: 1 }, { monitor: { id: '001122aabbcd' } });
    describeFormatError(() => answer([realtime, other])).should.equal('INPUT several_grids');
  });
});
