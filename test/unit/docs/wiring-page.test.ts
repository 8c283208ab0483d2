/**
 * The functions of docs/what-to-wire-it-to.md with recorded payloads: the output of each matches the documentation of the other
 * program.
 */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { snippetsOf } from '../../support/docs/snippets';

interface Payload {
  readonly kind: string;
  readonly monitor: { readonly id: string | null };
  readonly meter?: { readonly alias: string };
  readonly values: Readonly<Record<string, number | null>>;
  readonly [property: string]: unknown;
}

const root = path.resolve(__dirname, '../../..');
const functions = snippetsOf(readFileSync(path.join(root, 'docs/what-to-wire-it-to.md'), 'utf8'), 'js');
const recorded = JSON.parse(readFileSync(path.join(root, 'test/recorded/messages.json'), 'utf8')) as Readonly<
  Record<string, readonly { readonly payload: Payload }[]>
>;

const env: Readonly<Record<string, string>> = {
  ENERGYID_URL: 'https://hooks.example/record',
  MINDERGAS_TOKEN: 'gas token',
  PVOUTPUT_KEY: 'solar key',
  PVOUTPUT_SYSTEM: '4711',
  EMONCMS_URL: 'https://emoncms.example',
  EMONCMS_KEY: 'write key',
};

/** Message of the function under the heading. */
function sent(heading: string, payload: object): unknown {
  const code = functions.filter((snippet) => snippet.heading === heading).map((snippet) => snippet.code);
  should(code).have.length(1, heading);
  const run = vm.compileFunction(String(code[0]), ['msg', 'env']) as (message: object, env: object) => unknown;
  return run({ payload: structuredClone(payload) }, { get: (name: string) => env[name] });
}

function reading(alias: string): Payload {
  const all = recorded['realtime of every meter, local'] ?? [];
  const found = all.find(({ payload }) => payload.meter?.alias === alias)?.payload;
  if (found === undefined) throw new Error(`nothing recorded of ${alias}`);
  return found;
}

function changed(payload: Payload, values: Readonly<Record<string, null>>): Payload {
  return { ...payload, values: { ...payload.values, ...values } };
}

