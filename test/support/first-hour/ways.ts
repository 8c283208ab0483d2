/** The ways of the first hour, each from an empty canvas in an open editor to its goal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import should from 'should';
import type { Browser } from '../browser/browser';
import { showsHouse } from '../page/shown';
import { projectDir } from '../node-red/installed-package';
import { MqttListener } from '../servers/mosquitto';
import { until } from '../until';
import { chooseHouse } from '../../../src/simulator/houses';
import type { SimulatorOptions } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { hasCurves } from './canvas';
import { openEditor } from '../browser/dialogs';
import { configButtons, editor } from './editor';
import { apiKey, type House } from './house';
import type { Person } from './person';

export interface Way {
  readonly name: string;
  /** Most actions, with a mouse. */
  readonly most: number;
  /** The chapter of the README with its steps. */
  readonly chapter?: string;
  walk(person: Person, house: House): Promise<void>;
}

export const demoPage: Way = {
  name: 'the page of the demo house',
  most: 7,
  chapter: 'Five minutes to the first chart',
  async walk(person, { nodeRed }) {
    await person.openExample('energy-page', 'CEMM energy page');
    await person.deploy(nodeRed);
    await person.goTo('the page', `${nodeRed.url}/dashboard/energy`);
    await until('the power of the house', () => showsHouse(person.page));
    await person.picture('demo-page');
  },
};

export const ownChart: Way = {
  name: 'a chart of today of the own monitor',
  most: 14,
  chapter: 'A chart of your own house',
  async walk(person, { nodeRed, monitor }) {
    const { page } = person;
    await person.addNode('cemm-series');
    await person.openNode();
    await person.press('the plus beside Connection', configButtons('connection').add);
    await person.press('Find monitors', '#cemm-find');
    // The only monitor is filled in and checked automatically.
    await page.locator('.cemm-step-ok').nth(4).waitFor();
    should(await page.inputValue('#node-config-input-host')).equal(monitor.address);
    await person.confirm('Add');
    await person.press('p1', page.locator('#cemm-picks-alias .cemm-pick', { hasText: /^p1/ }));
    await person.picture('own-chart-dialog', editor.tray);
    await person.press('Add a chart', '#cemm-add-chart');
    await person.deploy(nodeRed);
    await person.picture('own-chart-flow');
    await person.goTo('the page', `${nodeRed.url}/dashboard/energy`);
    await until('curves of import and export, of the whole day', () => hasCurves(page, 2));
    await person.picture('own-chart');
  },
};

/** After `demoPage`: the way from there to the same page of the own house. */
export const ownHouse: Way = {
  name: 'the page of the own house',
  most: 5,
  async walk(person, { nodeRed, monitor }) {
    await person.follow('the line that says demo', '.cemm-page .label a');
    await person.press('Find monitors', '#cemm-find');
    await person.page.locator('.cemm-step-ok').nth(4).waitFor();
    should(await person.page.inputValue('#node-config-input-host')).equal(monitor.address);
    await person.picture('own-house-dialog', editor.tray);
    await person.confirm('Update');
    await person.deploy(nodeRed);
    await person.backTo('the page');
    await until('the power of the own house', async () => {
      const labels = await person.page.locator('.cemm-page .label').allInnerTexts();
      return labels.length === 1 && !/demo/i.test(labels.join()) && (await showsHouse(person.page));
    });
    await person.picture('own-house-page');
  },
};

export const deliveriesPage: Way = {
  name: 'the page of deliveries',
  most: 11,
  chapter: 'The page of your own house, with a CEMM 3.0',
  async walk(person, { nodeRed, clock }) {
    const webhook = await addReceiver(person);
    await person.press('Add the page', '#cemm-add-page');
    await person.deploy(nodeRed);
    await person.goTo('the page', `${nodeRed.url}/dashboard/energy`);
    await person.page.locator('.cemm-page nav').waitFor();
    should(await showsHouse(person.page)).equal(false);
    await deliverOnce({ clock, house: chooseHouse('inverter-6w'), webhook }, async () => {
      await until('the power that was delivered', () => showsHouse(person.page));
      await person.picture('deliveries-page');
    });
  },
};

