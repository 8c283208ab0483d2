/**
 * The editor and the dashboard in Home Assistant's Node-RED app: through ingress, and through the app's own server. Every
 * address in a dialog, an example or the page about the app is tested as its user, monitor or browser.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import should from 'should';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import { sign } from '../../src/webhook/signature';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../support/browser/dialogs';
import {
  type HomeAssistantApp,
  machine,
  owner,
  startHomeAssistantApp,
  supervisorToken,
} from '../support/home-assistant/home-assistant-app';
import { projectDir } from '../support/node-red/installed-package';
import { freePort, tab, together, type FlowNode } from '../support/node-red/node-red';
import { delivery } from '../support/webhook/sending';
import { until } from '../support/until';

interface EditorWindow {
  RED: { workspaces: { show(id: string): void } };
}

declare const window: unknown;

const hmacKey = 'a key that is long enough for all of us';
const type = 'cemm-webhook-in';
const dashboard = '@flowfuse/node-red-dashboard';

/** Sends a delivery like a monitor, or, without a body, a GET like a browser; certificates are not checked. */
async function call(url: string, body: Buffer | null, cookie = ''): Promise<{ status: number; text: string }> {
  const signature = body === null ? {} : { 'x-signature': sign(hmacKey, body), 'content-type': 'application/json' };
  const start = url.startsWith('https:') ? httpsRequest : httpRequest;
  // Only the browser resolves the name of the machine.
  const at = url.replace(machine, '127.0.0.1');
  return new Promise((resolve, reject) => {
    const request = start(at, {
      method: body === null ? 'GET' : 'POST',
      headers: { ...signature, ...(cookie === '' ? {} : { cookie }) },
      agent: false,
      rejectUnauthorized: false,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.end(body ?? undefined);
  });
}

const statusOf = async (url: string, body: Buffer | null = null): Promise<number> => (await call(url, body)).status;

const addressOf = (page: Page): Promise<string> => page.inputValue('#cemm-webhook-address');
const waysOf = (page: Page): Promise<string[]> => page.locator('#cemm-picks-way strong').allTextContents();

function webhook(id: string, more: object = {}): FlowNode {
  return { ...webhookInDefaults, id, type, z: 'flow', path: `/${id}`, wires: [[], []], ...more };
}

const realtime: FlowNode = {
  ...realtimeDefaults,
  id: 'realtime',
  type: 'cemm-realtime',
  z: 'flow',
  connection: 'cemm-demo-monitor',
  alias: 'p1',
  x: 200,
  y: 260,
  wires: [[], []],
};

function textsOf(folder: string, ending: string): string[] {
  return readdirSync(join(projectDir, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(projectDir, folder, name), 'utf8'));
}

/** Addresses in the app that pages and examples name, and dashboard pages that they name for any Node-RED. */
function namedAddresses(): string[] {
  const texts = [...textsOf('.', 'README.md'), ...textsOf('docs', '.md'), ...textsOf('examples', '.json')];
  const found = texts.flatMap(
    (text) => text.match(/https?:\/\/homeassistant\.local:\d+\/[\w/-]*|\/dashboard\/\w+/g) ?? [],
  );
  return [...new Set(found)];
}

/** The examples with pages; only the first of them reads meters. */
function examplesWithPages(): FlowNode[] {
  const isQuiet = ({ type: node }: FlowNode): boolean =>
    node !== 'inject' && (!node.startsWith('cemm-') || ['cemm-connection', 'cemm-format', 'cemm-page'].includes(node));
  const all = textsOf('examples', '.json').filter((text) => text.includes('homeassistant.local:1880/'));
  const flows = all.map((text) => JSON.parse(text) as FlowNode[]);
  return together(flows.map((flow) => (flow.some(({ id }) => id === 'cemm-page-flow') ? flow : flow.filter(isQuiet))));
}

/** Opens the dialog, and waits for Node-RED's answer about itself. */
async function openWebhook(page: Page, id: string): Promise<void> {
  await openDialog(page, { id, type });
  await page.locator('#cemm-webhook-situation', { hasText: 'the Node-RED app of Home Assistant' }).waitFor();
  // Until then the dialog assumes the port of a new app.
  await page.locator('#cemm-picks-way', { hasNotText: 'changed neither' }).locator('button').first().waitFor();
}

async function sendTest(page: Page): Promise<string> {
  await page.click('#cemm-webhook-test');
  const summary = page.locator('#cemm-webhook-summary', { hasText: /^[✓✗]/ });
  await summary.waitFor();
  return `${(await summary.textContent()) ?? ''} ${(await page.textContent('#cemm-webhook-result')) ?? ''}`;
}

describe('the Node-RED app of Home Assistant @node-red-5-daily', function () {
  this.timeout(115_000);

  describe('as it is installed', () => {
    let app: HomeAssistantApp;
    let browser: Browser;
    let page: Page;
    let ownPort = 0;

    /** Opens Home Assistant as a logged-in user. */
    async function openThroughIngress(): Promise<void> {
      browser = await Browser.open({ host: machine });
      await browser.page.context().addCookies([app.cookie]);
      page = await openEditor(browser, app.ingress.slice(0, -1));
    }

    before(async function () {
      ownPort = await freePort();
      app = await startHomeAssistantApp(
        {},
        {
          modules: [dashboard],
          flows: [
            ...examplesWithPages(),
            { ...tab(), label: 'Flow 1' },
            realtime,
            webhook('shared', { path: '/cemm', x: 100, y: 100 }),
            webhook('house', { port: String(ownPort), x: 100, y: 180 }),
          ],
          credentials: { shared: { hmacKey }, house: { hmacKey } },
        },
      );
    });

    afterEach(async () => {
      // Dashboard 2 requests its icon without httpNodeRoot, where the app requires a login. The other line is the console's,
      // about the same response.
      const isOfIcon = (error: string): boolean => /^401 \/dashboard\/favicon\.svg$|status of 401 \(\)$/.test(error);
      browser.errors.filter((error) => !isOfIcon(error)).should.be.empty();
      browser.outside.should.be.empty();
      await browser.close();
    });

    after(async () => {
      app.nodeRed.log.should.not.containEql(supervisorToken);
      await app.stop();
    });

    it('WA34: proposes a port for deliveries in the editor of Home Assistant, and the monitor reaches it', async () => {
      await openThroughIngress();
      await openWebhook(page, 'house');
      await page.fill('#node-input-path', '/cemm');
      const [own = '', server = ''] = await waysOf(page);
      own.should.match(new RegExp(`^http://[\\d.]+:${ownPort}/cemm$`));
      server.should.match(new RegExp(`^https://[\\d.]+:${app.directPort}/endpoint/cemm$`));
      should(await addressOf(page)).equal(server);
      await page.locator('#cemm-picks-way button', { hasText: 'Recommended' }).click();
      should(await addressOf(page)).equal(own);
      should(await page.inputValue('#node-input-listen')).equal('own');
      (await sendTest(page)).should.containEql('Deploy first');
      await page.click('#node-dialog-ok');
      await page.waitForSelector('.red-ui-tray', { state: 'detached' });
      await page.click('#red-ui-header-button-deploy');
      await until('the open port', () =>
        statusOf(own, delivery())
          .then((status) => status === 200)
          .catch(() => false),
      );
      await openWebhook(page, 'house');
      should(await addressOf(page)).equal(own);
      const said = await sendTest(page);
      said.should.startWith('✓').and.containEql(`Sent to ${own}.`);
    });

    it('WA34: shows the address of the app’s own server with its port, and the monitor reaches it', async () => {
      await openThroughIngress();
      await openWebhook(page, 'shared');
      const address = await addressOf(page);
      should(await statusOf(address, delivery())).equal(200);
      (await sendTest(page)).should.startWith('✓').and.containEql(`Sent to ${address}.`);
      // The browser's own address is for users of Home Assistant.
      should(await statusOf(`${app.ingress}endpoint/shared`, delivery())).equal(401);
      // The direct way is missing too: Node-RED listens on loopback.
      for (const way of await waysOf(page)) way.should.not.containEql(`:${app.nodeRed.port}/`);
      await cancelDialog(page);
      // Addresses of an ordinary house, for the picture.
      const house = { admin: '/', addresses: [{ address: '192.168.1.10', name: 'end0' }] };
      const shared = { isSecure: false, port: 46836, bind: '127.0.0.1' };
      const usual = { ...house, shared, app: { isSecure: true, port: 1880, isKnown: true } };
      await page.route('**/cemm-webhook-in/network', (route) => route.fulfill({ json: usual }));
      await openWebhook(page, 'shared');
      await page.locator('#cemm-picks-way button', { hasText: 'Recommended' }).click();
      should(await addressOf(page)).equal('http://192.168.1.10:1881/cemm');
      await browser.picture('app-webhook', '.red-ui-tray');
      await cancelDialog(page);
    });

    it('works at its own server, for the user of Home Assistant only', async () => {
      should(await statusOf(`${app.direct}/`)).equal(401);
      browser = await Browser.open({ host: machine, login: owner, acceptsAnyCertificate: true });
      page = await openEditor(browser, app.direct);
      await openWebhook(page, 'shared');
      const address = await addressOf(page);
      should(await statusOf(address, delivery())).equal(200);
      (await sendTest(page)).should.startWith('✓').and.containEql(address);
    });

    it('answers admin requests in both with what the dialog needs, and with no token', async () => {
      await openThroughIngress();
      const ask = (url: string): Promise<{ status: number; text: string }> =>
        page.evaluate(async (path) => {
          const headers = { 'content-type': 'application/json', 'X-CEMM-Request': 'dialog' };
          const response = await fetch(path, { method: 'POST', headers, body: '{}' });
          return { status: response.status, text: await response.text() };
        }, url);
      const { status, text } = await ask('cemm-webhook-in/network');
      should(status).equal(200);
      should(JSON.parse(text)).containDeep({
        admin: '/',
        shared: { isSecure: false, port: app.nodeRed.port, bind: '127.0.0.1' },
        app: { isSecure: true, port: app.directPort, isKnown: true },
      });
      text.should.not.containEql(supervisorToken);
      const foreign = await app.nodeRed.admin('/cemm-webhook-in/network', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'dialog', origin: 'http://evil.example' },
        body: '{}',
      });
      should(foreign.status).equal(403);
    });

    it('says after "Add a chart" where the page is', async () => {
      await openThroughIngress();
      await page.evaluate(() => {
        (window as EditorWindow).RED.workspaces.show('flow');
      });
      await openDialog(page, realtime);
      await page.click('#cemm-add-chart');
      const message = page.locator('.red-ui-notification', { hasText: 'Chart added' });
      const address = 'https://homeassistant.local:1880/endpoint/dashboard/energy';
      should(await message.innerText()).containEql(`open ${address} (port and SSL as in the configuration`);
      await page.waitForSelector('.red-ui-tray', { state: 'detached' });
      // The message unfolds.
      await page.waitForTimeout(600);
      await browser.picture('app-chart');
    });

    it('WA34: answers at every address that the documentation and the examples name', async () => {
      const named = namedAddresses();
      named.should.containEql('http://homeassistant.local:1881/cemm').and.containEql('/dashboard/energy');
      named.length.should.be.above(6);
      for (const address of named) {
        const url = address
          .replace(/^\/dashboard/, `${app.direct}/endpoint/dashboard`)
          .replace('https://homeassistant.local:1880', app.direct)
          .replace(':1881/', `:${ownPort}/`);
        url.should.match(/^https?:\/\/homeassistant\.local:(?!188)/);
        should(await statusOf(url, url.endsWith('/cemm') ? delivery() : null)).equal(200, address);
      }
      // No password is required there: it protects the editor.
      browser = await Browser.open({ host: machine, acceptsAnyCertificate: true });
      page = browser.page;
      await page.goto(`${app.direct}/endpoint/dashboard/energy`);
      const widgets = page.locator('[id^="nrdb-ui-widget-cemm-page-"]');
      await widgets.filter({ hasText: /\d/ }).first().waitFor();
    });
  });

  describe('with a password for http_node and without SSL', () => {
    const httpNode = { username: 'poppins', password: 'a password of the app' };
    let app: HomeAssistantApp;
    let browser: Browser;

    before(async function () {
      const flows = [tab(), webhook('shared')];
      app = await startHomeAssistantApp({ ssl: false, httpNode }, { flows, credentials: { shared: { hmacKey } } });
    });

    after(async () => {
      await app.stop();
    });

    it('WA34: says that a monitor has no password, and tells the address without SSL', async () => {
      browser = await Browser.open({ host: machine });
      await browser.page.context().addCookies([app.cookie]);
      const page = await openEditor(browser, app.ingress.slice(0, -1));
      await openWebhook(page, 'shared');
      const address = await addressOf(page);
      address.should.match(new RegExp(`^http://[\\d.]+:${app.directPort}/endpoint/shared$`));
      should(await statusOf(address, delivery())).equal(401);
      should(await page.isVisible('#cemm-webhook-auth')).be.true();
      (await sendTest(page)).should.startWith('✗').and.containEql('httpNodeAuth').and.containEql(address);
      await page.locator('#cemm-picks-way button', { hasText: 'Recommended' }).click();
      should(await page.isVisible('#cemm-webhook-auth')).be.false();
      browser.errors.should.be.empty();
      await browser.close();
    });
  });
});
