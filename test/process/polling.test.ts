/**
 * Nodes over several minutes: polls, outages, refusals, and the pauses between requests to a device. Node-RED and simulators
 * have a clock that runs five times as fast.
 */
import should from 'should';
import type { AvailabilityPayload, MeterPayload, RealtimePayload } from '../../src/model/payload';
import { flowPerTest } from '../support/node-red/flow-per-test';
import { millis } from '../../src/time/units';
import { fiveTimesAsFast } from '../support/time/fast-clock';
import { freePort, type CollectedMessage } from '../support/node-red/node-red';
import {
  asking,
  errorOf,
  localConnection,
  remoteConnection,
  requestsTo,
  trigger,
} from '../support/node-red/remote-flow';
import { until } from '../support/until';

const weekMs = 7 * 86_400_000;
const local = { connection: 'local-connection' };

describe('nodes that poll', function () {
  this.timeout(240_000);
  const { clock, env } = fiveTimesAsFast();
  const { simulate, deploy, fire, next, soFar } = flowPerTest(() => ({ clock, since: millis(clock.now() - weekMs) }), {
    env,
  });

  const readings = (messages: readonly CollectedMessage[]) => messages.map(({ payload }) => payload as RealtimePayload);

  it('LA1: report an outage once and the recovery once, and continue', async () => {
    const localPort = await freePort();
    const simulator = await simulate({ localPort });
    await deploy([localConnection(simulator), asking('realtime', 'polls', { ...local, interval: 5 })]);
    await next('out');
    await simulator.close();
    const states = (messages: readonly CollectedMessage[]) =>
      messages.map(({ payload }) => {
        const { state, reason } = payload as AvailabilityPayload;
        return { state, reason };
      });
    states(await next('availability')).should.eql([{ state: 'offline', reason: 'NETWORK' }]);
    await simulate({ localPort });
    states(await next('availability', 2)).should.eql([
      { state: 'offline', reason: 'NETWORK' },
      { state: 'online', reason: null },
    ]);
    const before = (await soFar('out')).length;
    await next('out', before + 1);
    (await soFar('caught')).should.have.length(1);
  });

  it('RA34: poll a monitor while its key is refused for another one, and poll that one rarely', async () => {
    const simulator = await simulate({ faults: ['monitor-forbidden'], monitors: 2 });
    const [own = '', other = ''] = simulator.monitors.map(({ mac }) => mac.replaceAll(':', '').toLowerCase());
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'own', { monitor: own, alias: '', interval: 10 }),
      asking('realtime', 'other', { monitor: other, alias: '', interval: 10 }),
      asking('series', 'other-series', { monitor: other, interval: 10 }),
    ]);
    const toOther = () => requestsTo(simulator, simulator.monitors[1]?.mac.replaceAll(':', '-') ?? '?');
    // Two refusals are reported: one of the poll, and one of the series.
    const caught = await next('caught', 2);
    caught.map((message) => errorOf(message).code).should.deepEqual(['AUTH', 'AUTH']);
    const refused = toOther();
    const aliases = new Set(['p1', 'p1-gas', 's01']);
    // Three rounds later all meters were read, and the other monitor got no requests.
    const messages = readings(await next('out', (await soFar('out')).length + 3 * aliases.size));
    messages.every(({ monitor }) => monitor.id === own).should.be.true();
    new Set(messages.map(({ meter }) => meter.alias)).should.deepEqual(aliases);
    toOther().should.equal(refused);
    (await soFar('caught')).should.have.length(2);
  });

  it('RA35: send one more request for a message after a 412, and poll again after a success', async () => {
    const simulator = await simulate({ faults: ['alias-unsupported'] });
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'polls', { interval: 10 }),
      asking('realtime', 'asked', { wires: [[], []] }),
      trigger('go', ['asked']),
    ]);
    const asked = () => requestsTo(simulator, '/p1/realtime');
    await next('caught');
    asked().should.equal(1);
    await fire('go');
    const caught = await next('caught', 2);
    caught.map((message) => errorOf(message).code).should.deepEqual(['ALIAS', 'ALIAS']);
    asked().should.equal(2);
    simulator.faults.clear();
    await fire('go');
    await until('the poll to go on', async () => (await soFar('out')).length >= 1);
    (await soFar('caught')).should.have.length(2);
  });

  it('CL16: stop when the key is refused, report it once, and resume when the key works again', async () => {
    const simulator = await simulate({ promiseMs: 0 });
    simulator.faults.add('forbidden');
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'polls', { interval: 10 }),
      asking('realtime', 'asked', { wires: [[], []] }),
      trigger('go', ['asked']),
      // Measures the time of this test: it polls twice as often.
      localConnection(simulator),
      asking('realtime', 'metronome', { connection: 'local-connection', interval: 5 }),
    ]);
    const [caught] = await next('caught');
    const { message, source, ...rest } = (caught as { error: Record<string, unknown> } | undefined)?.error ?? {};
    should(message).be.a.String();
    should(source).containEql({ id: 'polls' });
    const { requests, elapsedMs, ...facts } = rest['cause'] as Record<string, unknown>;
    should(facts).eql({ retryable: false, status: 403, endpoint: 'monitors', alias: null });
    should(requests).equal(1);
    should(elapsedMs).be.a.Number();
    should(Object.keys(rest).sort()).eql(['cause', 'code']);
    should(rest['code']).equal('AUTH');
    const refused = requestsTo(simulator, 'remote ');
    const ticks = (await soFar('out')).length;
    await next('out', ticks + 4);
    requestsTo(simulator, 'remote ').should.equal(refused);
    (await soFar('caught')).should.have.length(1);
    simulator.faults.delete('forbidden');
    await fire('go');
    await until('the poll to go on', async () =>
      readings(await soFar('out')).some(({ source }) => source.transport === 'remote'),
    );
  });

  it('LA20: find a meter at a high Modbus address of a monitor that lists no I/Os, and cache it', async () => {
    const simulator = await simulate({ faults: ['no-io'], modbus: 20 });
    await deploy([
      // One request per alias, with the pauses that a real device needs.
      localConnection(simulator),
      asking('realtime', 'all', { connection: 'local-connection', alias: '' }),
      {
        ...asking('realtime', 'list', { connection: 'local-connection' }),
        type: 'cemm-discovery',
        scope: 'meters',
        emit: 'each',
        wires: [['out']],
      },
      trigger('go', ['all']),
      trigger('look', ['list']),
    ]);
    await fire('go');
    const found = ['p1', 'p1-gas', 's01', 'pulse-2', 'usage', 'mb20'];
    const read = readings(await next('out', found.length));
    read.map(({ meter }) => meter.alias).should.deepEqual(found);
    const addresses = () =>
      new Set([...simulator.requests.keys()].flatMap((path) => /\/mb\d+\//.exec(path)?.[0] ?? []));
    addresses().size.should.equal(44);
    // A request for the list continues the search, and found meters stay.
    await fire('look');
    const listed = (await next('out', 2 * found.length)).slice(found.length);
    listed.map(({ payload }) => (payload as MeterPayload).meter.alias).should.deepEqual(found);
    addresses().size.should.equal(44 + 32);
    (await soFar('caught')).should.be.empty();
  });

  for (const [transport, interval, rounds] of [
    ['local', 5, 4],
    ['remote', 10, 3],
  ] as const) {
    it(`make one request per interval where fifty of them read one meter (${transport})`, async () => {
      const simulator = await simulate();
      const connection = transport === 'local' ? localConnection(simulator) : remoteConnection(simulator);
      const fifty = Array.from({ length: 50 }, (_, index) =>
        asking('realtime', `node-${index}`, { connection: connection.id, interval }),
      );
      await deploy([connection, ...fifty]);
      const byRequest = new Map<number, number>();
      for (const { source } of readings(await next('out', rounds * fifty.length)))
        byRequest.set(source.fetchedAt, (byRequest.get(source.fetchedAt) ?? 0) + 1);
      [...byRequest.values()].slice(0, rounds).should.eql(Array.from({ length: rounds }, () => fifty.length));
      // On a busy machine several are on their way to the nodes.
      await until('the readings of all requests but the last', async () => {
        const sent = requestsTo(simulator, '/realtime/');
        return new Set(readings(await soFar('out')).map(({ source }) => source.fetchedAt)).size >= sent - 1;
      });
      requestsTo(simulator, '/realtime/').should.be.aboveOrEqual(byRequest.size);
      // The monitors and meters are requested for all fifty together, too; a request that fails beside load is repeated.
      for (const [path, count] of simulator.requests) if (!path.includes('/realtime/')) count.should.be.below(5, path);
      (await soFar('caught')).should.be.empty();
    });
  }
});