const webhookDelivery: Way = {
  name: 'a delivery of the monitor by webhook',
  most: 12,
  async walk(person, { nodeRed, clock }) {
    const webhook = await addReceiver(person);
    await person.confirm('Done');
    await person.deploy(nodeRed);
    should(webhook.url).equal(`${nodeRed.url}/cemm`);
    await deliverOnce({ clock, webhook }, async () => {
      await person.page.locator(editor.statusText, { hasText: /\d/ }).waitFor();
      await person.picture('webhook-delivery');
    });
  },
};

/** The person adds a receiver with a new key, and copies its address and key to the monitor. The dialog stays open. */
async function addReceiver(person: Person): Promise<NonNullable<SimulatorOptions['webhook']>> {
  await person.addNode('cemm-webhook-in');
  await person.openNode();
  await person.press('generate', '#cemm-webhook-generate');
  await person.key('copy the key', 'Control+c');
  const hmacKey = await person.pasteOnMonitor('the key');
  await person.press('copy', '#cemm-webhook-copy');
  return { url: await person.pasteOnMonitor('the address'), hmacKey, everySeconds: 60 };
}

/** A monitor delivers once, and is there until the person has looked. */
async function deliverOnce(options: SimulatorOptions, look: () => Promise<void>): Promise<void> {
  const monitor = await startSimulator(options);
  try {
    should((await monitor.webhook?.sendNow())?.status).equal(200);
    await look();
  } finally {
    await monitor.close();
  }
}

export const yesterday: Way = {
  name: 'a chart of yesterday over the internet',
  most: 14,
  async walk(person, { nodeRed, service }) {
    const { page } = person;
    await person.addNode('cemm-series');
    await person.openNode();
    await person.press('the plus beside Connection', configButtons('connection').add);
    await person.choose('how to reach the monitor', '#node-config-input-mode', 'remote');
    await person.type('the key', '#node-config-input-apiKey', apiKey);
    await person.prepare('#node-config-input-baseUrl', service.remote ?? '');
    await person.confirm('Add');
    await person.press('p1', page.locator('#cemm-picks-alias .cemm-pick', { hasText: /^p1/ }));
    await person.chooseType('date', 'date', 'previous');
    await person.press('Add a chart', '#cemm-add-chart');
    await person.deploy(nodeRed);
    await person.goTo('the page', `${nodeRed.url}/dashboard/energy`);
    await until('curves of import and export', () => hasCurves(page, 2));
    await person.picture('yesterday-chart');
  },
};

export const homeAssistant: Way = {
  name: 'the meters in Home Assistant',
  // One is a scroll in the list of examples, which is longer than its box.
  most: 13,
  async walk(person, { broker, nodeRed }) {
    await person.openExample('home-assistant-mqtt', 'CEMM in Home Assistant');
    await person.openNode('to Home Assistant');
    await person.press('the pencil beside Server', configButtons('broker').edit);
    await person.type('the address of the broker', '#node-config-input-broker', broker.address);
    await person.confirm('Update');
    await person.confirm('Done');
    const listener = await MqttListener.connect(broker);
    try {
      await person.deploy(nodeRed);
      await until('a device in Home Assistant', () =>
        listener.heard.some(({ topic }) => /^homeassistant\/device\/.*\/config$/.test(topic)),
      );
      await until('readings of the device', () => listener.heard.some(({ text }) => text.includes('"power_import_w"')));
      await person.picture('home-assistant-flow');
    } finally {
      await listener.close();
    }
  },
};

/** The ways of the README and of the campaign. */
export const ways: readonly Way[] = [demoPage, ownChart, webhookDelivery, yesterday, homeAssistant];

/** Starts at an empty canvas and reaches the goal of the way, without an error in the console or a request to another host. */
export async function walk(way: Way, house: House, browser: Browser, person: Person): Promise<void> {
  await house.clear();
  await openEditor(browser, house.nodeRed.url);
  await way.walk(person, house);
  browser.errors.should.be.empty();
  browser.outside.should.be.empty();
}

/** The README has a step for each action, except for the scrolls that depend on the screen. */
export function holdCount({ most, chapter }: Way, { actions }: Person): void {
  actions.length.should.be.belowOrEqual(most, actions.join(', '));
  if (chapter === undefined) return;
  const [, text = ''] = readFileSync(join(projectDir, 'README.md'), 'utf8').split(`## ${chapter}\n`);
  const steps = text.split('\n## ')[0]?.match(/^\d+\. .+/gm) ?? [];
  const done = actions.filter((action) => action !== 'scroll');
  done.length.should.equal(steps.length, `${done.join(', ')}; README: ${steps.join(' ')}`);
}
