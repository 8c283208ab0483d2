/**
 * An unplugged P1 cable, in a whole Node-RED: the monitor keeps answering with the last values and their time. Node-RED and the
 * simulator have a clock that runs five times as fast.
 */
import should from 'should';
import type { AvailabilityPayload, BalancePayload } from '../../src/model/payload';
import { millis } from '../../src/time/units';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { fiveTimesAsFast } from '../support/time/fast-clock';
import { nodesOf } from '../support/docs/example-functions';
import { collector, NodeRed, tab, together, type FlowNode } from '../support/node-red/node-red';
import { asking, localConnection, statusTexts, watchers } from '../support/node-red/remote-flow';

const local = { connection: 'local-connection', interval: 10 };

describe('readings that are old', function () {
  this.timeout(180_000);
  const { clock, env } = fiveTimesAsFast();
  let nodeRed: NodeRed;
  let simulator: Simulator;

  before(async () => {
    simulator = await startSimulator({ localPort: 0, clock, since: millis(clock.now() - 7 * 86_400_000) });
    nodeRed = await NodeRed.start({ env });
  });
  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  /** The example, which switches a load on with any surplus; the collector `load` gets the load's messages. */
  function surplus(interval: number): FlowNode[] {
    const changes: Readonly<Record<string, object>> = {
      'cemm-surplus': {
        env: Object.entries({ ON_ABOVE_W: '-20000', OFF_BELOW_W: '-30000', HOLD_SECONDS: '1' }).map(
          ([name, value]) => ({
            name,
            value,
            type: 'num',
          }),
        ),
      },
      'cemm-surplus-grid': { ...local, interval },
      'cemm-surplus-load': { type: 'function', func: 'return msg;', outputs: 1, wires: [['load']] },
    };
    return nodesOf('solar-surplus').map((node) => ({ ...node, ...changes[node.id] }));
  }

  const deploy = (interval: number) =>
    nodeRed.deploy(
      together([
        [tab(), localConnection(simulator), ...watchers(['realtime', 'balance']), ...collector('load')],
        [asking('realtime', 'realtime', local), asking('balance', 'balance', { ...local, period: 'now' })],
        surplus(interval),
      ]),
    );
  const loads = async () => (await nodeRed.messages('load')).map(({ payload }) => payload);
  const states = async () =>
    (await nodeRed.messages('availability')).map(({ payload }) => (payload as AvailabilityPayload).state);
  interface Read {
    readonly payload: Partial<BalancePayload>;
  }
  /** True for balances and readings. */
  const isTooOld = (message: unknown): boolean => (message as Read).payload.missing?.['power_house_w'] === 'too_old';
  const hasHouse = (message: unknown): boolean =>
    typeof (message as Read).payload.values?.['power_house_w'] === 'number';

  it('are told, are no power of the house, and switch a load off', async () => {
    await deploy(10);
    await nodeRed.waitFor('load', (messages) => messages.some(({ payload }) => payload === true));
    await nodeRed.waitFor('out', (messages) => messages.some(hasHouse));
    simulator.faults.add('p1-pulled');
    await nodeRed.waitForMessages('availability', 1, 60_000);
    const [stale] = (await nodeRed.messages('availability')).map(({ payload }) => payload as AvailabilityPayload);
    should(stale).containDeep({ state: 'stale', reason: 'stale', meter: { alias: 'p1' } });
    const old = await nodeRed.waitFor('out', (messages) => messages.some(isTooOld));
    const balance = old.find(isTooOld)?.payload as BalancePayload | undefined;
    should(balance?.values).containDeep({ power_import_w: null, power_export_w: null, power_house_w: null });
    should(balance?.values['power_production_w']).be.a.Number();
    should(balance?.stale?.since).be.within(Number(stale?.since) - 10_000, Number(stale?.since) + 10_000);
    await nodeRed.waitFor('load', (messages) => messages.at(-1)?.payload === false);
    await nodeRed.waitFor('statuses', (messages) =>
      statusTexts(messages).some((text) => text.startsWith('no new power since')),
    );
    (await states()).should.eql(['stale']);

    simulator.faults.clear();
    await nodeRed.waitForMessages('availability', 2, 60_000);
    (await states()).should.eql(['stale', 'online']);
    const before = (await nodeRed.messages('out')).length;
    await nodeRed.waitFor('out', (messages) => messages.slice(before).some(hasHouse));
    await nodeRed.waitFor('load', (messages) => messages.at(-1)?.payload === true);
  });

  it('switch a load off when nothing comes any more', async () => {
    const before = (await loads()).length;
    await deploy(0);
    await nodeRed.waitForMessages('load', before + 1, 60_000);
    (await loads()).slice(before).should.eql([false]);
  });
});
