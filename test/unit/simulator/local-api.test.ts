/** The Local Open API over real HTTP: every path, every shape, and the deviations of real monitors. */
import should from 'should';
import type { Household } from '../../../src/simulator/household';
import { millis } from '../../../src/time/units';
import {
  request,
  momentOf,
  seconds,
  settableClock,
  startInterfaces,
  sumSamples,
  times,
  type Channels,
  type Series,
  type Started,
} from '../../support/simulator/requests';

interface Realtime {
  data: Channels;
  totals?: Channels;
}
interface History {
  io_id: string;
  time: number;
  data: Series;
}

const now = '2026-06-15T10:30:42.700Z';

describe('simulator: Local Open API', () => {
  const clock = settableClock(now);
  let started: Started;
  let household: Household;

  before(async () => {
    started = await startInterfaces({ clock, seed: 5 });
    household = started.simulator.monitors[0]?.household as Household;
  });
  afterEach(() => {
    clock.set(now);
  });
  after(() => started.simulator.close());

  const realtime = async (alias: string) => (await started.local(`/${alias}/realtime/`)).body as Realtime;
  const history = async (path: string) => (await started.local(path)).body as History;

  it('identifies itself, as JSON, with and without the final slash', async () => {
    const reply = await started.local('/');
    reply.status.should.equal(200);
    should(reply.headers.get('content-type')).equal('application/json; charset=utf-8');
    const { data } = reply.body as { data: Record<string, string> };
    Object.keys(data).should.deepEqual(['mac', 'name', 'type', 'version', 'core']);
    Object.values(data).forEach((value) => value.should.be.a.String());
    should(data['mac']).match(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
    should(data['mac']).equal(started.simulator.monitors[0]?.mac);
    should(data['type']).match(/^[0-9A-F]{20}$/);
    (await started.local('')).body?.should.deepEqual(reply.body);
    (await started.local('/p1/realtime')).body?.should.deepEqual((await started.local('/p1/realtime/')).body);
  });

  it('lists its I/Os with alias and without the remote fields', async () => {
    const { data } = (await started.local('/io')).body as { data: Record<string, unknown>[] };
    data.map((io) => io['alias']).should.deepEqual(['p1', 'p1-gas', 's01', 'mb5', 'pulse-2']);
    data.map((io) => io['type']).should.deepEqual(['p1', 'gas', 'solar_energy', 'solar_energy', 'water']);
    data.forEach((io) => Object.keys(io).should.deepEqual(['io_id', 'port', 'type', 'alias']));
    data.forEach((io) => should(io['io_id']).be.a.Number());
    should(data[0]?.['port']).equal(data[1]?.['port']);
  });

  it('gives the smart meter in realtime: registers, power, tariff, gas, and totals a few seconds later', async () => {
    const { data, totals = {} } = await realtime('p1');
    Object.keys(data).should.deepEqual(['t1', 't2', 't3', 't4', 'electric_power', 'rate', 'gas']);
    Object.keys(totals).should.deepEqual(['electric_energy', 'electric_energy_high', 't1', 't2', 't3', 't4', 'gas']);
    const time = momentOf('2026-06-15T10:30:37Z');
    const registers = household.registers(time);
    should(data['t1']).deepEqual([time, registers.importT1Kwh]);
    should(data['t2']).deepEqual([time, registers.importT2Kwh]);
    should(data['t3']).deepEqual([time, registers.exportT1Kwh]);
    should(data['t4']).deepEqual([time, registers.exportT2Kwh]);
    should(data['electric_power']).deepEqual([time, household.step(time).gridW]);
    should(data['rate']).deepEqual([time, 2]);
    const gasTime = momentOf('2026-06-15T10:30:00Z');
    should(data['gas']).deepEqual([gasTime, household.registers(gasTime).gasM3]);
    const later = momentOf('2026-06-15T10:30:42Z');
    should(totals['t3']).deepEqual([later, household.registers(later).exportT1Kwh]);
    const { importT1Kwh, exportT1Kwh } = household.registers(later);
    should(totals['electric_energy']).deepEqual([later, Math.round((importT1Kwh - exportT1Kwh) * 100) / 100]);
  });

  it('gives a solar meter on a pulse input its power, and readings in totals', async () => {
    const { data, totals = {} } = await realtime('s01');
    Object.keys(data).should.deepEqual(['electric_power']);
    Object.keys(totals).should.deepEqual(['electric_energy', 'electric_energy_high', 't1', 't2', 't3', 't4']);
    should(data['electric_power']?.[1]).be.above(0);
    should(totals['t2']?.[1]).equal(household.registers(momentOf('2026-06-15T10:30:42Z')).solarT2Kwh);
  });

  it('gives the single-counter meter all of its production in t1 and splits it only in totals', async () => {
    clock.set('2026-06-15T00:30:42Z');
    const { data, totals = {} } = await realtime('mb5');
    Object.keys(data).should.deepEqual(['t1', 't2', 'electric_power']);
    should(data['t2']).deepEqual([0, 0]);
    should(data['electric_power']?.[1]).be.below(0);
    const [t1, t2] = [totals['t1']?.[1] ?? 0, totals['t2']?.[1] ?? 0];
    t2.should.be.above(0);
    should(data['t1']?.[1]).be.approximately(t1 + t2, 1e-9);
    should(totals['t3']?.[1]).be.above(0);
    should(totals['t4']?.[1]).be.above(0);
  });

  it('gives water a flow only while it flows, and its volume only in totals', async () => {
    const times = Array.from({ length: 1440 }, (_, minute) =>
      millis(momentOf('2026-06-14T22:00:00Z') + minute * 60_000),
    );
    const flowing = times.find((time) => household.minute(time).waterL > 0) ?? 0;
    const dry = times.find((time) => household.minute(time).waterL === 0) ?? 0;
    clock.set(new Date(flowing + 30_000).toISOString());
    const { data, totals } = await realtime('pulse-2');
    should(data).deepEqual({ flow: [flowing + 25_000, household.minute(millis(flowing)).waterL] });
    should(totals).deepEqual({
      volume: [flowing + 30_000, household.registers(millis(flowing + 30_000)).waterM3],
    });
    clock.set(new Date(dry + 30_000).toISOString());
    should((await realtime('pulse-2')).data).deepEqual({ flow: [0, 0] });
  });

  it('gives gas a reading of its own time, and the electric usage only its power', async () => {
    const time = momentOf('2026-06-15T10:30:00Z');
    const gas = { gas: [time, household.registers(time).gasM3] };
    should(await realtime('p1-gas')).deepEqual({ data: gas, totals: gas });
    const moment = momentOf('2026-06-15T10:30:37Z');
    should(await realtime('usage')).deepEqual({ data: { electric_power: [moment, household.step(moment).homeW] } });
  });

  it('gives a past day one value per minute, newest first, milliseconds in samples and seconds in time', async () => {
    const time = seconds('2026-06-09T22:00:00Z');
    const { io_id, time: echoed, data } = await history(`/p1/data/day?time=${time}`);
    io_id.should.equal('1');
    echoed.should.equal(time);
    const samples = data['electric_power'] ?? [];
    samples.should.have.length(1440);
    should(samples[0]).deepEqual([
      momentOf('2026-06-10T21:59:00Z'),
      household.minute(momentOf('2026-06-10T21:59:00Z')).gridW,
    ]);
    should(samples.at(-1)).deepEqual([
      momentOf('2026-06-09T22:00:00Z'),
      household.minute(momentOf('2026-06-09T22:00:00Z')).gridW,
    ]);
    times(samples).should.deepEqual(times(samples).toSorted((a, b) => b - a));
  });

  it('leaves the current and later minutes of today out, but for the last one, which is null', async () => {
    const { time, data } = await history('/s01/data/day/');
    time.should.equal(seconds('2026-06-14T22:00:00Z'));
    const [last, newest] = data['electric_power'] ?? [];
    should(last).deepEqual([momentOf('2026-06-15T21:59:00Z'), null]);
    should(newest?.[0]).equal(momentOf('2026-06-15T10:29:00Z'));
    should(data['electric_power']).have.length(1 + 12 * 60 + 30);
  });

  it('has minutes of 23 and 25 hours on the days when clocks move', async () => {
    clock.set('2026-11-01T12:00:00Z');
    const day = async (iso: string) => (await history(`/usage/data/day?time=${seconds(iso)}`)).data['electric_power'];
    should(await day('2026-03-28T23:00:00Z')).have.length(1380);
    should(await day('2026-10-24T22:00:00Z')).have.length(1500);
  });

  it('adds minutes up to days, days to months and months to the year, also where clocks move', async () => {
    clock.set('2026-11-01T12:00:00Z');
    const { data: year } = await history('/p1/data/year/');
    const { data: month } = await history(`/p1/data/month?time=${seconds('2026-09-30T22:00:00Z')}`);
    Object.keys(month).should.deepEqual(['electric_energy', 'electric_energy_high']);
    should(times(year['electric_energy'])[2]).equal(momentOf('2026-09-30T22:00:00Z'));
    for (const channel of ['electric_energy', 'electric_energy_high']) {
      sumSamples(month[channel]).should.be.approximately(year[channel]?.[2]?.[1] ?? NaN, 1e-9);
    }
    let minutes = 0;
    for (const start of times(month['electric_energy'])) {
      const { data } = await history(`/p1/data/day?time=${start / 1000}`);
      const index = times(month['electric_energy']).indexOf(start);
      const amount =
        (month['electric_energy']?.[index]?.[1] ?? NaN) + (month['electric_energy_high']?.[index]?.[1] ?? NaN);
      (sumSamples(data['electric_power']) / 60_000).should.be.approximately(amount, 1e-9);
      minutes += data['electric_power']?.length ?? 0;
    }
    minutes.should.equal(31 * 1440 + 60);
  });

  it('gives today in the month what its minutes have been so far', async () => {
    const { data: day } = await history('/mb5/data/day/');
    const { data: month } = await history('/mb5/data/month/');
    const today = times(month['electric_energy']).indexOf(momentOf('2026-06-14T22:00:00Z'));
    const amount =
      (month['electric_energy']?.[today]?.[1] ?? NaN) + (month['electric_energy_high']?.[today]?.[1] ?? NaN);
    (sumSamples(day['electric_power']) / 60_000).should.be.approximately(amount, 1e-9);
  });

  it('gives future days and months as 0, newest first', async () => {
    const { data: month } = await history('/s01/data/month/');
    should(month['electric_energy']).have.length(30);
    should(month['electric_energy']?.[0]).deepEqual([momentOf('2026-06-29T22:00:00Z'), 0]);
    should(month['electric_energy_high']?.[15]?.[1]).be.above(0);
    const { data: year } = await history('/s01/data/year/');
    should(year['electric_energy']).have.length(12);
    (year['electric_energy'] ?? []).slice(0, 6).forEach(([, value]) => should(value).equal(0));
    should(year['electric_energy']?.[6]?.[1]).be.above(0);
    const { data: next } = await history(`/pulse-2/data/year?time=${seconds('2026-12-31T23:00:00Z')}`);
    sumSamples(next['volume']).should.equal(0);
    const { data: tomorrow } = await history(`/p1/data/day?time=${seconds('2026-06-15T22:00:00Z')}`);
    should(tomorrow['electric_power']).deepEqual([[momentOf('2026-06-16T21:59:00Z'), null]]);
  });

  it('gives gas in L/min every five minutes on DSMR 5, m³ per day and month', async () => {
    const { data: day } = await history(`/p1-gas/data/day?time=${seconds('2026-02-09T23:00:00Z')}`);
    should(day['gas']).have.length(288);
    const { data: month } = await history(`/p1-gas/data/month?time=${seconds('2026-01-31T23:00:00Z')}`);
    const amount = month['gas']?.[18]?.[1] ?? NaN;
    should(month['gas']?.[18]?.[0]).equal(momentOf('2026-02-09T23:00:00Z'));
    ((sumSamples(day['gas']) * 5) / 1000).should.be.approximately(amount, 1e-9);
    const { data: year } = await history('/p1-gas/data/year');
    sumSamples(month['gas']).should.be.approximately(year['gas']?.[10]?.[1] ?? NaN, 1e-9);
  });

  it('gives gas in m³ per hour on DSMR 4, and its reading at the full hour', async () => {
    const old = await startInterfaces({ clock, seed: 5, dsmr: 4 });
    try {
      const time = seconds('2026-03-28T23:00:00Z');
      const { data: day } = (await old.local(`/p1-gas/data/day?time=${time}`)).body as History;
      should(day['gas']).have.length(23);
      const { data: month } = (await old.local(`/p1-gas/data/month?time=${seconds('2026-02-28T23:00:00Z')}`))
        .body as History;
      sumSamples(day['gas']).should.be.approximately(month['gas']?.[2]?.[1] ?? NaN, 1e-9);
      const { data } = (await old.local('/p1/realtime')).body as Realtime;
      should(data['gas']?.[0]).equal(momentOf('2026-06-15T10:00:00Z'));
      should(data['t1']?.[0]).equal(momentOf('2026-06-15T10:30:30Z'));
    } finally {
      await old.simulator.close();
    }
  });

  it('gives water in L/min per minute and m³ per day and month', async () => {
    const time = seconds('2026-06-09T22:00:00Z');
    const { io_id, data: day } = await history(`/pulse-2/data/day?time=${time}`);
    io_id.should.equal('5');
    should(day['flow']).have.length(1440);
    const { data: month } = await history(`/pulse-2/data/month?time=${seconds('2026-05-31T22:00:00Z')}`);
    (sumSamples(day['flow']) / 1000).should.be.approximately(month['volume']?.[20]?.[1] ?? NaN, 1e-9);
  });

  it('takes the days of its own zone', async () => {
    const southern = await startInterfaces({ clock, seed: 5, timezone: 'Australia/Sydney' });
    try {
      const { data } = (await southern.local(`/p1/data/day?time=${seconds('2026-04-04T13:00:00Z')}`)).body as History;
      should(data['electric_power']).have.length(1500);
      should(data['electric_power']?.at(-1)?.[0]).equal(momentOf('2026-04-04T13:00:00Z'));
    } finally {
      await southern.simulator.close();
    }
  });

  it('takes time literally, as the start of the period that is asked for', async () => {
    const noon = seconds('2026-06-10T10:00:30Z');
    const { time, data: day } = await history(`/p1/data/day?time=${noon}`);
    time.should.equal(noon);
    times(day['electric_power']).should.have.length(1440);
    should(times(day['electric_power']).at(-1)).equal(momentOf('2026-06-10T10:00:00Z'));
    const { data: month } = await history(`/p1/data/month?time=${seconds('2026-04-15T10:00:00Z')}`);
    times(month['electric_energy']).should.have.length(30);
    should(times(month['electric_energy']).at(-1)).equal(momentOf('2026-04-14T22:00:00Z'));
    should(times(month['electric_energy'])[0]).equal(momentOf('2026-05-13T22:00:00Z'));
    const { data: year } = await history(`/p1/data/year?time=${seconds('2026-02-01T10:00:00Z')}`);
    times(year['electric_energy']).should.have.length(12);
    should(times(year['electric_energy']).at(-1)).equal(momentOf('2026-01-31T23:00:00Z'));
    should(times(year['electric_energy'])[0]).equal(momentOf('2026-12-31T23:00:00Z'));
  });

  it('has nothing from before it was in service', async () => {
    const time = seconds('2024-12-31T23:00:00Z');
    should((await history(`/p1/data/day?time=${time}`)).data).deepEqual({ electric_power: [] });
    sumSamples((await history(`/p1/data/year?time=${time}`)).data['electric_energy']).should.equal(0);
  });

  it('answers 404 for what it does not have, 400 for a time that is none, 405 for anything but GET', async () => {
    const unknown = [
      '/emucs/realtime',
      '/p1',
      '/p1/data',
      '/p1/data/week',
      '/p1/data/day/x',
      '/p1/totals',
      '/io/x',
      '/__proto__/realtime',
    ];
    for (const path of unknown) (await started.local(path)).status.should.equal(404, path);
    for (const time of ['soon', '-1', '1781519442700', '1.5', '', '99999']) {
      (await started.local(`/p1/data/day?time=${time}`)).status.should.equal(400, time);
    }
    const reply = await request(`${started.simulator.local ?? ''}/open-api/v1/`, 'POST');
    reply.status.should.equal(405);
    should(reply.headers.get('allow')).equal('GET');
    (await request(`${started.simulator.local ?? ''}/`)).status.should.equal(404);
  });

  it('has the same data for the same seed and clock', async () => {
    const twin = await startInterfaces({ clock, seed: 5 });
    try {
      for (const path of ['/', '/p1/realtime', '/p1-gas/data/day', '/s01/data/month']) {
        (await twin.local(path)).text.should.equal((await started.local(path)).text);
      }
    } finally {
      await twin.simulator.close();
    }
  });
});
