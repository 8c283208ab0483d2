import should from 'should';
import { normalizeRealtime, readingsOfNow } from '../../../src/model/realtime';
import type { RealtimePayload, Role } from '../../../src/model/payload';
import type { RealtimeResponse } from '../../../src/protocol/responses';
import { fetched, meter, MONITOR, makeRealtimeResponse, SOURCE, valid, withSchemas } from '../../support/model/wire';

const T = 1_700_000_000_000;
const later = T + 5_000;

function normalize(response: RealtimeResponse, alias: string, role: Role | null): RealtimePayload {
  return valid(normalizeRealtime({ response, monitor: MONITOR, meter: meter(alias, role), source: SOURCE }));
}

describe('normalizeRealtime', () => {
  withSchemas();

  it('returns the documented payload for a grid meter with an older gas reading', () => {
    const response = makeRealtimeResponse({
      t1: [T, 4310.5],
      t2: [T, 3987.25],
      t3: [T, 1204.5],
      t4: [T, 2890],
      electric_power: [T, -1240],
      rate: [T, 2],
      switch: [0, 0],
      gas: [T - 300_000, 2511.873],
    });
    normalize(response, 'p1', 'grid').should.eql({
      schema: 'cemm/1',
      kind: 'realtime',
      id: `rt:001122aabbcc:p1:${T}`,
      ts: T,
      time: '2023-11-14T22:13:20.000Z',
      monitor: MONITOR,
      meter: { alias: 'p1', role: 'grid' },
      values: {
        power_w: -1240,
        power_import_w: 0,
        power_export_w: 1240,
        energy_import_t1_kwh: 4310.5,
        energy_import_t2_kwh: 3987.25,
        energy_import_kwh: 8297.75,
        energy_export_t1_kwh: 1204.5,
        energy_export_t2_kwh: 2890,
        energy_export_kwh: 4094.5,
        energy_net_kwh: 4203.25,
        tariff: 2,
        switch_raw: null,
        gas_m3: 2511.873,
      },
      times: { gas_m3: T - 300_000 },
      missing: { switch_raw: 'no_timestamp' },
      source: SOURCE,
    });
  });

  it('reads the meter readings of a local monitor from `totals`, with their own times', () => {
    const response = makeRealtimeResponse(
      { t1: [T, 100.5], t2: [T, 200.26], electric_power: [T, 350], rate: [T, 1], gas: [T, 900.125] },
      {
        electric_energy: [later, 70],
        electric_energy_high: [later, 160],
        t1: [later, 100.5],
        t2: [later, 200.25],
        gas: [later, 900.5],
      },
    );
    const { ts, values, times } = normalize(response, 'p1', 'grid');
    ts.should.equal(T);
    values.should.containEql({ energy_import_t2_kwh: 200.25, energy_import_kwh: 300.75, gas_m3: 900.5, power_w: 350 });
    values.should.containEql({ energy_net_t1_kwh: 70, energy_net_t2_kwh: 160, energy_net_kwh: 230 });
    times.should.containEql({ energy_import_t2_kwh: later, energy_import_kwh: later, gas_m3: later });
    times.should.not.have.property('power_w');
  });

  it('does not mix the whole counter of a single-counter solar meter with its halves', () => {
    const data = { t1: [T, 300.75], t2: [0, 0], electric_power: [T, -3.5] } as const;
    const totals = { t1: [later, 100.5], t2: [later, 200.25], t3: [later, 2], t4: [later, 1] } as const;
    const { values, missing } = normalize(makeRealtimeResponse(data, totals), 'mb5', 'production');
    values.should.eql({
      power_w: -3.5,
      power_production_w: -3.5,
      energy_production_t1_kwh: 100.5,
      energy_production_t2_kwh: 200.25,
      energy_production_kwh: 300.75,
      energy_own_use_t1_kwh: 2,
      energy_own_use_t2_kwh: 1,
      energy_own_use_kwh: 3,
      energy_net_kwh: 297.75,
    });
    missing.should.eql({});

    const withoutLow = normalize(makeRealtimeResponse(data, { t1: [0, 0], t2: [later, 200.25] }), 'mb5', 'production');
    should(withoutLow.values['energy_production_t1_kwh']).be.null();
    should(withoutLow.values['energy_production_kwh']).be.null();
    withoutLow.missing.should.containEql({ energy_production_kwh: 'incomplete_sum' });

    const onlyHigh = normalize(makeRealtimeResponse(data, { t2: [later, 200.25] }), 'mb5', 'production');
    onlyHigh.missing.should.containEql({ energy_production_t1_kwh: 'not_offered' });
    should(onlyHigh.values['energy_production_kwh']).be.null();
  });

  it('falls back to `data` if `totals` has no value, and if both split the counter', () => {
    const empty = makeRealtimeResponse(
      { t1: [T, 1], t2: [T, 2], gas: [T, 3] },
      { t1: [0, 0], t2: [0, 0], gas: [0, 0] },
    );
    normalize(empty, 'p1', 'grid').values.should.containEql({ energy_import_kwh: 3, gas_m3: 3 });
    const half = makeRealtimeResponse({ t1: [T, 1], t2: [T, 2] }, { t1: [later, 1.5] });
    normalize(half, 'p1', 'grid').values.should.containEql({ energy_import_t1_kwh: 1.5, energy_import_kwh: 3.5 });
  });

  it('finds the reading of a water meter that gives only a flow in `data`', () => {
    const { ts, values, times, missing } = normalize(
      makeRealtimeResponse({ flow: [0, 0] }, { volume: [T, 55.5] }),
      'pulse-1',
      'water',
    );
    ts.should.equal(T);
    values.should.eql({ flow_lpm: null, water_m3: 55.5 });
    times.should.eql({});
    missing.should.eql({ flow_lpm: 'no_timestamp' });
  });

  for (const [name, t2, reason] of [
    ['[0, 0]', { t2: [0, 0] as const }, 'no_timestamp'],
    ['not there at all', {}, 'not_offered'],
  ] as const) {
    it(`gives no sum if the second tariff is ${name}`, () => {
      const { values, missing } = normalize(makeRealtimeResponse({ t1: [T, 5528.5], ...t2 }), 'p1', 'grid');
      values.should.eql({ energy_import_t1_kwh: 5528.5, energy_import_t2_kwh: null, energy_import_kwh: null });
      missing.should.eql({ energy_import_t2_kwh: reason, energy_import_kwh: 'incomplete_sum' });
    });
  }

  it('has t1 as the total of a single counter without a second tariff', () => {
    const { values, missing, times } = normalize(
      makeRealtimeResponse({ t1: [T, 5528.5], t3: [later, 8.25] }),
      'mb5',
      'production',
    );
    values.should.eql({
      energy_production_t1_kwh: 5528.5,
      energy_production_t2_kwh: null,
      energy_production_kwh: 5528.5,
      energy_own_use_t1_kwh: 8.25,
      energy_own_use_t2_kwh: null,
      energy_own_use_kwh: 8.25,
      energy_net_kwh: 5520.25,
    });
    missing.should.eql({ energy_production_t2_kwh: 'not_offered', energy_own_use_t2_kwh: 'not_offered' });
    times.should.eql({ energy_production_t1_kwh: T, energy_production_kwh: T });
  });

  for (const [name, response] of [
    ['is offered without a value', makeRealtimeResponse({ t1: [T, 5], t2: [0, 0] })],
    ['stands in the other member', makeRealtimeResponse({ t1: [T, 5] }, { t2: [0, 0] })],
    ['is offered for the other direction', makeRealtimeResponse({ t1: [T, 5], t4: [T, 1] })],
  ] as const) {
    it(`has no total if a second tariff ${name}`, () => {
      const { values, missing } = normalize(response, 'mb5', 'production');
      should(values['energy_production_kwh']).be.null();
      missing.should.containEql({ energy_production_kwh: 'incomplete_sum' });
    });
  }

  it('has no total if a second tariff was offered before', () => {
    const input = {
      response: makeRealtimeResponse({ t1: [T, 5] }),
      monitor: MONITOR,
      meter: meter('mb5', null),
      source: SOURCE,
    };
    should(normalizeRealtime({ ...input, isSingleCounter: true }).values['energy_import_kwh']).equal(5);
    should(normalizeRealtime({ ...input, isSingleCounter: false }).values['energy_import_kwh']).be.null();
  });

  it('assigns the time of the reading to a value with an invalid time', () => {
    const { ts, values, times, missing } = normalize(
      makeRealtimeResponse({ electric_power: [T, 100], switch: [0, 1], rate: [5, 2], t1: [3, 0], t2: [T, 4] }),
      'p1',
      'grid',
    );
    ts.should.equal(T);
    values.should.containEql({ switch_raw: 1, tariff: 2, energy_import_t1_kwh: 0, energy_import_kwh: 4 });
    times.should.eql({});
    missing.should.eql({});
  });

  it('prefers a value with a time to one without', () => {
    const both = makeRealtimeResponse({ gas: [T, 3], t1: [0, 0] }, { gas: [0, 4], t1: [0, 5], t2: [T, 6] });
    normalize(both, 'p1', 'grid').values.should.containEql({ gas_m3: 3, energy_import_kwh: 11 });
  });

  it('has a separate id for each response with values without a time', () => {
    const response = makeRealtimeResponse({ switch: [0, 1] });
    normalize(response, 'p1', 'grid').should.containEql({ ts: fetched, id: `rt:001122aabbcc:p1:${fetched}` });
  });

  it('distinguishes a null with a time from an invalid number', () => {
    const { values, missing } = normalize(
      makeRealtimeResponse({ electric_power: [T, null], gas: [T, 2] }),
      'p1',
      'grid',
    );
    values.should.eql({ power_w: null, power_import_w: null, power_export_w: null, gas_m3: 2 });
    should(missing['power_w']).equal('no_recent_value');
  });

  it('gives no net energy if one direction is incomplete', () => {
    const { missing } = normalize(
      makeRealtimeResponse({ t1: [T, 1], t2: [T, 1], t3: [T, 1], t4: [0, 0] }),
      'p1',
      'grid',
    );
    missing.should.containEql({ energy_export_kwh: 'incomplete_sum', energy_net_kwh: 'incomplete_sum' });
  });

  it('WB11: keeps a real zero, changes -0 to 0, and rounds nothing', () => {
    const { values } = normalize(
      makeRealtimeResponse({ electric_power: [T, -0], t1: [T, 0], gas: [T, 2511.873046875123] }),
      'p1',
      'grid',
    );
    for (const field of ['power_w', 'power_import_w', 'power_export_w', 'energy_import_t1_kwh']) {
      Object.is(values[field], 0).should.be.true(field);
    }
    should(values['gas_m3']).equal(2511.873046875123);
  });

  it('reports a number that is not finite', () => {
    const { values, missing } = normalize(
      makeRealtimeResponse({ electric_power: [T, Infinity], rate: [T, 1] }),
      'p1',
      'grid',
    );
    should(values['power_w']).be.null();
    missing.should.eql({ power_w: 'not_finite', power_import_w: 'not_finite', power_export_w: 'not_finite' });
  });

  it('has no number that its sums cannot hold', () => {
    const { values, missing } = normalize(
      makeRealtimeResponse({ t1: [T, 1e308], t2: [T, 1e308], t3: [T, -1e308], t4: [T, -1e308] }),
      'p1',
      'grid',
    );
    for (const value of Object.values(values)) should(value === null || Number.isFinite(value)).be.true();
    missing.should.containEql({ energy_import_t1_kwh: 'not_finite', energy_import_kwh: 'incomplete_sum' });
  });

  it('passes on an unknown channel under its own name', () => {
    normalize(
      makeRealtimeResponse({
        frequency: [T, 50.01],
        ts: [T, 1],
        ...Object.fromEntries([['constructor', [T, 2] as const]]),
      }),
      'mb5',
      null,
    ).values.should.eql({
      frequency: 50.01,
      ts_raw: 1,
      constructor: 2,
    });
  });

  it('derives no power without a role, and none that the monitor sends itself', () => {
    normalize(makeRealtimeResponse({ electric_power: [T, 5] }), 's01', null).values.should.eql({ power_w: 5 });
    const both = makeRealtimeResponse({
      electric_power: [T, 5],
      electric_power_import: [T, 7],
      electric_power_export: [T, 2],
    });
    normalize(both, 'p1', 'grid').values.should.eql({ power_w: 5, power_import_w: 7, power_export_w: 2 });
  });

  it('has the time of the newest current value, even if readings are newer', () => {
    const response = makeRealtimeResponse({
      electric_power: [T, 5],
      voltage: [T + 1, 230],
      t1: [T + 9, 1],
      t2: [T + 9, 1],
    });
    const { ts, times } = normalize(response, 'p1', 'grid');
    ts.should.equal(T + 1);
    times.should.eql({
      power_w: T,
      power_import_w: T,
      power_export_w: T,
      energy_import_t1_kwh: T + 9,
      energy_import_t2_kwh: T + 9,
      energy_import_kwh: T + 9,
    });
  });

  it('has one id for a response without any value, whenever it was fetched', () => {
    const nothing = normalize(makeRealtimeResponse({ gas: [0, 0] }), 'p1-gas', 'gas');
    nothing.ts.should.equal(fetched);
    nothing.id.should.equal('rt:001122aabbcc:p1-gas:none');
    nothing.missing.should.eql({ gas_m3: 'no_timestamp' });
    normalize(makeRealtimeResponse({}), 'p1-gas', 'gas').values.should.eql({});
  });

  it('returns copies of monitor, meter and source', () => {
    const input = {
      response: makeRealtimeResponse({}),
      monitor: { ...MONITOR },
      meter: meter('p1', 'grid'),
      source: { ...SOURCE },
    };
    const payload = normalizeRealtime(input);
    payload.monitor.name = 'changed by a flow';
    payload.meter.alias = 'changed';
    payload.source.requests = 99;
    input.monitor.should.eql(MONITOR);
    input.meter.should.eql(meter('p1', 'grid'));
    input.source.should.eql(SOURCE);
  });

  it('returns the current readings as totals of a day', () => {
    const response = makeRealtimeResponse(
      { electric_power: [T, 1], rate: [T, 1], gas: [T, 3] },
      { t1: [later, 1], t2: [later, 2] },
    );
    [...readingsOfNow(response).data.keys()].sort().should.eql(['gas', 't1', 't2']);
  });
});
