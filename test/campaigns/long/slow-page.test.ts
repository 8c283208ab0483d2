/**
 * The page of the house on a quarter of a processor, in a browser with a quarter of one, with a monitor that answers after three
 * seconds, while another viewer looks at the bill of twelve months: what is shown in which order, and after how many requests.
 */
import should from 'should';
import type { Page } from 'playwright-core';
import { periodContaining } from '../../../src/calendar/periods';
import { millis } from '../../../src/time/units';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { Browser } from '../../support/browser/browser';
import { NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { localConnection } from '../../support/node-red/remote-flow';
import { pageFlow, viewer } from '../../support/page/page-flow';
import { throttle } from '../../support/throttle';
import { until } from '../../support/until';

const zone = 'Europe/Amsterdam';
const morning = Date.parse('2026-06-18T07:10:00+02:00');
const connection = 'cemm-demo-monitor';

/** What a request to the monitor reads. */
type Read = 'now' | 'today' | 'yesterday' | 'the past';
const order: readonly Read[] = ['now', 'today', 'yesterday'];
/** Those of the simulated house, and those of them with a power. */
const [meters, electricMeters] = [5, 3];
/**
 * A request of the past starts when the page has none waiting: between two questions, and while Node-RED works on a response.
 * Without the order of the queue there were 14.
 */
const mostBetween = 5;

describe('the page on a quarter of a processor', function () {
  this.timeout(900_000);
  const requests: Read[] = [];
  let simulator: Simulator;
  let nodeRed: NodeRed;
  let browser: Browser;
  let release: (() => Promise<number>) | null = null;

  before(async () => {
    simulator = await startSimulator({
      localPort: 0,
      timezone: zone,
      since: millis(Date.parse('2025-04-01T00:00:00+02:00')),
      faults: ['slow'],
      clock: createSimulatedClock({ start: millis(morning) }),
      log: ({ path, status }) => {
        const read = status === 200 && typeof path === 'string' ? readBy(path) : null;
        if (read !== null) requests.push(read);
      },
    });
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: new Date(morning).toISOString(), TZ: zone },
    });
    browser = await Browser.open({ clock: new Date(morning).toISOString(), language: 'en-US' });
    const session = await browser.page.context().newCDPSession(browser.page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  });

  after(async () => {
    await release?.();
    await browser.close();
    await nodeRed.stop();
    await simulator.close();
  });

  function flow(): FlowNode[] {
    const house = { ...localConnection(simulator), id: connection };
    return [
      ...pageFlow().map((node) => (node.id === connection ? house : node)),
      viewer('bill', [{ balance: 'bill', batteries_kwh: [5, 10] }]),
    ];
  }

  /** Prints when each card has its numbers, and how many requests had been answered then. */
  async function watched(name: string, start: number): Promise<void> {
    for (const what of order) {
      await until(`${what} on the page`, () => shows(browser.page, what), 400_000);
      const seconds = ((Date.now() - start) / 1000).toFixed(0);
      console.log(
        `      ${name}, ${what}: ${seconds} s, ${requests.length} requests, ${JSON.stringify(counted(requests))}`,
      );
    }
  }

  it('reads now, then today, then yesterday, and then the past for the bill', async () => {
    release = throttle(nodeRed.pid, { runMs: 25, stopMs: 75 });
    await nodeRed.deploy(flow());
    const start = Date.now();
    await browser.page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
    await until('the first request of the page', () => requests.length > 0, 400_000);
    await nodeRed.inject('bill');
    await watched('after a deploy', start);
    await until('the past', () => requests.includes('the past'), 400_000);
    should(requests.indexOf('today')).be.aboveOrEqual(electricMeters);
    const first = requests.slice(0, requests.lastIndexOf('yesterday') + 1);
    should(first.filter((read) => read === 'today' || read === 'yesterday')).eql([
      ...Array.from({ length: meters }, () => 'today'),
      ...Array.from({ length: meters }, () => 'yesterday'),
    ]);
    should(counted(first)['the past']).be.belowOrEqual(mostBetween);
  });

  it('shows all of it again after a reload, without a request for a day', async () => {
    const before = counted(requests);
    const start = Date.now();
    await browser.page.reload({ waitUntil: 'domcontentloaded' });
    await watched('after a reload', start);
    const after = counted(requests);
    should([after.today, after.yesterday]).eql([before.today, before.yesterday]);
    should(await release?.()).be.above(10);
    release = null;
  });
});

function counted(requests: readonly Read[]): Record<Read, number> {
  const counts = { now: 0, today: 0, yesterday: 0, 'the past': 0 };
  for (const read of requests) counts[read] += 1;
  return counts;
}

/** True when the card of it has a number. */
async function shows(page: Page, what: Read): Promise<boolean> {
  const cards = await page.locator('.cemm-page section').evaluateAll((all) =>
    all.map((card) => ({
      title: card.querySelector('h2')?.textContent.trim().toLowerCase() ?? '',
      numbers: [...card.querySelectorAll('.value, strong')].map(({ textContent }) => textContent),
    })),
  );
  return cards.some(({ title, numbers }) => title.startsWith(what) && numbers.some((text) => /\d/.test(text)));
}

/** Of a local Open API path, such as `/open-api/v1/p1/day/?time=…`; null for what is no measurement. */
function readBy(path: string): Read | null {
  if (path.includes('/realtime/')) return 'now';
  const unit = (['day', 'month', 'year'] as const).find((name) => path.includes(`/${name}/`));
  const time = Number(/\?time=(\d+)/.exec(path)?.[1] ?? NaN);
  if (unit === undefined || Number.isNaN(time)) return null;
  const { end } = periodContaining(unit, zone, millis(time < 1e11 ? time * 1000 : time));
  if (end > morning) return 'today';
  return unit === 'day' && end > morning - 86_400_000 ? 'yesterday' : 'the past';
}