describe('the functions of docs/what-to-wire-it-to.md', () => {
  const grid = reading('p1');
  const { power_w: power, energy_import_kwh: bought, energy_export_kwh: sold } = grid.values;
  const unknownPower = changed(grid, { power_w: null });

  before(() => {
    for (const value of [power, bought, sold]) should(value).be.a.Number();
  });

  it('are all tested here', () => {
    const tested = [
      'evcc',
      'Victron: virtual grid meter',
      'Victron: over MQTT',
      'EnergyID',
      'MinderGas',
      'PVOutput',
      'emoncms',
      'EMHASS',
    ];
    functions.map(({ heading }) => heading).should.eql(tested);
  });

  it('give evcc power and import, and nothing when either is missing', () => {
    should(sent('evcc', grid)).eql({ topic: 'cemm/grid', payload: { power, energy: bought } });
    should(sent('evcc', unknownPower)).be.null();
    should(sent('evcc', changed(grid, { energy_import_kwh: null }))).be.null();
  });

  it('give Victron a virtual grid meter, which is not connected while the monitor is away', () => {
    const heading = 'Victron: virtual grid meter';
    should(sent(heading, grid)).eql({
      payload: {
        '/Connected': 1,
        '/Ac/Power': power,
        '/Ac/L1/Power': power,
        '/Ac/Energy/Forward': bought,
        '/Ac/Energy/Reverse': sold,
      },
    });
    should(sent(heading, unknownPower)).be.null();
    should(sent(heading, { kind: 'availability', state: 'offline' })).eql({ payload: { '/Connected': 0 } });
    should(sent(heading, { kind: 'availability', state: 'online' })).eql({ payload: { '/Connected': 1 } });
  });

  it('give dbus-mqtt-grid the grid, and nothing when a value is missing', () => {
    const heading = 'Victron: over MQTT';
    should(sent(heading, grid)).eql({
      topic: 'cemm/grid',
      payload: { grid: { power, energy_forward: bought, energy_reverse: sold } },
    });
    should(sent(heading, unknownPower)).be.null();
    should(sent(heading, changed(grid, { energy_export_kwh: null }))).be.null();
  });

  it('give EnergyID one message per reading that is known', () => {
    const message = (metric: string, value: number | null | undefined) => ({
      url: 'https://hooks.example/record',
      payload: {
        remoteId: `${String(grid.monitor.id)}-${metric}`,
        remoteName: metric,
        metric,
        metricKind: 'cumulative',
        unit: 'kWh',
        interval: 'P1D',
        data: [[grid['time'], value]],
      },
    });
    should(sent('EnergyID', grid)).eql([[message('electricityImport', bought), message('electricityExport', sold)]]);
    should(sent('EnergyID', changed(grid, { energy_import_kwh: null }))).eql([[message('electricityExport', sold)]]);
  });

  it('give MinderGas the reading of gas with its day', () => {
    const gas = reading('p1-gas');
    should(sent('MinderGas', gas)).eql({
      url: 'https://www.mindergas.nl/api/meter_readings',
      headers: { 'AUTH-TOKEN': 'gas token' },
      // At 10:20 UTC it is the same day almost everywhere.
      payload: { date: '2026-07-15', reading: gas.values['gas_m3'] },
    });
    should(sent('MinderGas', changed(gas, { gas_m3: null }))).be.null();
  });

  it('give PVOutput the energies of today in Wh, at the time of the house', () => {
    const balance = recorded['balance of a day with prices, remote']?.[0]?.payload;
    if (balance === undefined) throw new Error('no balance recorded');
    const [start, end] = ['2026-07-14T22:00:00Z', '2026-07-15T22:00:00Z'].map((time) => Date.parse(time));
    const period = { start, end, timezone: 'Europe/Amsterdam' };
    const today = { ...balance, period, source: { fetchedAt: Date.parse('2026-07-14T22:05:00Z') } };
    const { energy_production_kwh: produced, energy_house_kwh: used } = today.values;
    should(sent('PVOutput', today)).eql({
      url: 'https://pvoutput.org/service/r2/addstatus.jsp',
      headers: {
        'X-Pvoutput-Apikey': 'solar key',
        'X-Pvoutput-SystemId': '4711',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: {
        d: '20260715',
        t: '00:05',
        v1: Math.round(1000 * Number(produced)),
        v3: Math.round(1000 * Number(used)),
      },
    });
    should(sent('PVOutput', changed(today, { energy_production_kwh: null }))).be.null();
    // An answer that comes just after midnight is about the day that has ended.
    const ended = { ...today, source: { fetchedAt: Number(end) + 500 } };
    should(sent('PVOutput', ended)).containDeep({ payload: { d: '20260715', t: '23:59' } });
    // At night an inverter uses some power itself.
    const night = { ...today, values: { ...today.values, energy_production_kwh: -0.01 } };
    should(sent('PVOutput', night)).have.propertyByPath('payload', 'v1').eql(0);
  });

  it('give emoncms every number of a reading, and leave out what is not known', () => {
    const message = sent('emoncms', unknownPower) as { payload: { fulljson: string } };
    const known = Object.entries(unknownPower.values).filter(([, value]) => value !== null);
    should(JSON.parse(message.payload.fulljson)).eql(Object.fromEntries(known));
    should(message).containDeep({
      url: 'https://emoncms.example/input/post',
      headers: { authorization: 'Bearer write key', 'content-type': 'application/x-www-form-urlencoded' },
      payload: { node: 'p1', time: Number(grid['ts']) / 1000 },
    });
  });

  it('give EMHASS each known price at its start, and nothing without a price', () => {
    const slot = { start: '2026-11-26T13:00:00+01:00', end: '2026-11-26T14:00:00+01:00', value: 0.25 };
    const later = { start: '2026-11-26T14:00:00+01:00', end: '2026-11-26T15:00:00+01:00', value: -0.01 };
    const priceData = [
      { ...slot, export: 0.05 },
      { ...later, export: null },
    ];
    should(sent('EMHASS', { priceData })).eql({
      payload: {
        load_cost_forecast: { [slot.start]: 0.25, [later.start]: -0.01 },
        prod_price_forecast: { [slot.start]: 0.05 },
      },
    });
    should(sent('EMHASS', { priceData: [] })).be.null();
  });
});
