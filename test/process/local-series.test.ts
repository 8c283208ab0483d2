/** Days, months and years of a local monitor in a whole Node-RED, whatever the monitor means by `time`. */
import should from 'should';
import type { SeriesPayload } from '../../src/model/payload';
import type { FaultName } from '../../src/simulator/faults';
import { flowPerTest } from '../support/node-red/flow-per-test';
import { dayMs, millis } from '../../src/time/units';
import { asking, localConnection, trigger } from '../support/node-red/remote-flow';

const meterAliases = ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2', 'usage'];
const periods = ['day', 'month'];

describe('series of a local monitor in Node-RED', function () {
  this.timeout(180_000);
  const { simulate, deploy, fire, next } = flowPerTest(() => ({ since: millis(Date.now() - 75 * dayMs) }));

  /** The last complete day and month of these meters. */
  async function read(meters: readonly string[], ...faults: FaultName[]): Promise<SeriesPayload[]> {
    const simulator = await simulate({ faults });
    const nodes = meters.flatMap((alias) =>
      periods.map((period) =>
        asking('series', `${alias}-${period}`, {
          alias,
          period,
          dateType: 'previous',
          connection: 'local-connection',
        }),
      ),
    );
    const ids = nodes.map(({ id }) => id);
    // All of these monitors have one MAC address.
    await deploy([localConnection(simulator, { keepDays: false }), ...nodes, trigger('go', ids)]);
    await fire('go');
    return (await next('out', nodes.length)).map(({ payload }) => payload as SeriesPayload);
  }

  const monitors: readonly (readonly [string, string, readonly FaultName[]])[] = [
    ['TD19', 'takes time literally', []],
    ['TD20', 'counts in UTC', ['utc-days']],
  ];
  for (const [id, name, faults] of monitors) {
    it(`${id}: are complete from a monitor that ${name}`, async () => {
      for (const { meter, period, stats, complete } of await read(meterAliases, ...faults)) {
        const what = `${meter.alias ?? ''} ${period.label} ${JSON.stringify(stats)}`;
        stats.gaps.should.equal(0, what);
        stats.received.should.be.aboveOrEqual(period.unit === 'day' ? 276 : 28, what);
        complete.should.be.true(what);
      }
    });
  }

  it('TD21: return volumes when gas and water are registers', async () => {
    for (const { meter, period, fields, points, stats } of await read(['p1-gas', 'pulse-2'], 'volume-counter')) {
      // Water per minute is a flow, whatever the counter does.
      if (meter.alias === 'pulse-2' && period.unit === 'day') continue;
      const medium = meter.alias === 'p1-gas' ? 'gas' : 'water';
      should(fields[`${medium}_m3`]).containEql({ semantics: 'volume', semanticsSource: 'data' });
      should(fields[`${medium}_reading_m3`]).containEql({ semantics: 'reading', semanticsSource: 'data' });
      stats.gaps.should.equal(0);
      const [amounts, readings] = [`${medium}_m3`, `${medium}_reading_m3`].map((field) =>
        points.map((point) => point[field] ?? null),
      );
      should(amounts?.slice(0, -1).every((amount) => amount !== null && amount >= 0 && amount < 40)).be.true();
      should(readings?.every((reading) => reading !== null && reading > 40)).be.true();
    }
  });

  it('show the gaps of gas as a flow', async () => {
    const [day] = (await read(['p1-gas'], 'mostly-missing')).filter(({ period }) => period.unit === 'day');
    should(day?.period.step).equal('PT5M');
    should(Object.keys(day?.fields ?? {})).eql(['gas_lpm']);
    should(day?.stats.received).equal(3);
    should(day?.complete).be.false();
  });
});
