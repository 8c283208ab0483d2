/** The counters of a local monitor at midnight, in a whole Node-RED: it tells those of now only, so the node keeps them. */
import should from 'should';
import { periodContaining } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { millis } from '../../src/protocol/time';
import type { Registers } from '../../src/simulator/household';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { NodeRed, tab } from '../support/node-red';
import { asking, fire, localConnection, trigger, watchers } from '../support/remote-flow';
import { until } from '../support/until';

const ZONE = 'Europe/Amsterdam';
const SPEED = 10;
/** Four minutes before midnight in Amsterdam, of which Node-RED takes some to start. */
const EVENING = Date.parse('2026-06-14T21:56:00Z');
const tomorrow = periodContaining('day', ZONE, millis(EVENING + 600_000));
const importKwh = (r: Registers): number => r.importT1Kwh + r.importT2Kwh;

describe('the balance of a local monitor over midnight in Node-RED', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;

  let started = 0;

  before(async () => {
    started = Date.now();
    simulator = await startSimulator({
      localPort: 0,
      clock: createSimulatedClock({ start: millis(EVENING), speed: SPEED }),
      since: millis(EVENING - 3 * 86_400_000),
    });
    nodeRed = await NodeRed.start({
      env: {
        CEMM_TEST_CLOCK: new Date(EVENING).toISOString(),
        CEMM_TEST_CLOCK_SINCE: String(started),
        CEMM_TEST_CLOCK_SPEED: String(SPEED),
        CEMM_TEST_TIMER_SPEED: String(SPEED),
      },
    });
  });
  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  it('BA10: reads the counters at midnight without an interval, and counts from there on', async () => {
    const node = asking('balance', 'balance', { connection: 'local-connection' });
    await nodeRed.deploy([
      tab(),
      localConnection(simulator, { deadline: 60 }),
      node,
      trigger('go', ['balance']),
      ...watchers(['balance']),
    ]);
    const minutesAfter = 3;
    const passed = (): number => EVENING + (Date.now() - started) * SPEED;
    await until('a few minutes after midnight', () => passed() > tomorrow.start + minutesAfter * 60_000, 120_000);
    await fire(nodeRed, 'go');
    const [message] = await nodeRed.waitForMessages('out', 1, 60_000);
    const { period, method, counters, values, source } = message?.payload as BalancePayload;
    should(period?.label).equal(tomorrow.label);
    should(method['energy_import_kwh']).equal('registers');
    const [at = 0, shown = 0] = counters['energy_import_kwh']?.start ?? [];
    Math.abs(at - tomorrow.start).should.be.belowOrEqual(60_000);
    const truth = (moment: number): number => {
      const [monitor] = simulator.monitors;
      return monitor === undefined ? NaN : importKwh(monitor.household.registers(millis(moment)));
    };
    shown.should.be.approximately(truth(at), 0.002);
    const end = Math.round(source.fetchedAt / 60_000) * 60_000;
    should(values['energy_import_kwh']).be.approximately(truth(end) - truth(tomorrow.start), 0.05);
  });
});
