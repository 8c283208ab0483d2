/** The five ways of the first hour, each from an empty canvas in an open editor to what it is for. */
import should from 'should';
import type { Browser } from '../browser';
import { MqttListener } from '../mosquitto';
import type { NodeRed } from '../node-red';
import { until } from '../until';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { hasCurve } from './canvas';
import { editor, flowNode, openEditor, paletteNode } from './editor';
import { type House, sunnyClock } from './house';
import { Person } from './person';

export interface Way {
  readonly name: string;
  /** Actions at most. */
  readonly most: number;
  walk(person: Person, house: House): Promise<void>;
}

const canvasMiddle = { x: 250, y: 150 };

export const demoPage: Way = {
  name: 'the page of the demo house',
  most: 7,
  async walk(person, { nodeRed }) {
    await importExample(person, 'live-dashboard');
    await person.click('the new tab', flowTab('CEMM live dashboard'));
    await deploy(person, nodeRed);
    await person.goTo('the page', `${nodeRed.url}/dashboard/energy`);
    await until('a drawn curve of today', () => hasCurve(person.page));
    should(await person.page.locator('body').innerText()).match(/Gas meter/);
    await person.picture('demo-page');
  },
};

export const webhookDelivery: Way = {
  name: 'a delivery of the monitor by webhook',
  most: 12,
  async walk(person, { nodeRed }) {
    const { page } = person;
    await person.drag('webhook in', paletteNode('cemm-webhook-in'), editor.canvas, canvasMiddle);
    await person.doubleClick('the node', flowNode());
    await person.click('generate', '#cemm-webhook-generate');
    await person.key('copy the key', 'Control+c');
    const hmacKey = await pasted(person, 'the key on the monitor');
    await person.click('copy', '#cemm-webhook-copy');
    const url = await pasted(person, 'the address on the monitor');
    await person.click('Done', editor.done);
    await deploy(person, nodeRed);
    should(url).equal(`${nodeRed.url}/cemm`);
    const monitor = await startSimulator({ clock: sunnyClock(), webhook: { url, hmacKey, everySeconds: 60 } });
    try {
      const { status } = (await monitor.webhook?.sendNow()) ?? { status: null };
      should(status).equal(200);
      await page.locator(editor.statusText, { hasText: /\d/ }).waitFor();
      await person.picture('webhook-delivery');
    } finally {
      await monitor.close();
    }
  },
};

export const homeAssistant: Way = {
  name: 'the meters in Home Assistant',
  most: 12,
  async walk(person, { broker, nodeRed }) {
    await importExample(person, 'home-assistant-mqtt');
    await person.click('the new tab', flowTab('CEMM in Home Assistant'));
    await person.doubleClick('to Home Assistant', flowNode('to Home Assistant'));
    await person.click('the pencil beside Server', '#node-input-lookup-broker, #node-input-btn-broker-edit');
    await person.type('the address of the broker', '#node-config-input-broker', broker.address);
    await person.click('Update', editor.add);
    await person.click('Done', editor.done);
    const listener = await MqttListener.connect(broker);
    try {
      await deploy(person, nodeRed);
      await until('a device in Home Assistant', () =>
        listener.heard.some(({ topic }) => /^homeassistant\/device\/.*\/config$/.test(topic)),
      );
      await until('readings of the device', () => listener.heard.some(({ text }) => /"power_import_w"/.test(text)));
      await person.picture('home-assistant-flow');
    } finally {
      await listener.close();
    }
  },
};

export const ways: readonly Way[] = [demoPage, webhookDelivery, homeAssistant];

/** From an empty canvas in a browser of its own: holds the count, the console, and that nothing leaves this machine. */
export async function walk(way: Way, house: House, browser: Browser, person = new Person(browser)): Promise<void> {
  await house.clear();
  await openEditor(browser.page, house.nodeRed.url);
  await way.walk(person, house);
  person.actions.length.should.be.belowOrEqual(way.most, person.actions.join(', '));
  browser.errors.should.be.empty();
  browser.outside.should.be.empty();
}

export async function importExample(person: Person, name: string): Promise<void> {
  const list = person.page.locator(editor.examples);
  await person.key('import', 'Control+i');
  await person.click('Examples', editor.examplesTab);
  await person.click('node-red-contrib-cemm', list.getByText('node-red-contrib-cemm', { exact: true }));
  const example = list.getByText(name, { exact: true });
  await person.look(example);
  await person.picture(`import-${name}`, editor.importDialog);
  await person.doubleClick(name, example);
}

export async function deploy(person: Person, nodeRed: NodeRed): Promise<void> {
  const starts = (): number => nodeRed.log.split('Started flows').length;
  const before = starts();
  await person.click('Deploy', editor.deploy);
  await until('the started flows', () => starts() > before);
  await person.page.locator(editor.deployed).waitFor();
}

export function flowTab(label: string): string {
  return `.red-ui-tab:has-text("${label}") a`;
}

/** A field of the page of the monitor: what lies on the clipboard is pasted there, which is an action too. */
async function pasted(person: Person, what: string): Promise<string> {
  await person.page.context().grantPermissions(['clipboard-read']);
  const text = await person.page.evaluate(() => navigator.clipboard.readText());
  person.count(`paste ${what}`);
  return text;
}
