/** The Remote Open API over real HTTP: the eight endpoints, several monitors on one key, refusals and promises. */
import should from 'should';
import type { Household } from '../../../src/simulator/household';
import {
  momentOf,
  request,
  seconds,
  settableClock,
  startInterfaces,
  sumSamples,
  times,
  type Channels,
  type Series,
  type Started,
} from '../../support/simulator/requests';

interface Answer<Data> {
  io_id: number;
  time: number;
  data: Data;
}

const now = '2026-06-15T10:30:42.700Z';

describe('simulator: Remote Open API', () => {
  const clock = settableClock(now);
  let started: Started;
  let household: Household;

  before(async () => {
    started = await startInterfaces({ clock, seed: 5, monitors: 3, apiKey: 'geheim' });
    household = started.simulator.monitors[0]?.household as Household;
  });
  afterEach(() => {
    clock.set(now);
  });
  after(() => started.simulator.close());

  const of = async <Data>(path: string, monitor = 0) =>
    (await started.remote(`cemm/${started.uid(monitor)}/${path}`)).body as Answer<Data>;

  it('1: lists the monitors of the key by MAC with hyphens', async () => {
    const { data } = (await started.remote('cemm/')).body as { data: { uid: string }[] };
    data.should.have.length(3);
    data.forEach(({ uid }) => uid.should.match(/^([0-9A-F]{2}-){5}[0-9A-F]{2}$/));
    new Set(data.map(({ uid }) => uid)).size.should.equal(3);
    data.map(({ uid }) => uid.replaceAll('-', ':')).should.deepEqual(started.simulator.monitors.map(({ mac }) => mac));
    new Set(started.simulator.monitors.map(({ cemm }) => cemm)).size.should.equal(3);
  });

  it('2: lists the I/Os without alias, 3: and the one of an alias', async () => {
    const { data } = await of<Record<string, unknown>[]>('io/');
    data.forEach((io) => Object.keys(io).should.deepEqual(['io_id', 'port', 'type', 'port_option', 'full_id']));
    data.map((io) => io['type']).should.deepEqual(['p1', 'gas', 'solar_energy', 'solar_energy', 'water']);
    (await of('s01')).data?.should.deepEqual([
      { io_id: 3, port: 2, type: 'solar_energy', port_option: 's0_in', full_id: 0 },
    ]);
  });

  it('4: gives realtime values, with a switch that never has one', async () => {
    const { io_id, data } = await of<Channels>('p1/realtime/');
    io_id.should.equal(1);
    Object.keys(data).should.deepEqual(['t1', 't2', 't3', 't4', 'electric_power', 'rate', 'switch', 'gas']);
    should(data['switch']).deepEqual([0, 0]);
    const time = momentOf('2026-06-15T10:30:37Z');
    should(data['t4']).deepEqual([time, household.registers(time).exportT2Kwh]);
    should((await of<Channels>('s01/realtime/')).data).deepEqual({
      electric_power: [time, household.step(time).solarW],
    });
    const gasTime = momentOf('2026-06-15T10:30:00Z');
    should((await of<Channels>('p1-gas/realtime/')).data).deepEqual({
      gas: [gasTime, household.registers(gasTime).gasM3],
    });
  });

  it('gives every monitor a house of its own', async () => {
    const power = async (monitor: number) => (await of<Channels>('p1/realtime', monitor)).data['t1']?.[1];
    new Set([await power(0), await power(1), await power(2)]).size.should.equal(3);
  });

  it('5: gives all minutes of a day, newest first, the ones to come as 0', async () => {
    const { time, data } = await of<Series>('p1/data/day/');
    time.should.equal(momentOf('2026-06-14T22:00:00Z'));
    Object.keys(data).should.deepEqual(['electric_power']);
    const samples = data['electric_power'] ?? [];
    samples.should.have.length(1440);
    should(samples[0]).deepEqual([momentOf('2026-06-15T21:59:00Z'), 0]);
    should(samples.at(-1)).deepEqual([
      momentOf('2026-06-14T22:00:00Z'),
      household.minute(momentOf('2026-06-14T22:00:00Z')).gridW,
    ]);
    times(samples).should.deepEqual(times(samples).toSorted((a, b) => b - a));
    samples
      .filter(([sampleTime]) => sampleTime >= momentOf('2026-06-15T10:30:00Z'))
      .every(([, value]) => value === 0)
      .should.be.true();
  });

  it('5: has days of 23 and 25 hours', async () => {
    clock.set('2026-11-01T12:00:00Z');
    const minutes = async (iso: string) =>
      (await of<Series>(`s01/data/day/?time=${seconds(iso)}`)).data['electric_power'];
    should(await minutes('2026-03-29T10:00:00Z')).have.length(1380);
    should(await minutes('2026-10-25T10:00:00Z')).have.length(1500);
  });

  it('5: gives gas of DSMR 5 in L/min, index 0 to 1440, and of DSMR 4 in m³ per hour', async () => {
    const time = seconds('2026-02-10T12:00:00Z');
    const { data: month } = await of<Series>(`p1-gas/data/month/?time=${time}`);
    const amount = month['gas']?.[18]?.[1] ?? NaN;
    amount.should.be.above(1);
    const gas = (await of<Series>(`p1-gas/data/day/?time=${time}`)).data['gas'] ?? [];
    gas.should.have.length(1441);
    should(gas[0]?.[0]).equal(momentOf('2026-02-10T23:00:00Z'));
    should(gas.at(-1)?.[0]).equal(momentOf('2026-02-09T23:00:00Z'));
    (sumSamples(gas.slice(1)) / 1000).should.be.approximately(amount, 1e-9);
    const old = await startInterfaces({ clock, seed: 5, dsmr: 4 });
    try {
      const reply = await old.remote(`cemm/${old.uid()}/p1-gas/data/day/?time=${time}`);
      const { data } = reply.body as Answer<Series>;
      should(data['gas']).have.length(24);
      sumSamples(data['gas']).should.be.approximately(amount, 1e-9);
    } finally {
      await old.simulator.close();
    }
  });

  it('6 and 7: gives kWh per day and per month in both tariffs, which add up', async () => {
    const { time, data: month } = await of<Series>(`p1/data/month/?time=${seconds('2026-05-10T12:00:00Z')}`);
    time.should.equal(momentOf('2026-04-30T22:00:00Z'));
    Object.keys(month).should.deepEqual(['electric_energy_low', 'electric_energy_high']);
    should(month['electric_energy_low']).have.length(31);
    const { data: year } = await of<Series>('p1/data/year/');
    for (const channel of ['electric_energy_low', 'electric_energy_high']) {
      should(year[channel]).have.length(12);
      should(year[channel]?.[0]).deepEqual([momentOf('2026-11-30T23:00:00Z'), 0]);
      sumSamples(month[channel]).should.be.approximately(year[channel]?.[7]?.[1] ?? NaN, 1e-9);
    }
    const { data: day } = await of<Series>(`p1/data/day/?time=${seconds('2026-05-31T12:00:00Z')}`);
    const amount = (month['electric_energy_low']?.[0]?.[1] ?? NaN) + (month['electric_energy_high']?.[0]?.[1] ?? NaN);
    (sumSamples(day['electric_power']) / 60_000).should.be.approximately(amount, 1e-9);
    should((await of<Series>('p1-gas/data/year/')).data['gas']).have.length(12);
  });

  it('8: gives the last readings of a past day, of today so far, and none of tomorrow', async () => {
    const { time, data } = await of<Channels>(`p1/totals/?time=${seconds('2026-06-10T03:00:00Z')}`);
    time.should.equal(momentOf('2026-06-09T22:00:00Z'));
    Object.keys(data).should.deepEqual(['t1', 't2', 't3', 't4', 'electric_energy', 'electric_energy_high', 'gas']);
    const last = momentOf('2026-06-10T21:59:59Z');
    const registers = household.registers(last);
    should(data['t2']).deepEqual([last, registers.importT2Kwh]);
    should(data['electric_energy']).deepEqual([last, registers.importT1Kwh - registers.exportT1Kwh]);
    const gasTime = momentOf('2026-06-10T21:55:00Z');
    should(data['gas']).deepEqual([gasTime, household.registers(gasTime).gasM3]);
    const today = (await of<Channels>('s01/totals/')).data;
    Object.keys(today).should.deepEqual(['electric_energy', 'electric_energy_high']);
    should(today['electric_energy']?.[0]).equal(momentOf('2026-06-15T10:30:37Z'));
    const tomorrow = (await of<Channels>(`p1-gas/totals/?time=${seconds('2026-06-16T12:00:00Z')}`)).data;
    tomorrow.should.deepEqual({ gas: [0, 0] });
  });

  it('refuses a wrong or missing key and monitors that are not linked to it with 403', async () => {
    const base = started.simulator.remote ?? '';
    (await request(`${base}cemm/`)).status.should.equal(403);
    (await request(`${base}cemm/?api_key=demo`)).status.should.equal(403);
    (await request(`${base}cemm/${started.uid()}/p1/realtime/?api_key=Geheim`)).status.should.equal(403);
    (await started.remote('cemm/02-00-00-00-00-00/io/')).status.should.equal(403);
  });

  it('answers 412 for aliases that it does not support, 404 for other paths, 400 for a time that is none', async () => {
    const endpoints = ['', '/realtime', '/data/day', '/data/month', '/data/year', '/totals'];
    for (const alias of ['s02', 's03', 'han', 'mb5', 'pulse-2']) {
      for (const endpoint of endpoints) {
        (await started.remote(`cemm/${started.uid()}/${alias}${endpoint}`)).status.should.equal(412, alias + endpoint);
      }
    }
    for (const path of ['p1/day', 'p1/data', 'p1/data/week', 'p1/data/totals', 'p1/realtime/x']) {
      (await started.remote(`cemm/${started.uid()}/${path}`)).status.should.equal(404, path);
    }
    (await started.remote('other/')).status.should.equal(404);
    (await started.remote(`cemm/${started.uid()}/p1/data/day?time=1781519442700`)).status.should.equal(400);
    (await request(`${started.simulator.remote ?? ''}cemm/?api_key=geheim`, 'POST')).status.should.equal(405);
  });

  it('promises first and gives the data to a caller that repeats in time, on every endpoint', async () => {
    let time = 0;
    const slow = await startInterfaces({ clock, promiseMs: 2000, monotonic: () => time });
    const alias = `cemm/${slow.uid()}/p1`;
    const paths = ['', '/realtime', '/data/day', '/data/month', '/data/year', '/totals'].map((end) => alias + end);
    try {
      for (const path of ['cemm/', `cemm/${slow.uid()}/io/`, ...paths]) {
        const first = await slow.remote(path);
        first.status.should.equal(202, path);
        const promise = (first.body as { promise: unknown }).promise;
        should(promise).be.a.String();
        time += 1999;
        ((await slow.remote(path)).body as { promise: unknown }).promise?.should.equal(promise);
        time += 1;
        const reply = await slow.remote(path);
        reply.status.should.equal(200, path);
        should((reply.body as { data: unknown }).data).be.ok();
        time += 8000;
        (await slow.remote(path)).status.should.equal(202, path);
      }
      const [day, other] = [`${alias}/totals?time=1781519442`, `${alias}/totals?time=1781419442`];
      (await slow.remote(day)).status.should.equal(202);
      time += 2000;
      (await slow.remote(other)).status.should.equal(202);
      (await slow.remote(day)).status.should.equal(200);
      (await slow.remote(`cemm/${slow.uid()}/s02/realtime`)).status.should.equal(412);
    } finally {
      await slow.simulator.close();
    }
  });

  const bodies = {
    string: (body: unknown) => should((body as { promise: unknown }).promise).be.a.String(),
    number: (body: unknown) => should((body as { promise: unknown }).promise).be.a.Number(),
    object: (body: unknown) => should((body as { promise: unknown }).promise).be.an.Object(),
    empty: (body: unknown) => should(body).be.undefined(),
  };
  for (const promiseBody of ['string', 'number', 'object', 'empty'] as const) {
    it(`can give a promise with a body of the kind ${promiseBody}`, async () => {
      const slow = await startInterfaces({ clock, promiseMs: 2000, promiseBody });
      try {
        const reply = await slow.remote('cemm/');
        reply.status.should.equal(202);
        bodies[promiseBody](reply.body);
        should(reply.headers.get('content-type')).equal('application/json; charset=utf-8');
      } finally {
        await slow.simulator.close();
      }
    });
  }

  it('can renew a promise at every repeat', async () => {
    for (const promiseRenews of [true, false]) {
      let time = 0;
      const slow = await startInterfaces({ clock, promiseMs: 12_000, promiseRenews, monotonic: () => time });
      try {
        (await slow.remote('cemm/')).status.should.equal(202);
        time = 9000;
        (await slow.remote('cemm/')).status.should.equal(202);
        time = 12_000;
        (await slow.remote('cemm/')).status.should.equal(promiseRenews ? 200 : 202);
      } finally {
        await slow.simulator.close();
      }
    }
  });
});
