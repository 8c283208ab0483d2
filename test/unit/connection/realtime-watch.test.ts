/** Realtime readings of one listener, with a fake client and a fake clock. */
import should from 'should';
import type { CemmError } from '../../../src/errors';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import { connectTo } from '../../support/clients/in-process';
import type { RealtimeListener, RealtimeTarget } from '../../../src/connection/connection';
import type { MonitorRequest } from '../../../src/clients/client';
import type { AvailabilityPayload, RealtimePayload } from '../../../src/model/payload';
import type { IoRecord, Measurement } from '../../../src/protocol/responses';
import { minuteMs, type Millis } from '../../../src/time/units';
import {
  FakeClient,
  MONITOR,
  OTHER,
  failure,
  healthy,
  io,
  monitorRecord,
  type Value,
} from '../../support/clients/fake-client';
import { FakeClock, settle } from '../../support/time/fake-clock';

const p1: RealtimeTarget = { monitor: null, alias: 'p1', role: 'auto' };
const allMeters: RealtimeTarget = { monitor: null, alias: null, role: 'auto' };

class Listener implements RealtimeListener {
  readonly readings: RealtimePayload[] = [];
  readonly availability: AvailabilityPayload[] = [];
  readonly errors: CemmError[] = [];

  onReading(payload: RealtimePayload): void {
    this.readings.push(payload);
  }

  onAvailability(payload: AvailabilityPayload): void {
    this.availability.push(payload);
  }

  onError(error: CemmError): void {
    this.errors.push(error);
  }

  get told(): string[] {
    return this.availability.map(({ state, reason, meter }) => [state, reason, meter?.alias].filter(Boolean).join(' '));
  }

  get aliases(): string[] {
    return [...new Set(this.readings.map(({ meter }) => meter.alias ?? ''))].sort();
  }
}

type Override = (request: MonitorRequest) => Value | CemmError | undefined;

function start(transport: 'remote' | 'local' = 'remote') {
  const clock = new FakeClock();
  const client = new FakeClient(clock, transport);
  const answers = healthy(clock);
  const state: { override: Override; meters: IoRecord[] } = { override: () => undefined, meters: [io(1, 'p1', 'p1')] };
  client.script = (request) => state.override(request) ?? (request.kind === 'meters' ? state.meters : answers(request));
  const connection = connectTo({ client, clock, place: () => 0.55, host: '192.0.2.7' });
  const watch = (target: RealtimeTarget, intervalMs = 10_000) => {
    const listener = new Listener();
    return { listener, stop: connection.watchRealtime(target, intervalMs, listener) };
  };
  return { clock, client, connection, state, watch };
}

const realtimeFails =
  (code: Parameters<typeof failure>[0], alias?: string): Override =>
  (request) =>
    request.kind === 'realtime' && (alias === undefined || request.alias === alias) ? failure(code) : undefined;

