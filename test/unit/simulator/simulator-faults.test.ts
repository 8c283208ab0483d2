/** Every fault by name, on its interfaces, switched on and off while the simulator runs; counting and closing. */
import should from 'should';
import { createHook } from 'node:async_hooks';
import http from 'node:http';
import { faults as known, isFaultName, type FaultName } from '../../../src/simulator/faults';
import type { Household } from '../../../src/simulator/household';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import {
  momentOf,
  request,
  seconds,
  settableClock,
  startInterfaces,
  sumSamples,
  times,
  type Channels,
  type Sample,
  type Series,
  type Started,
} from '../../support/simulator/requests';

interface Realtime {
  data: Channels;
  totals: Channels;
}

/** 14:30 local time: after noon. */
const now = '2026-06-15T12:30:42Z';

describe('simulator: faults', () => {
  const clock = settableClock(now);
  let started: Started;

  before(async () => {
    started = await startInterfaces({ clock, seed: 5 });
  });
  afterEach(() => {
    started.simulator.faults.clear();
    clock.set(now);
  });
  after(() => started.simulator.close());

  const both = () => [started.local('/p1/realtime'), started.remote(`cemm/${started.uid()}/p1/realtime/`)];
  const on = (...names: FaultName[]) => {
    names.forEach((name) => started.simulator.faults.add(name));
  };
  const realtime = async () => (await started.local('/p1/realtime')).body as Realtime;
  const series = async (path: string) => ((await started.local(path)).body as { data: Series }).data;

  it('p1-pulled: the last values of p1 with their time, while other meters go on', async () => {
    const meter = async (alias: string) => ((await started.local(`/${alias}/realtime`)).body as Realtime).data;
    const last = [await meter('p1'), await meter('p1-gas')];
    on('p1-pulled');
    [await meter('p1'), await meter('p1-gas')].should.deepEqual(last);
    const sun = await meter('s01');
    clock.set('2026-06-15T14:30:42Z');
    [await meter('p1'), await meter('p1-gas')].should.deepEqual(last);
    (await meter('s01')).should.not.deepEqual(sun);
    started.simulator.faults.clear();
    (await meter('p1')).should.not.deepEqual(last[0]);
  });

  it('html: a page with status 200 on both interfaces', async () => {
    on('html');
    for (const reply of await Promise.all(both())) {
      reply.status.should.equal(200);
      should(reply.headers.get('content-type')).match(/^text\/html/);
      reply.text.should.startWith('<!doctype html>');
    }
  });

  it('truncated: half of the JSON with a length that fits', async () => {
    const whole = (await started.local('/p1/realtime')).text;
    on('truncated');
    for (const path of ['/p1/realtime', '/p1/data/day']) {
      await started.local(path).should.be.rejectedWith(SyntaxError);
    }
    const response = await fetch(`${started.simulator.local ?? ''}/open-api/v1/p1/realtime`);
    const text = await response.text();
    should(response.headers.get('content-length')).equal(String(text.length));
    text.should.equal(whole.slice(0, Math.ceil(whole.length / 2)));
  });

  it('reset: headers, part of the body, then the end of the connection', async () => {
    on('reset');
    for (const base of [
      `${started.simulator.local ?? ''}/open-api/v1/p1/data/day`,
      `${started.simulator.remote ?? ''}cemm/?api_key=demo`,
    ]) {
      const outcome = await new Promise<{ promised: number; received: number; error: string }>((resolve, reject) => {
        http
          .get(base, (response) => {
            let received = 0;
            response.on('data', (chunk: Buffer) => (received += chunk.length));
            response.on('error', (error: NodeJS.ErrnoException) => {
              resolve({ promised: Number(response.headers['content-length']), received, error: error.code ?? '' });
            });
            response.on('end', () => {
              reject(new Error('the whole body came'));
            });
          })
          .on('error', () => {
            // The reset may overtake earlier data.
            resolve({ promised: 1, received: 0, error: 'ECONNRESET' });
          });
      });
      outcome.error.should.equal('ECONNRESET');
      outcome.received.should.be.below(outcome.promised);
    }
  });

  it('silent: accepts the request and never answers; closing ends the connection at once', async () => {
    const own = await startSimulator({ clock, localPort: 0, since: momentOf(now), faults: ['silent'] });
    const url = `${own.local ?? ''}/open-api/v1/`;
    const failed = new Promise<NodeJS.ErrnoException>((resolve, reject) => {
      http
        .get(url, () => {
          reject(new Error('it answered'));
        })
        .on('error', resolve);
    });
    while ((own.requests.get('local /open-api/v1/') ?? 0) === 0) await new Promise((next) => setImmediate(next));
    await own.close();
    should((await failed).code).equal('ECONNRESET');
    await request(url).should.be.rejected();
  });

  it('slow: answers after three seconds', async () => {
    on('slow');
    const begin = performance.now();
    const replies = await Promise.all(both());
    (performance.now() - begin).should.be.aboveOrEqual(2990);
    replies.map(({ status }) => status).should.deepEqual([200, 200]);
  });

  it('slow: closing does not wait for what is to come and leaves no timer behind', async () => {
    const waiting = new Set<number>();
    const timers = createHook({
      init: (id, type, _trigger, resource) => {
        if (type === 'Timeout' && (resource as { _idleTimeout?: number })._idleTimeout === 3000) waiting.add(id);
      },
      destroy: (id) => waiting.delete(id),
    }).enable();
    try {
      const own = await startSimulator({ clock, localPort: 0, since: momentOf(now), faults: ['slow'] });
      const failed = new Promise<Error>((resolve) => http.get(`${own.local ?? ''}/open-api/v1/`).on('error', resolve));
      while (waiting.size === 0) await new Promise((next) => setImmediate(next));
      await own.close();
      (await failed).should.have.property('code', 'ECONNRESET');
      for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next));
      waiting.size.should.equal(0);
    } finally {
      timers.disable();
    }
  });

  it('wrong-monitor: another MAC at the address', async () => {
    on('wrong-monitor');
    const { data } = (await started.local('/')).body as { data: { mac: string } };
    data.mac.should.match(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
    data.mac.should.not.equal(started.simulator.monitors[0]?.mac);
    (await started.remote(`cemm/${started.uid()}/p1/`)).status.should.equal(200);
  });

  it('clock-off: every time is two hours earlier, in realtime and in the day', async () => {
    const { data } = await realtime();
    on('clock-off');
    const early = await realtime();
    should(early.data['t1']?.[0]).equal((data['t1']?.[0] ?? 0) - 7_200_000);
    should((await series('/p1/data/day'))['electric_power']?.[1]?.[0]).equal(momentOf('2026-06-15T10:29:00Z'));
    clock.set('2026-06-14T23:00:00Z');
    const [last] = times((await series('/p1/data/day'))['electric_power']);
    should(last).equal(momentOf('2026-06-14T21:59:00Z'));
  });

  const refusals = { forbidden: 403, timeout: 408, 'alias-unsupported': 412, 'bad-gateway': 502 } as const;
  for (const [name, status] of Object.entries(refusals) as [keyof typeof refusals, number][]) {
    it(`${name}: the remote service answers ${status}, the local monitor continues`, async () => {
      on(name);
      const [local, remote] = await Promise.all(both());
      local?.status.should.equal(200);
      remote?.status.should.equal(status);
      (await started.remote('cemm/')).status.should.equal(name === 'alias-unsupported' ? 200 : status);
      started.simulator.faults.delete(name);
      (await started.remote(`cemm/${started.uid()}/p1/realtime/`)).status.should.equal(200);
    });
  }

  it('promise-forever: 202 however long one waits, with a new promise every 10 seconds', async () => {
    let time = 0;
    const own = await startInterfaces({ clock, faults: ['promise-forever'], monotonic: () => time });
    try {
      const promises: unknown[] = [];
      for (time = 0; time < 60_000; time += 5000) {
        const reply = await own.remote('cemm/');
        reply.status.should.equal(202);
        promises.push((reply.body as { promise: unknown }).promise);
      }
      new Set(promises).size.should.equal(6);
      own.simulator.faults.delete('promise-forever');
      (await own.remote('cemm/')).status.should.equal(200);
    } finally {
      await own.simulator.close();
    }
  });

  it('no-io: the local monitor has no I/O list, but meters', async () => {
    on('no-io');
    (await started.local('/io')).status.should.equal(404);
    (await started.local('/p1/realtime')).status.should.equal(200);
    (await started.remote(`cemm/${started.uid()}/io/`)).status.should.equal(200);
  });

  it('meter-reset: registers start again at zero at noon, days keep their amounts', async () => {
    const amounts = (await series('/p1/data/month'))['electric_energy_high'];
    const before = await realtime();
    on('meter-reset');
    const after = await realtime();
    should(before.data['t1']?.[1]).be.above(100);
    should(after.data['t1']?.[1]).equal(0);
    should(after.totals['t4']?.[1]).be.within(0, 30);
    should((await series('/p1/data/month'))['electric_energy_high']).deepEqual(amounts);
    clock.set('2026-06-15T09:59:00Z');
    should((await realtime()).data['t1']?.[1]).be.above(100);
  });

  it('stuck-register: readings stand still since midnight although power flows', async () => {
    on('stuck-register');
    const first = await realtime();
    clock.set('2026-06-15T14:00:00Z');
    const later = await realtime();
    for (const channel of ['t1', 't2', 't3', 't4']) {
      should(later.data[channel]?.[1]).equal(first.data[channel]?.[1]);
      should(later.data[channel]?.[0]).be.above(first.data[channel]?.[0] ?? NaN);
    }
    should(later.data['electric_power']?.[1]).not.equal(0);
    const month = await series('/p1/data/month');
    should(month['electric_energy_high']?.[15]).deepEqual([momentOf('2026-06-14T22:00:00Z'), 0]);
    should(month['electric_energy_high']?.[18]?.[1]).not.equal(0);
  });

  it('missing-minutes: the same gaps at every request, the rest as it was', async () => {
    const path = `/p1/data/day?time=${seconds('2026-06-10T12:00:00Z')}`;
    const whole = (await series(path))['electric_power'] ?? [];
    on('missing-minutes');
    const some = (await series(path))['electric_power'] ?? [];
    some.length.should.be.within(1300, 1420);
    some.filter(([time, value]) => !whole.some(([t, v]) => t === time && v === value)).should.be.empty();
    should((await series(path))['electric_power']).deepEqual(some);
    sumSamples(some).should.not.equal(sumSamples(whole));
  });

  it('mostly-missing: minutes in the morning and at noon, on every interface', async () => {
    on('mostly-missing');
    const { electric_power = [] } = await series(`/p1/data/day?time=${seconds('2026-06-09T22:00:00Z')}`);
    times(electric_power)
      .toReversed()
      .map((time) => new Date(time).toISOString().slice(11, 16))
      .should.deepEqual([
        ...['06:00', '06:01', '06:02', '06:03', '06:04', '06:05', '06:06', '06:07', '06:08', '06:09'],
        ...['10:00', '10:01', '10:02', '10:03', '10:04'],
      ]);
    const { gas = [] } = await series(`/p1-gas/data/day?time=${seconds('2026-06-09T22:00:00Z')}`);
    times(gas).should.deepEqual(['2026-06-10T10:00:00Z', '2026-06-10T06:05:00Z', '2026-06-10T06:00:00Z'].map(momentOf));
  });

  it('utc-days: the local monitor answers the UTC day or month that holds the time', async () => {
    on('utc-days');
    const { electric_power = [] } = await series(`/p1/data/day?time=${seconds('2026-06-09T22:00:00Z')}`);
    electric_power.should.have.length(1440);
    should(times(electric_power).at(-1)).equal(momentOf('2026-06-09T00:00:00Z'));
    const { electric_energy = [] } = await series(`/p1/data/month?time=${seconds('2026-05-31T22:00:00Z')}`);
    times(electric_energy).should.have.length(31);
    should(times(electric_energy).at(-1)).equal(momentOf('2026-05-01T00:00:00Z'));
  });

  it('volume-counter: gas and water as the counter shows it, electricity as it was used', async () => {
    const household = started.simulator.monitors[0]?.household as Household;
    const month = seconds('2026-05-31T22:00:00Z');
    const path = `/p1/data/month?time=${month}`;
    const energy = await series(path);
    on('volume-counter');
    (await series(path)).should.deepEqual(energy);
    const { gas = [] } = await series(`/p1-gas/data/month?time=${month}`);
    should(gas.at(-1)).deepEqual([month * 1000, household.registers(millis(month * 1000)).gasM3]);
    should(gas[0]).deepEqual([momentOf('2026-06-29T22:00:00Z'), 0]);
    const { volume = [] } = await series(`/pulse-2/data/month?time=${month}`);
    should(volume.at(-1)?.[1]).be.above(100);
    const { gas: day = [] } = await series(`/p1-gas/data/day?time=${seconds('2026-06-09T22:00:00Z')}`);
    should(day.at(-1)).deepEqual([
      momentOf('2026-06-09T22:00:00Z'),
      household.registers(momentOf('2026-06-09T22:00:00Z')).gasM3,
    ]);
  });

  it('old-readings: readings of 20:00 yesterday on both interfaces, powers of now', async () => {
    on('old-readings');
    const evening = momentOf('2026-06-14T18:00:00Z');
    const { data, totals } = await realtime();
    for (const reading of [data['t1'], data['gas'], totals['t4'], totals['electric_energy']]) {
      should(reading?.[0]).equal(evening);
    }
    should(data['electric_power']?.[0]).be.above(momentOf('2026-06-15T12:00:00Z'));
    const { body } = await started.remote(`cemm/${started.uid()}/p1/totals/?time=${seconds(now)}`);
    should((body as { data: Channels }).data['t2']?.[0]).equal(evening);
  });

  it('lagging-meter: readings of every eleven minutes on both interfaces, powers of now', async () => {
    on('lagging-meter');
    const { data } = await realtime();
    const midnight = momentOf('2026-06-14T22:00:00Z');
    const shown = data['t1']?.[0] ?? NaN;
    shown.should.be.within((data['electric_power']?.[0] ?? NaN) - 11 * 60_000, data['electric_power']?.[0] ?? NaN);
    should((shown - midnight) % (11 * 60_000)).equal(0);
    const { body } = await started.remote(`cemm/${started.uid()}/p1/totals/?time=${seconds('2026-06-10T12:00:00Z')}`);
    should((body as { data: Channels }).data['t2']?.[0]).equal(momentOf('2026-06-10T21:50:00Z'));
  });

  it('totals-of-today: readings of today for every day that is asked for', async () => {
    const ask = async (time: string) =>
      (await started.remote(`cemm/${started.uid()}/p1/totals/?time=${seconds(time)}`)).body as { time: number };
    const today = await ask(now);
    should((await ask('2026-06-10T12:00:00Z')).time).not.equal(today.time);
    on('totals-of-today');
    for (const time of ['2026-06-10T12:00:00Z', '2031-01-01T12:00:00Z']) should(await ask(time)).deepEqual(today);
  });

  it('single-counter: production meters count all in t1 and offer no second tariff', async () => {
    const ask = async () => (await started.local('/s01/realtime')).body as Realtime;
    const { totals: split } = await ask();
    const month = await series('/s01/data/month');
    on('single-counter');
    for (const alias of ['s01', 'mb5']) {
      const { data, totals } = (await started.local(`/${alias}/realtime`)).body as Realtime;
      Object.keys({ ...data, ...totals })
        .sort()
        .should.deepEqual(['electric_energy', 'electric_power', 't1', 't3']);
    }
    const valueOf = (channel: string) => split[channel]?.[1] ?? NaN;
    should((await ask()).totals['t1']?.[1]).be.approximately(valueOf('t1') + valueOf('t2'), 1e-6);
    const single = await series('/s01/data/month');
    Object.keys(single).should.deepEqual(['electric_energy']);
    sumSamples(single['electric_energy']).should.be.approximately(
      sumSamples(month['electric_energy']) + sumSamples(month['electric_energy_high']),
      1e-3,
    );
    const { body } = await started.remote(`cemm/${started.uid()}/s01/totals/`);
    Object.keys((body as { data: Channels }).data).should.deepEqual(['electric_energy']);
    Object.keys((await realtime()).data).should.containEql('t2');
  });

  for (const [fault, change] of [
    ['text-numbers', String],
    ['null-values', () => null],
  ] as const) {
    it(`${fault}: values of realtime, totals and series, with their times`, async () => {
      const changed = ([time, value]: Sample): unknown[] => [
        time,
        time === 0 || value === null ? value : change(value),
      ];
      const before = { realtime: await realtime(), day: await series('/p1/data/day') };
      on(fault);
      const after = { realtime: await realtime(), day: await series('/p1/data/day') };
      for (const member of ['data', 'totals'] as const) {
        should(Object.values(after.realtime[member])).deepEqual(Object.values(before.realtime[member]).map(changed));
      }
      should(after.day['electric_power']).deepEqual(before.day['electric_power']?.map(changed));
      const { body } = await started.remote(`cemm/${started.uid()}/p1/realtime/`);
      should((body as { data: Channels }).data['switch']).deepEqual([0, 0]);
    });
  }

  it('switch-on: a value with the time 0', async () => {
    on('switch-on');
    const { body } = await started.remote(`cemm/${started.uid()}/p1/realtime/`);
    should((body as { data: Channels }).data['switch']).deepEqual([0, 1]);
  });

  it('pulse-gas: a gas meter of its own, listed first, at s02 over remote and pulse-3 on the monitor', async () => {
    const ofMonitor = `cemm/${started.uid()}`;
    (await started.remote(`${ofMonitor}/s02/`)).status.should.equal(412);
    on('pulse-gas');
    const list = ((await started.remote(`${ofMonitor}/io/`)).body as { data: Record<string, unknown>[] }).data;
    list
      .map((io) => [io['io_id'], io['type'], io['port_option']])
      .should.deepEqual([
        [4, 'gas', 's0_in'],
        [1, 'p1', 'p1_in'],
        [2, 'gas', 'enabled'],
        [3, 'solar_energy', 's0_in'],
        [6, 'solar_energy', 'enabled'],
        [5, 'water', 's0_in'],
      ]);
    should((await started.remote(`${ofMonitor}/s02/`)).body).deepEqual({ data: [list[0]] });
    const remote = (await started.remote(`${ofMonitor}/s02/realtime/`)).body as Realtime;
    const local = (await started.local('/pulse-3/realtime')).body as Realtime;
    should(remote.data['volume']?.[1]).be.approximately(local.totals['volume']?.[1] ?? NaN, 0.1);
    const gas = ((await started.remote(`${ofMonitor}/p1-gas/realtime/`)).body as Realtime).data['gas']?.[1] ?? NaN;
    should(remote.data['volume']?.[1]).be.approximately(gas / 2, 0.1);
    for (const unit of ['day', 'month', 'year']) {
      const path = `data/${unit}?time=${seconds('2026-06-10T12:00:00Z')}`;
      const reply = (await started.remote(`${ofMonitor}/s02/${path}`)).body as { io_id: number; data: Series };
      should(reply.io_id).equal(4);
      should(sumSamples(Object.values(reply.data)[0])).be.above(0);
    }
    const totals = `s02/totals?time=${seconds('2026-06-10T12:00:00Z')}`;
    should(((await started.remote(`${ofMonitor}/${totals}`)).body as Realtime).data['volume']?.[1]).be.above(0);
  });

  it('no-p1-gas: no gas at the smart meter', async () => {
    on('no-p1-gas');
    const ofMonitor = `cemm/${started.uid()}`;
    (await started.remote(`${ofMonitor}/p1-gas/realtime/`)).status.should.equal(412);
    (await started.local('/p1-gas/realtime')).status.should.equal(404);
    should((await realtime()).data['gas']).deepEqual([0, 0]);
    const list = ((await started.local('/io')).body as { data: { alias: string }[] }).data;
    list.map(({ alias }) => alias).should.deepEqual(['p1', 's01', 'mb5', 'pulse-2']);
  });

  it('monitor-forbidden: 403 for the last monitor of the key and no other, though the list has it', async () => {
    const two = await startInterfaces({ clock, monitors: 2 });
    try {
      two.simulator.faults.add('monitor-forbidden');
      const statuses = await Promise.all(
        ['', `${two.uid(0)}/io/`, `${two.uid(1)}/io/`, `${two.uid(1)}/p1/realtime/`].map(
          async (path) => (await two.remote(`cemm/${path}`)).status,
        ),
      );
      statuses.should.deepEqual([200, 200, 403, 403]);
    } finally {
      await two.simulator.close();
    }
  });

  it('has its Modbus meter at the address that is asked for', async () => {
    const other = await startInterfaces({ clock, modbus: 20 });
    try {
      (await other.local('/mb20/realtime')).status.should.equal(200);
      (await other.local('/mb5/realtime')).status.should.equal(404);
      should((await other.local('/io')).text).containEql('"mb20"');
    } finally {
      await other.simulator.close();
    }
  });

  it('combines faults', async () => {
    on('forbidden', 'truncated');
    const response = await fetch(`${started.simulator.remote ?? ''}cemm/?api_key=demo`);
    response.status.should.equal(403);
    await response.json().should.be.rejected();
  });

  it('knows exactly the faults of its list', () => {
    Object.keys(known).every(isFaultName).should.be.true();
    isFaultName('toString').should.be.false();
  });

  it('counts requests by interface and path and logs each without the key', async () => {
    const own: Readonly<Record<string, unknown>>[] = [];
    const other = await startInterfaces({ clock, apiKey: 'geheim', log: (line) => own.push(line) });
    try {
      await other.local('/p1/realtime');
      await other.local('/p1/realtime/');
      await other.remote(`cemm/${other.uid()}/p1/totals?time=1781519442`);
      should(other.simulator.requests.get('local /open-api/v1/p1/realtime/')).equal(2);
      const path = `/v1/cemm/${other.uid()}/p1/totals/`;
      should(other.simulator.requests.get(`remote ${path}`)).equal(1);
      // A line is written when the connection has finished, possibly after the client has the response.
      while (own.length < 3) await new Promise((next) => setImmediate(next));
      should(own[2]).containEql({ interface: 'remote', method: 'GET', path: `${path}?time=1781519442`, status: 200 });
      should(own[2]?.['ms']).be.a.Number();
      JSON.stringify(own).should.not.containEql('geheim');
    } finally {
      await other.simulator.close();
    }
  });

  it('serves only the interfaces that are asked for, frees its ports, and refuses a port that is taken', async () => {
    const first = await startSimulator({ clock, localPort: 0, since: momentOf(now) });
    should(first.remote).be.null();
    should(first.udp).be.null();
    const port = Number(new URL(first.local ?? '').port);
    await startSimulator({ clock, localPort: port, remotePort: 0, since: momentOf(now) }).should.be.rejectedWith({
      code: 'EADDRINUSE',
    });
    await first.close();
    const second = await startSimulator({ clock, localPort: port, since: momentOf(now) });
    (await request(`${second.local ?? ''}/open-api/v1/`)).status.should.equal(200);
    await second.close();
    await second.close();
  });
});
