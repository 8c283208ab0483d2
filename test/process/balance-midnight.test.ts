/**
 * The counters of a local monitor at midnight, in a whole Node-RED: the monitor returns current ones only, so the node keeps
 * them.
 */
import should from 'should';
import { periodContaining } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { hourMs, millis } from '../../src/time/units';
import type { Registers } from '../../src/simulator/register-sums';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import { NodeRed, tab } from '../support/node-red/node-red';
import { asking, localConnection, trigger, watchers } from '../support/node-red/remote-flow';
import { until } from '../support/until';

const speed = 10;
/** Eight minutes before a full hour are 48 seconds, enough for the start of Node-RED. */
const begin = Date.parse('2026-06-14T17:52:00Z');
const importKwh = (r: Registers): number => r.importT1Kwh + r.importT2Kwh;

describe('the balance of a local monitor over midnight in Node-RED', function () {
  this.timeout(900_000);
  let nodeRed: NodeRed;
  let started: number;

  before(async () => {
    started = Date.now();
    nodeRed = await NodeRed.start({
      env: {
        CEMM_TEST_CLOCK: new Date(begin).toISOString(),
        CEMM_TEST_CLOCK_SINCE: String(started),
        CEMM_TEST_CLOCK_SPEED: String(speed),
        CEMM_TEST_TIMER_SPEED: String(speed),
      },
    });
  });
  after(() => nodeRed.stop());

  const shown = (): number => begin + (Date.now() - started) * speed;

  it('BA10: reads the counters at midnight without an interval, and counts from there on', async () => {
    // Every full hour is midnight somewhere, so none is missed, whatever the duration of the start. Four minutes are 24 seconds for the deploy.
    const midnight = Math.ceil((shown() + 4 * 60_000) / hourMs) * hourMs;
    const hoursAhead = 24 - new Date(midnight).getUTCHours();
    const timezone = `Etc/GMT-${hoursAhead > 14 ? hoursAhead - 24 : hoursAhead}`.replace('--', '+');
    const day = periodContaining('day', timezone, millis(midnight));
    day.start.should.equal(midnight);
    const clock = createSimulatedClock({ start: millis(shown()), speed });
    const simulator = await startSimulator({ localPort: 0, timezone, clock, since: millis(begin - 72 * hourMs) });
    try {
      const node = asking('balance', 'balance', { connection: 'local-connection' });
      const connection = localConnection(simulator, { timezone });
      await nodeRed.deploy([tab(), connection, node, trigger('go', ['balance']), ...watchers(['balance'])]);
      await until('a few minutes after midnight', () => shown() > midnight + 180_000, 600_000);
      await nodeRed.inject('go');
      const [message] = await nodeRed.waitForMessages('out', 1, 60_000);
      const { period, method, counters } = message?.payload as BalancePayload;
      should(period?.label).equal(day.label);
      should(method['energy_import_kwh']).equal('registers');
      const [at = 0, value = 0] = counters['energy_import_kwh']?.start ?? [];
      Math.abs(at - midnight).should.be.belowOrEqual(60_000);
      const [monitor] = simulator.monitors;
      value.should.be.approximately(importKwh(monitor?.household.registers(millis(at)) ?? nothing), 0.002);
    } finally {
      await simulator.close();
    }
  });
});

const nothing = { importT1Kwh: NaN, importT2Kwh: NaN } as Registers;
