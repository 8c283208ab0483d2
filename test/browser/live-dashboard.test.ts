/** The example dashboard in the language of its flow, and while its monitor does not answer. */
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

describe('the live dashboard of a flow', function () {
  this.timeout(115_000);

  it('shows old numbers in grey while the monitor is offline, and in colour when it is back', async () => {
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

  it('has its labels in the language of the flow', async () => {
    const env = [{ name: 'lang', type: 'str', value: 'nl' }];
    const nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      flows: example.map((node) => (node.type === 'tab' ? { ...node, env } : node)),
    });
    const browser = await Browser.open({ width: 1280, height: 1180 });
    try {
      await browser.page.goto(`${nodeRed.url}/dashboard/energy`, { waitUntil: 'domcontentloaded' });
      const labels = ['Van het net', 'Naar het net', 'Van de zon', 'Afname, tarief 1 (laag)', 'Gasmeter', 'Watermeter'];
      await until('Dutch labels', async () => {
        const text = await browser.page.locator('body').innerText();
        return labels.every((label) => text.includes(label));
      });
      await browser.picture('dashboard-nl');
      (await browser.page.locator('body').innerText()).should.not.match(/From the|tariff|Power|meter readings/);
    } finally {
      await browser.close();
      await nodeRed.stop();
    }
  });
});