describe('connection: watching realtime', () => {
  it('reads at once and at every interval, and stops when told', async () => {
    const { clock, client, watch } = start();
    const { listener, stop } = watch(p1);
    await settle();
    listener.readings.length.should.equal(1);
    should(listener.readings[0]?.meter).containEql({ alias: 'p1', role: 'grid', ioId: 1 });
    should(listener.readings[0]?.monitor).deepEqual({ id: MONITOR, name: 'Home', host: '192.0.2.7' });
    await clock.advance(60_000);
    listener.readings.length.should.equal(6);
    stop();
    clock.timerCount.should.equal(0);
    const calls = client.calls.length;
    await clock.advance(60_000);
    client.calls.length.should.equal(calls);
    listener.readings.length.should.equal(6);
  });

  it('requests the list of meters every ten minutes, and the list of monitors once', async () => {
    const { clock, client, watch } = start();
    watch(p1);
    await clock.advance(65 * minuteMs);
    client.count('monitors').should.equal(1);
    client.count('meters').should.equal(7);
  });

  it('spreads many local monitors over the interval, although their requests are equal', async () => {
    const moments = new Map<number, number>();
    for (let index = 0; index < 100; index++) {
      const clock = new FakeClock();
      const client = new FakeClient(clock, 'local');
      client.script = healthy(clock);
      const host = `192.0.2.${index}`;
      const parts = { client, timezone: 'Europe/Amsterdam', deadlineMs: 25_000, clock, random: () => 0.5, host };
      const connection = createOpenApiConnection({ ...parts, transport: 'local' });
      const listener = new Listener();
      connection.watchRealtime(p1, 10_000, listener);
      await clock.advance(20_000);
      const second = Math.floor(((listener.readings.at(-1)?.source.fetchedAt ?? NaN) % 10_000) / 1000);
      moments.set(second, (moments.get(second) ?? 0) + 1);
      await connection.close();
    }
    moments.size.should.equal(10);
    // A uniform distribution has ten each.
    Math.max(...moments.values()).should.be.below(25);
  });

  it('refuses an invalid interval', () => {
    const { watch } = start();
    (() => watch(p1, 0)).should.throw({ code: 'CONFIG', reason: 'interval' });
  });

  it('LA14: sends one request per interval for fifty nodes, and gives each its own object', async () => {
    const { clock, client, watch } = start();
    const all = Array.from({ length: 50 }, () => watch(p1).listener);
    await clock.advance(60_000);
    client.count('realtime').should.equal(6);
    client.count('monitors').should.equal(1);
    client.count('meters').should.equal(1);
    for (const { readings } of all) readings.length.should.equal(6);
    const firsts = all.flatMap(({ readings }) => readings.slice(0, 1));
    new Set(firsts).size.should.equal(50);
    const [mine, yours] = firsts;
    if (mine === undefined || yours === undefined) throw new Error('no reading');
    mine.values.power_w = -1;
    mine.meter.role = null;
    should(yours.values.power_w).equal(100);
    should(yours.meter.role).equal('grid');
  });

  it('gives each node the role that it asked for, from the same request', async () => {
    const { client, watch } = start();
    const grid = watch(p1).listener;
    const production = watch({ ...p1, role: 'production' }).listener;
    await settle();
    client.count('realtime').should.equal(1);
    should(grid.readings[0]?.values).have.property('power_import_w', 100);
    should(production.readings[0]?.values).have.property('power_production_w', 100);
  });

  it('CL10: reports an outage once and the recovery once, with the error once', async () => {
    const { clock, state, watch } = start();
    const { listener } = watch(p1);
    await clock.advance(30_000);
    state.override = realtimeFails('NETWORK');
    await clock.advance(60 * minuteMs);
    listener.told.should.deepEqual(['offline NETWORK p1']);
    listener.errors.map(({ code }) => code).should.deepEqual(['NETWORK']);
    const [offline] = listener.availability;
    should(offline?.failures).equal(3);
    should(offline?.nextRetryMs).be.within(1_000, 20_000);
    state.override = () => undefined;
    const readings = listener.readings.length;
    await clock.advance(5 * minuteMs + 1_000);
    listener.told.should.deepEqual(['offline NETWORK p1', 'online p1']);
    listener.readings.length.should.be.above(readings);
    listener.errors.length.should.equal(1);
    should(listener.availability[1]).containEql({ reason: null, nextRetryMs: null });
  });

  describe('a grid meter without new power', () => {
    const pulled = (at: number, alias = 'p1'): Override => {
      const measured = (value: number): Measurement => ({ time: at as Millis, value, flaw: null });
      return (request) =>
        request.kind === 'realtime' && request.alias === alias
          ? { ioId: 1, data: new Map([['electric_power', measured(1550)]]), totals: null }
          : undefined;
    };

    it('is stale after three intervals and a minute, since its last power, and online with the next one', async () => {
      const { clock, state, watch } = start();
      const { listener } = watch(p1);
      await clock.advance(30_000);
      const last = clock.now();
      state.override = pulled(last);
      await clock.advance(60_000);
      listener.told.should.deepEqual([]);
      await clock.advance(20_000);
      listener.told.should.deepEqual(['stale stale p1']);
      should(listener.availability[0]).containEql({ since: last, ts: last, failures: 0, nextRetryMs: null });
      listener.errors.should.deepEqual([]);
      await clock.advance(60 * minuteMs);
      listener.told.length.should.equal(1);
      state.override = () => undefined;
      await clock.advance(10_000);
      listener.told.should.deepEqual(['stale stale p1', 'online p1']);
    });

    it('is stale at once where the first power is old already', async () => {
      const { clock, state, watch } = start();
      state.override = pulled(clock.now() - 7_200_000);
      const { listener } = watch(p1, 60_000);
      await clock.advance(1000);
      should(listener.availability[0]).containEql({ state: 'stale', since: clock.now() - 1000 - 7_200_000 });
    });

    it('is said again after an outage, and not of a meter of another role', async () => {
      const { clock, state, watch } = start();
      state.meters = [io(1, 'p1', 'p1'), io(3, 'solar_energy', 's01')];
      state.override = pulled(clock.now());
      const { listener } = watch(p1);
      await clock.advance(2 * minuteMs);
      state.override = realtimeFails('NETWORK');
      await clock.advance(10 * minuteMs);
      state.override = pulled(clock.now() - 12 * minuteMs);
      await clock.advance(10 * minuteMs);
      listener.told.should.deepEqual(['stale stale p1', 'offline NETWORK p1', 'online p1', 'stale stale p1']);
      state.override = pulled(clock.now(), 's01');
      const sun = watch({ monitor: null, alias: 's01', role: 'auto' });
      await clock.advance(60 * minuteMs);
      sun.listener.told.should.deepEqual([]);
      sun.listener.readings.length.should.be.above(300);
    });
  });

  it('does not report single failed polls', async () => {
    const { clock, client, state, watch } = start();
    let polls = 0;
    state.override = ({ kind }) => {
      if (kind !== 'realtime') return undefined;
      polls += 1;
      // Two failures in a row, then five responses.
      return polls % 7 < 2 ? failure('UPSTREAM_TIMEOUT') : undefined;
    };
    const { listener } = watch(p1);
    await clock.advance(60 * minuteMs);
    client.count('realtime').should.be.above(300);
    listener.told.should.deepEqual([]);
    listener.errors.should.deepEqual([]);
  });

  it('reports a flapping monitor at most once in 15 minutes', async () => {
    const { clock, state, watch } = start();
    const { listener } = watch(p1);
    for (let minute = 0; minute < 24 * 60; minute += 2) {
      state.override = realtimeFails('MONITOR_OFFLINE');
      await clock.advance(minuteMs);
      state.override = () => undefined;
      await clock.advance(minuteMs);
    }
    const offline = listener.availability.filter(({ state: now }) => now === 'offline').length;
    offline.should.be.within(1, 96);
    listener.errors.length.should.equal(offline);
  });

  it('RA5: reports AUTH at once and sends no more requests with a refused key', async () => {
    const { clock, client, state, watch } = start();
    const { listener } = watch(p1);
    await clock.advance(30_000);
    state.override = () => failure('AUTH');
    await clock.advance(10_000);
    listener.told.should.deepEqual(['offline AUTH p1']);
    listener.errors.length.should.equal(1);
    // The list of monitors has shown that the key is refused.
    client.calls
      .slice(-2)
      .map(({ request }) => request.kind)
      .should.deepEqual(['realtime', 'monitors']);
    const calls = client.calls.length;
    await clock.advance(24 * 60 * minuteMs);
    client.calls.length.should.equal(calls);
    listener.errors.length.should.equal(1);
  });

  it('CL15: reports an internal error while reading a response, and stops polling that meter', async () => {
    const { clock, client, state, watch } = start();
    state.meters = [io(1, 'p1', 'p1'), io(3, 'solar_energy', 's01')];
    const broken = new Proxy(new Map<string, Measurement>(), {
      get: () => {
        throw new TypeError('https://host/?api_key=canary');
      },
    });
    state.override = (request) =>
      request.kind === 'realtime' && request.alias === 's01' ? { ioId: 3, data: broken, totals: null } : undefined;
    const { listener } = watch(allMeters);
    await clock.advance(30 * minuteMs);
    listener.told.should.deepEqual(['offline UNSUPPORTED s01']);
    const [error] = listener.errors;
    should(error?.params.kind).equal('TypeError');
    should(error?.message).not.containEql('canary');
    client.count('realtime', 's01').should.equal(1);
    listener.aliases.should.deepEqual(['p1']);
  });

  it('continues when a request by a user succeeds with the key', async () => {
    const { clock, connection, state, watch } = start();
    state.override = () => failure('AUTH');
    const { listener } = watch(p1);
    await clock.advance(30 * minuteMs);
    listener.told.should.deepEqual(['offline AUTH p1']);
    state.override = () => undefined;
    await connection.listMonitors({ signal: new AbortController().signal });
    await clock.advance(15_000);
    listener.told.should.deepEqual(['offline AUTH p1', 'online p1']);
    listener.readings.length.should.be.above(0);
  });

  it('reports that a monitor must be selected, and starts when there is only one', async () => {
    const { clock, state, watch } = start();
    state.override = ({ kind }) => (kind === 'monitors' ? [monitorRecord(MONITOR), monitorRecord(OTHER)] : undefined);
    const { listener } = watch(p1);
    await clock.advance(60 * minuteMs);
    listener.errors.map(({ reason }) => reason).should.deepEqual(['several_monitors']);
    listener.told.should.deepEqual(['offline INPUT p1']);
    state.override = () => undefined;
    await clock.advance(15 * minuteMs);
    listener.readings.length.should.be.above(0);
    listener.told.at(-1)?.should.equal('online p1');
  });

  it('starts when the monitor answers, after an outage at the start', async () => {
    const { clock, state, watch } = start('local');
    state.override = () => failure('NETWORK');
    const { listener } = watch(allMeters);
    await clock.advance(30 * minuteMs);
    listener.told.should.deepEqual(['offline NETWORK']);
    should(listener.availability[0]?.monitor).deepEqual({ id: null, host: '192.0.2.7' });
    state.override = () => undefined;
    await clock.advance(5 * minuteMs + 2_000);
    listener.told.should.deepEqual(['offline NETWORK', 'online']);
    should(listener.availability[1]?.monitor.id).equal(MONITOR);
    listener.readings.length.should.be.above(0);
  });
});

