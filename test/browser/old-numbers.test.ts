/** The example dashboard while its monitor does not answer: the last numbers stay, and look old. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser';
import { projectDir } from '../support/installed-package';
import { NodeRed, type FlowNode } from '../support/node-red';
import { until } from '../support/until';

const example = JSON.parse(readFileSync(join(projectDir, 'examples/live-dashboard.json'), 'utf8')) as FlowNode[];

describe('old numbers on the live dashboard', function () {
  this.timeout(115_000);

  it('are grey while the monitor is offline, and in colour when it is back', async () => {
    const simulator = await startSimulator({ localPort: 0 });
    let returned: Simulator | null = null;
    const port = Number(new URL(String(simulator.local)).port);
    const connected = { mode: 'local', host: `127.0.0.1:${port}`, deadline: 5 };
    const nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      flows: example.map((node) => (node.type === 'cemm-connection' ? { ...node, ...connected } : node)),
    });
    const browser = await Browser.open({ width: 1280, height: 1180 });
    const { page } = browser;
    const widget = (id: string) => page.locator(`#nrdb-ui-widget-cemm-live-${id}`);
    const text = async (id: string): Promise<string> => (await widget(id).innerText()).replace(/\s+/g, ' ');
    const opacity = (id: string): Promise<string> => widget(id).evaluate((part) => getComputedStyle(part).opacity);
    const everyOpacity = async (expected: string): Promise<boolean> => {
      const found = await Promise.all(['import', 't1', 'gas', 'solar', 'produced'].map(opacity));
      return found.every((value) => value === expected);
    };
    try {
      await page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
      await until('numbers', async () => /\d kWh/.test(await text('t1')) && /\d kWh/.test(await text('produced')));
      (await everyOpacity('1')).should.be.true();
      await simulator.close();
      await until('grey numbers', () => everyOpacity('0.35'), 90_000);
      await browser.picture('dashboard-offline');
      (await text('t1')).should.match(/\d kWh/);
      (await text('produced')).should.match(/\d kWh/);
      should(await text('status')).match(/does not answer/);
      returned = await startSimulator({ localPort: port });
      await until('numbers in colour', () => everyOpacity('1'), 90_000);
      should(await text('status')).not.match(/does not answer/);
    } finally {
      await browser.close();
      await nodeRed.stop();
      await simulator.close();
      await returned?.close();
    }
  });
});
