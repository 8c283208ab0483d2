/** Whole Node-RED: every meter of a monitor under its own identity, and refusals that affect only their own requests. */
import should from 'should';
import type { MeterInfo, MeterPayload, RealtimePayload, SeriesPayload } from '../../src/model/payload';
import type { Simulator } from '../../src/simulator/simulator';
import { flowPerTest } from '../support/node-red/flow-per-test';
import { dayMs, millis } from '../../src/time/units';
import { asking, localConnection, remoteConnection, trigger } from '../support/node-red/remote-flow';

const units = ['day', 'month', 'year'] as const;
/** I/O of each remote alias if a pulse gas meter is listed first. */
const remoteMeters = { s02: 4, p1: 1, 'p1-gas': 2, s01: 3 } as const;
/** The same house in the list of its monitor. */
const localMeters = { 'pulse-3': 4, p1: 1, 'p1-gas': 2, s01: 3, mb5: 6, 'pulse-2': 5 } as const;

describe('every meter', function () {
  this.timeout(240_000);
  const { simulate, deploy, fire, next, soFar } = flowPerTest(() => ({ since: millis(Date.now() - 800 * dayMs) }));

  const ids = (simulator: Simulator) => simulator.monitors.map(({ mac }) => mac.replaceAll(':', '').toLowerCase());

  /** One series node per meter and kind of period, for the previous period. */
  const seriesOf = (connection: string, aliases: readonly string[], monitor = '') =>
    aliases.flatMap((alias) =>
      units.map((period) =>
        asking('series', `${alias} ${period}`, { connection, monitor, alias, period, dateType: 'previous' }),
      ),
    );

  const whoIs = ({ alias, ioId, type }: MeterInfo) => [alias, ioId, type];

  for (const side of ['remote', 'local'] as const) {
    it(`RA38: is read by day, month and year under its own identity, without false gaps (${side})`, async () => {
      const simulator = await simulate({ faults: ['pulse-gas', 'monitor-forbidden'], monitors: 2 });
      const [own = ''] = ids(simulator);
      const meters: Readonly<Record<string, number>> = side === 'remote' ? remoteMeters : localMeters;
      const aliases = Object.keys(meters);
      const nodes = seriesOf(`${side}-connection`, aliases, side === 'remote' ? own : '');
      const connection = side === 'remote' ? remoteConnection : localConnection;
      await deploy([
        connection(simulator),
        ...nodes,
        trigger(
          'go',
          nodes.map(({ id }) => id),
        ),
      ]);
      await fire('go');
      const messages = await next('out', ({ length }) => length === nodes.length);
      (await soFar('caught')).should.be.empty();
      const series = messages.map(({ payload }) => payload as SeriesPayload);
      for (const { meter, period, stats, complete, points } of series) {
        const about = `${String(meter.alias)} ${period.label} ${JSON.stringify(stats)}`;
        should(meter.ioId).equal(meters[String(meter.alias)], about);
        stats.gaps.should.equal(0, about);
        // In the remote API the day of a gas meter contains a minute of the next one.
        if (side === 'local') stats.outside.should.equal(0, about);
        complete.should.be.true(about);
        const shown = points.some(({ ts, ...fields }) => ts > 0 && Object.values(fields).some((value) => value !== 0));
        shown.should.be.true(about);
      }
      const kinds = (alias: string) =>
        series.filter(({ meter }) => meter.alias === alias).map(({ period }) => period.unit);
      for (const alias of aliases)
        kinds(alias)
          .sort()
          .should.deepEqual([...units].sort());
    });
  }

  it('RA38: is found at its pulse input when the smart meter has no gas meter', async () => {
    const simulator = await simulate({ faults: ['pulse-gas', 'no-p1-gas'] });
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'all', { alias: '' }),
      { ...asking('realtime', 'list'), type: 'cemm-discovery', scope: 'meters', emit: 'each', wires: [['out']] },
      trigger('go', ['all']),
      trigger('look', ['list']),
    ]);
    await fire('go');
    const readings = (await next('out', ({ length }) => length === 3)).map(({ payload }) => payload as RealtimePayload);
    readings
      .map(({ meter }) => whoIs(meter))
      .should.deepEqual([
        ['s02', 4, 'gas'],
        ['p1', 1, 'p1'],
        ['s01', 3, 'solar_energy'],
      ]);
    should(readings[0]?.values.gas_m3).be.above(0);
    (await soFar('caught')).should.be.empty();
    await fire('look');
    const listed = (await next('out', ({ length }) => length === 8)).slice(3);
    listed
      .map(({ payload }) => whoIs((payload as MeterPayload).meter))
      .should.deepEqual([
        ['s02', 4, 'gas'],
        ['p1', 1, 'p1'],
        ['s01', 3, 'solar_energy'],
        [undefined, 6, 'solar_energy'],
        [undefined, 5, 'water'],
      ]);
  });
});
