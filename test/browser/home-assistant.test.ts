/** The example for Home Assistant in the editor, and the settings of its format node. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Browser } from '../support/browser/browser';
import { openEditor } from '../support/browser/dialogs';
import { editor } from '../support/first-hour/editor';
import { MousePerson } from '../support/first-hour/mouse';
import { startMosquitto, type Mosquitto } from '../support/servers/mosquitto';
import { NodeRed, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const file = path.resolve(__dirname, '../../examples/home-assistant-mqtt.json');

describe('the example for Home Assistant in the editor @node-red-5-daily', function () {
  this.timeout(120_000);
  let broker: Mosquitto | undefined;
  let nodeRed: NodeRed | undefined;
  let browser: Browser | undefined;

  before(async () => {
    const started = await startMosquitto();
    broker = started;
    const flows = (JSON.parse(readFileSync(file, 'utf8')) as FlowNode[]).map((node) =>
      node.type === 'mqtt-broker' ? { ...node, broker: '127.0.0.1', port: String(started.port) } : node,
    );
    nodeRed = await NodeRed.start({ flows });
    browser = await Browser.open({ width: 1400, height: 540 });
  });

  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
    await broker?.stop();
  });

  it('reaches the broker, and keeps expiry and button when its format is opened and closed', async () => {
    if (nodeRed === undefined || browser === undefined) throw new Error('not started');
    const page = await openEditor(browser, nodeRed.url);
    await until('a broker at each node', async () => (await page.locator('text=connected').count()) >= 3);
    await browser.picture('home-assistant-flow');
    const person = new MousePerson(browser);
    await person.openNode('for Home Assistant');
    should(await page.inputValue('#node-input-expireAfter')).equal('60');
    should(await page.isChecked('#node-input-fetchButton')).be.true();
    await page.setViewportSize({ width: 1400, height: 860 });
    await browser.picture('home-assistant-dialog', editor.tray);
    await page.selectOption('#node-input-format', 'rows');
    should(await page.isVisible('#node-input-expireAfter')).be.false();
    await page.selectOption('#node-input-format', 'homeassistant');
    await page.fill('#node-input-expireAfter', '3');
    await page.locator('#node-input-expireAfter').blur();
    await until(
      'a mistake is marked',
      async () => (await page.locator('#node-input-expireAfter.input-error').count()) > 0,
    );
    await page.fill('#node-input-expireAfter', '90');
    await person.confirm('Done');
    await person.deploy(nodeRed);
    const stored = (await (await nodeRed.admin('/flows')).json()) as FlowNode[];
    should(stored.find(({ id }) => id === 'cemm-ha-format')).containEql({ expireAfter: 90, fetchButton: true });
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });
});
