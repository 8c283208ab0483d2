/** What the pictures of Dutch pages show: palette and dialogs in Dutch. The pictures in docs/images end in `-nl`. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { webhookInDefaults } from '../../../nodes/cemm-webhook-in/config';
import { Browser } from '../../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../../support/browser/dialogs';
import { editor } from '../../support/first-hour/editor';
import { House, sunnyAfternoon } from '../../support/first-hour/house';
import { MousePerson } from '../../support/first-hour/mouse';
import { ownChart, walk } from '../../support/first-hour/ways';
import { machine, startHomeAssistantApp, type HomeAssistantApp } from '../../support/home-assistant/home-assistant-app';
import { longestTurnMs } from '../../support/network/only-network';
import { NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';

const example = path.resolve(__dirname, '../../../examples/home-assistant-mqtt.json');
const demo: FlowNode = { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo', language: 'nl' };
const realtime: FlowNode = {
  ...realtimeDefaults,
  id: 'realtime',
  type: 'cemm-realtime',
  z: 'flow',
  connection: 'house',
  alias: 'p1',
  x: 200,
  y: 100,
  wires: [[], []],
};
const hook: FlowNode = {
  ...webhookInDefaults,
  id: 'hook',
  type: 'cemm-webhook-in',
  z: 'flow',
  connection: 'house',
  x: 200,
  y: 200,
  wires: [[], []],
};

const textOf = (page: Page): Promise<string> => page.locator(editor.tray).last().innerText();

describe('the pictures of Dutch pages', function () {
  this.timeout(150_000 + longestTurnMs);
  let browser: Browser | undefined;

  afterEach(async () => {
    await browser?.close();
  });

  it('show the palette, the node actueel and the node omzetten in Dutch', async () => {
    const forHomeAssistant = (JSON.parse(readFileSync(example, 'utf8')) as FlowNode[]).find(
      ({ type }) => type === 'cemm-format',
    );
    if (forHomeAssistant === undefined) throw new Error('no format node in the example');
    const format = { ...forHomeAssistant, z: 'flow', wires: [[]] };
    const nodeRed = await NodeRed.start({ flows: [tab(), demo, realtime, format] });
    try {
      browser = await Browser.open({ language: 'nl-NL' });
      const page = await openEditor(browser, nodeRed.url);
      const filter = page.locator('.red-ui-palette-search input[data-i18n$="palette.filter"]');
      await filter.pressSequentially('cemm');
      const palette = '.red-ui-palette-category:has([data-palette-type="cemm-realtime"])';
      for (const name of ['actueel', 'reeks', 'meterstand', 'balans', 'zoeken', 'omzetten']) {
        await page.locator(palette).getByText(name, { exact: true }).waitFor();
      }
      await browser.picture('palette-nl', palette);
      await openDialog(page, realtime);
      await page.locator('#cemm-picks-alias .cemm-pick').first().waitFor();
      should(await textOf(page))
        .containEql('Lees elke')
        .and.not.match(/Connection|Read every/);
      await browser.picture('realtime-dialog-nl', editor.tray);
      await cancelDialog(page);
      await page.setViewportSize({ width: 1400, height: 860 });
      await openDialog(page, format);
      should(await textOf(page))
        .containEql('Verloopt na')
        .and.not.match(/Expires|Format\b/);
      await browser.picture('home-assistant-dialog-nl', editor.tray);
      await cancelDialog(page);
      browser.errors.should.be.empty();
      browser.outside.should.be.empty();
    } finally {
      await nodeRed.stop();
    }
  });

  it('show the way to a chart of the own house in Dutch', async () => {
    const house = await House.open();
    try {
      browser = await Browser.open({ width: 1280, height: 800, clock: sunnyAfternoon, language: 'nl-NL' });
      await walk(ownChart, house, browser, new MousePerson(browser, { suffix: '-nl' }));
    } finally {
      await house.close();
    }
  });

  it('show the Node-RED app of Home Assistant in Dutch', async function () {
    const flows = [{ ...tab(), label: 'Flow 1' }, demo, realtime, hook];
    const app: HomeAssistantApp = await startHomeAssistantApp(
      {},
      {
        modules: ['@flowfuse/node-red-dashboard'],
        flows,
        credentials: { hook: { hmacKey: 'a key that is long enough' } },
      },
    );
    try {
      browser = await Browser.open({ host: machine, language: 'nl-NL' });
      await browser.page.context().addCookies([app.cookie]);
      const page = await openEditor(browser, app.ingress.slice(0, -1));
      // Addresses of an ordinary house.
      const shared = { isSecure: false, port: 46836, bind: '127.0.0.1' };
      const usual = { admin: '/', addresses: [{ address: '192.168.1.10', name: 'end0' }], shared };
      await page.route('**/cemm-webhook-in/network', (route) =>
        route.fulfill({ json: { ...usual, app: { isSecure: true, port: 1880, isKnown: true } } }),
      );
      await openDialog(page, hook);
      await page.locator('#cemm-webhook-situation', { hasText: 'de Node-RED-app van Home Assistant' }).waitFor();
      await page.locator('#cemm-picks-way button', { hasText: 'Aanbevolen' }).click();
      should(await page.inputValue('#cemm-webhook-address')).equal('http://192.168.1.10:1881/cemm');
      await browser.picture('app-webhook-nl', editor.tray);
      await cancelDialog(page);
      await openDialog(page, realtime);
      await page.click('#cemm-add-chart');
      await page.locator('.red-ui-notification', { hasText: 'Grafiek toegevoegd' }).waitFor();
      await page.waitForSelector(editor.tray, { state: 'detached' });
      // The message unfolds.
      await page.waitForTimeout(600);
      await browser.picture('app-chart-nl');
    } finally {
      await app.stop();
    }
  });
});
