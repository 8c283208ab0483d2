/**
 * The pages of before and the example alarms in one house, on a quarter of a processor, with a monitor in the own network: what is shown now does not wait for
 * the past, and what was read of the past is not requested again after a restart.
 */
import should from 'should';
import { periodContaining, type PeriodUnit } from '../../../src/calendar/periods';
import { millis } from '../../../src/time/units';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { oldPage } from '../../support/node-red/old-page';
import { exampleOf } from '../../support/node-red/import-menu';
import { NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { localConnection } from '../../support/node-red/remote-flow';
import { cpuSeconds, throttle } from '../../support/throttle';
import { until } from '../../support/until';

const pages = ['energy-page', 'house-balance', 'month-and-year-report', 'what-2027-costs'];
const zone = 'Europe/Amsterdam';
const noon = Date.parse('2026-06-18T13:00:00+02:00');

interface Requested {
  readonly path: string;
  readonly unit: PeriodUnit | null;
  /** The requested period is over. */
  readonly isPast: boolean;
}

describe('five flows on a quarter of a processor', function () {
  this.timeout(900_000);
  const requested: Requested[] = [];
  let simulator: Simulator;
  let nodeRed: NodeRed;

  before(async () => {
    simulator = await startSimulator({
      localPort: 0,
      timezone: zone,
      since: millis(Date.parse('2026-04-01T00:00:00+02:00')),
      clock: createSimulatedClock({ start: millis(noon) }),
      log: ({ path, status }) => {
        if (status === 200 && typeof path === 'string') requested.push(requestOf(path));
      },
    });
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: new Date(noon).toISOString(), TZ: zone },
    });
  });

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  function past(): string[] {
    return requested.filter(({ isPast }) => isPast).map(({ path }) => path);
  }

  function today(): Requested[] {
    return requested.filter(({ unit, isPast }) => unit === 'day' && !isPast);
  }

  async function flowsOfHouse(): Promise<FlowNode[]> {
    const flows = [...pages.map(oldPage), await exampleOf(nodeRed, 'alarms')];
    const connection = { ...localConnection(simulator), id: 'cemm-demo-monitor' };
    const byId = new Map(flows.flat().map((node) => [node.id, node]));
    return [...byId.values()].map((node) => (node.id === connection.id ? connection : node));
  }

  it('read the running day before the past', async () => {
    const flow = await flowsOfHouse();
    const start = await cpuSeconds(nodeRed.pid);
    const release = throttle(nodeRed.pid, { runMs: 25, stopMs: 75 });
    await nodeRed.deploy(flow);
    const meters = 3;
    await until('the running day of the meters', () => today().length >= meters, 180_000);
    // Those that were sent in the meantime, until this process looked, do not count.
    const runningDay = today()[meters - 1];
    const before = requested.slice(0, runningDay === undefined ? requested.length : requested.indexOf(runningDay));
    const pastBefore = before.filter(({ isPast }) => isPast).length;
    const used = (await cpuSeconds(nodeRed.pid)) - start;
    await until('30 requests of the past', () => past().length >= 30, 300_000);
    should(await release()).be.above(10);
    console.log(
      `      ${requested.length} requests, ${pastBefore} of the past before the running day, ${used.toFixed(1)} s`,
    );
    pastBefore.should.be.belowOrEqual(2);
    used.should.be.below(10);
  });

  it('go on with the past after a restart where they were', async () => {
    // What was read less than two seconds before need not be written.
    const written = await until(
      '30 further requests of the past',
      () => past().length >= 60 && past().slice(0, 30),
      300_000,
    );
    const { userDir } = nodeRed;
    await nodeRed.stop({ keep: true, signal: 'SIGKILL' });
    const { length } = requested;
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      userDir,
      env: { CEMM_TEST_CLOCK: new Date(noon).toISOString(), TZ: zone },
    });
    const later = (): string[] => requested.slice(length).flatMap(({ path, isPast }) => (isPast ? [path] : []));
    await until('10 requests of the past after the restart', () => later().length >= 10, 300_000);
    later()
      .filter((path) => written.includes(path))
      .should.deepEqual([]);
  });
});

/** Of a local Open API path: `/open-api/v1/p1/day/?time=…`, seconds or milliseconds. */
function requestOf(path: string): Requested {
  const unit = (['day', 'month', 'year', 'totals'] as const).find((name) => path.includes(`/${name}/`)) ?? null;
  const time = Number(/\?time=(\d+)/.exec(path)?.[1] ?? NaN);
  if (unit === null || Number.isNaN(time)) return { path, unit: null, isPast: false };
  const at = millis(time < 1e11 ? time * 1000 : time);
  const period = periodContaining(unit === 'totals' ? 'day' : unit, zone, at);
  return { path, unit: unit === 'totals' ? null : unit, isPast: period.end <= noon };
}