describe('connection: watching all meters', () => {
  const house = [io(1, 'p1', 'p1'), io(2, 'gas', 'p1-gas'), io(3, 'solar_energy', 's01')];

  it('reads each of them', async () => {
    const { clock, state, watch } = start();
    state.meters = house;
    const { listener } = watch(allMeters);
    await clock.advance(30_000);
    listener.aliases.should.deepEqual(['p1', 'p1-gas', 's01']);
    listener.readings.length.should.equal(9);
  });

  it('adds a new meter and stops a removed one within ten minutes', async () => {
    const { clock, client, state, watch } = start();
    state.meters = house;
    const { listener } = watch(allMeters);
    await clock.advance(minuteMs);
    state.meters = [...house.slice(0, 2), io(4, 'water', 's02')];
    await clock.advance(11 * minuteMs);
    listener.aliases.should.containEql('s02');
    listener.readings.length = 0;
    const asked = client.count('realtime', 's01');
    await clock.advance(minuteMs);
    listener.aliases.should.deepEqual(['p1', 'p1-gas', 's02']);
    client.count('realtime', 's01').should.equal(asked);
    listener.told.should.deepEqual([]);
  });

  it('reports one outage of the monitor when none of its meters answers', async () => {
    const { clock, state, watch } = start();
    state.meters = house;
    const { listener } = watch(allMeters);
    await clock.advance(minuteMs);
    state.override = () => failure('MONITOR_OFFLINE');
    await clock.advance(60 * minuteMs);
    listener.told.should.deepEqual(['offline MONITOR_OFFLINE']);
    listener.errors.length.should.equal(1);
    state.override = () => undefined;
    await clock.advance(6 * minuteMs);
    listener.told.should.deepEqual(['offline MONITOR_OFFLINE', 'online']);
    listener.readings.length = 0;
    await clock.advance(20_000);
    listener.aliases.should.deepEqual(['p1', 'p1-gas', 's01']);
  });

  it('continues with the others when one meter is refused or offline', async () => {
    const { clock, client, state, watch } = start();
    state.meters = house;
    const gas = realtimeFails('ALIAS', 'p1-gas');
    const solar = realtimeFails('UPSTREAM', 's01');
    state.override = (request) => gas(request) ?? solar(request);
    const { listener } = watch(allMeters);
    await clock.advance(30 * minuteMs);
    listener.aliases.should.deepEqual(['p1']);
    listener.told.should.deepEqual(['offline ALIAS p1-gas', 'offline UPSTREAM s01']);
    client.count('realtime', 'p1-gas').should.equal(1);
    should(listener.readings.length).equal(180);
  });

  it('reports that there are no meters, and reads when there are', async () => {
    const { clock, state, watch } = start();
    state.meters = [];
    const { listener } = watch(allMeters);
    await clock.advance(60 * minuteMs);
    listener.errors.map(({ reason }) => reason).should.deepEqual(['no_meters']);
    state.meters = house;
    await clock.advance(11 * minuteMs);
    listener.aliases.should.deepEqual(['p1', 'p1-gas', 's01']);
  });

  it('retries the alias of a remote meter soon after a failure', async () => {
    const { clock, state, watch } = start();
    state.meters = [io(1, 'p1'), io(3, 'solar_energy')];
    let down = true;
    state.override = (request) => {
      if (request.kind !== 'meter') return undefined;
      if (down) return failure('MONITOR_OFFLINE');
      return request.alias === 's01' ? [io(3, 'solar_energy')] : failure('ALIAS');
    };
    const { listener } = watch(allMeters);
    await clock.advance(2_000);
    listener.aliases.should.deepEqual(['p1']);
    down = false;
    await clock.advance(minuteMs);
    listener.aliases.should.deepEqual(['p1', 's01']);
    should(listener.readings.find(({ meter }) => meter.alias === 's01')?.meter.role).equal('production');
  });

  it('reports an outage when no alias can be requested', async () => {
    const { clock, state, watch } = start();
    state.meters = [io(2, 'gas'), io(3, 'solar_energy')];
    state.override = ({ kind }) => (kind === 'meter' ? failure('UPSTREAM') : undefined);
    const { listener } = watch(allMeters);
    await clock.advance(30 * minuteMs);
    listener.told.should.deepEqual(['offline UPSTREAM']);
    state.override = (request) =>
      request.kind !== 'meter' ? undefined : request.alias === 's01' ? [io(3, 'solar_energy')] : failure('ALIAS');
    await clock.advance(10 * minuteMs);
    listener.aliases.should.deepEqual(['s01']);
  });

  it('leaves no timer when it closes during the search for an alias', async () => {
    const { clock, connection, state, watch } = start();
    state.meters = [io(3, 'solar_energy')];
    state.override = ({ kind }) => (kind === 'meter' ? failure('MONITOR_OFFLINE') : undefined);
    watch(allMeters);
    await clock.advance(500);
    clock.timerCount.should.be.above(0);
    await connection.close();
    clock.timerCount.should.equal(0);
  });
});
