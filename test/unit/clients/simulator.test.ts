/** Both clients against the simulated monitor and service: every endpoint, and the same values from both. */
import should from 'should';
import { periodContaining } from '../../../src/calendar/periods';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { toMonitorId } from '../../../src/protocol/mac';
import { millis, millisToSeconds } from '../../../src/time/units';
import { askOptions, errorOf } from '../../support/clients/harness';
import { weeksAgo } from '../../support/time/recent';

describe('clients against the simulator', () => {
  it('get the same values from every endpoint, locally and remotely', async () => {
    const simulator = await startSimulator({
      localPort: 0,
      remotePort: 0,
      since: weeksAgo(6),
      apiKey: 'demo',
      monitors: 2,
    });
    const remote = createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey: 'demo' });
    const local = createLocalClient({ host: new URL(simulator.local ?? '').host, allowLoopback: true });
    try {
      const ids = simulator.monitors.map(({ mac }) => toMonitorId(mac));
      const listed = (await remote.request({ kind: 'monitors' }, askOptions())).value.map(({ id }) => id);
      should(listed).eql(ids);
      const [monitor] = listed;
      if (monitor === undefined) throw new Error('the key has no monitor');
      should((await local.request({ kind: 'monitors' }, askOptions())).value.map(({ id }) => id)).eql([monitor]);

      const far = (await remote.request({ kind: 'meters', monitor }, askOptions())).value;
      const near = (await local.request({ kind: 'meters', monitor }, askOptions())).value;
      should(near.map(({ ioId, type }) => [ioId, type])).eql(far.map(({ ioId, type }) => [ioId, type]));
      should(near.some(({ alias }) => alias === 'p1')).be.true();

      const ref = { monitor, alias: 'p1' };
      const time = millisToSeconds(millis(Date.now()));
      const yesterday = millis(Date.now() - 36 * 3_600_000);
      for (const client of [remote, local]) {
        should((await client.request({ kind: 'meter', ...ref }, askOptions())).value.map(({ type }) => type)).eql([
          'p1',
        ]);
        const { value } = await client.request({ kind: 'realtime', ...ref }, askOptions());
        should((value.totals ?? value.data).get('t1')?.value).be.a.Number();
        should(value.data.get('electric_power')?.value).be.a.Number();
      }
      for (const unit of ['day', 'month', 'year'] as const) {
        // A local monitor is requested with the first moment.
        const start = millisToSeconds(periodContaining(unit, 'Europe/Amsterdam', yesterday).start);
        const [one, other] = await Promise.all(
          [remote, local].map((client) => client.request({ kind: 'series', ...ref, unit, time: start }, askOptions())),
        );
        should(one?.value.channels.size).be.above(0);
        for (const [channel, samples] of one?.value.channels ?? []) {
          // The device names its low tariff like the whole (http://developer.cemm.nl/local-open-api/).
          const twin = other?.value.channels.get(channel) ?? other?.value.channels.get(channel.replace(/_low$/, ''));
          const nearby = new Map(Array.from(twin?.times ?? [], (moment, index) => [moment, twin?.values[index]]));
          const both = Array.from(samples.times, (moment, index) => [samples.values[index], nearby.get(moment)]).filter(
            ([, value]) => value !== undefined && !Number.isNaN(value),
          );
          should(both.length).be.above(unit === 'day' ? 1300 : 0);
          should(both.every(([far, near]) => far === near)).be.true(`${unit} ${channel}`);
          should(samples.malformed).equal(0);
        }
      }
      should(
        (await remote.request({ kind: 'totals', ...ref, time }, askOptions())).value.data.get('t1')?.value,
      ).be.a.Number();
      should((await errorOf(local.request({ kind: 'totals', ...ref, time }, askOptions()))).code).equal('UNSUPPORTED');
      should((await errorOf(remote.request({ kind: 'realtime', monitor, alias: 'nothing' }, askOptions()))).code).equal(
        'ALIAS',
      );
      should((await errorOf(local.request({ kind: 'realtime', monitor, alias: 'nothing' }, askOptions()))).code).equal(
        'ALIAS',
      );
    } finally {
      remote.close();
      local.close();
      await simulator.close();
    }
  });

  it('poll a promise, and are refused with a wrong key', async () => {
    const simulator = await startSimulator({
      remotePort: 0,
      since: weeksAgo(6),
      apiKey: 'demo',
      promiseMs: 100,
      clock: createSimulatedClock(),
    });
    const [remote, wrong] = ['demo', 'wrong'].map((apiKey) =>
      createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey }),
    );
    try {
      const answer = await remote?.request({ kind: 'monitors' }, askOptions());
      should([answer?.requests, answer?.promises]).eql([2, 1]);
      should((await errorOf(wrong?.request({ kind: 'monitors' }, askOptions()) ?? Promise.resolve())).code).equal(
        'AUTH',
      );
    } finally {
      remote?.close();
      wrong?.close();
      await simulator.close();
    }
  });
});
