/**
 * The editor and the dashboard as the users of Home Assistant's Node-RED app have them: through ingress, and through the app's own
 * server. Every address that a dialog, an example or the page about the app shows is tried as the monitor or the user would.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import should from 'should';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import { sign } from '../../src/webhook/signature';
import { Browser } from '../support/browser';
import { cancelDialog, openDialog, openEditor } from '../support/dialogs';
import { type HomeAssistantApp, owner, startHomeAssistantApp, supervisorToken } from '../support/home-assistant-app';
import { projectDir } from '../support/installed-package';
import { freePort, tab, together, type FlowNode } from '../support/node-red';
import { delivery } from '../support/webhook/sending';
import { until } from '../support/until';

const hmacKey = 'a key that is long enough for all of us';
const type = 'cemm-webhook-in';
const dashboard = '@flowfuse/node-red-dashboard';

/** As a monitor sends it, or without a body as a browser asks; no certificate is checked. */
async function call(url: string, body: Buffer | null, cookie = ''): Promise<{ status: number; text: string }> {
  const signature = body === null ? {} : { 'x-signature': sign(hmacKey, body), 'content-type': 'application/json' };
  const start = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = start(url, {
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

function example(name: string): FlowNode[] {
  return JSON.parse(readFileSync(join(projectDir, 'examples', `${name}.json`), 'utf8')) as FlowNode[];
}

/** Opens the dialog, and waits until Node-RED has said what it knows. */
async function openWebhook(page: Page, id: string): Promise<void> {
  await openDialog(page, { id, type });
  await page.locator('#cemm-webhook-situation', { hasText: 'the Node-RED app of Home Assistant' }).waitFor();
  await page.locator('#cemm-picks-way button').first().waitFor();
}

async function sendTest(page: Page): Promise<string> {
  await page.click('#cemm-webhook-test');
  const summary = page.locator('#cemm-webhook-summary', { hasText: /^[✓✗]/ });
  await summary.waitFor();
  return `${(await summary.textContent()) ?? ''} ${(await page.textContent('#cemm-webhook-result')) ?? ''}`;
}

describe('the Node-RED app of Home Assistant @node-red-5', function () {
  this.timeout(115_000);

  describe('as it is installed', () => {
    let app: HomeAssistantApp;
    let browser: Browser;
    let page: Page;
    let ownPort = 0;

    /** In Home Assistant, as a user who is logged in there. */
    async function openThroughIngress(): Promise<void> {
      browser = await Browser.open();
      await browser.page.context().addCookies([app.cookie]);
      page = await openEditor(browser, app.ingress.slice(0, -1));
    }

    before(async function () {
      ownPort = await freePort();
      const pages = ['energy-page', 'house-balance', 'month-and-year-report'].map(example);
      app = await startHomeAssistantApp(
        this,
        {},
        {
          modules: [dashboard],
          flows: together([...pages, [tab(), webhook('shared'), webhook('house', { port: String(ownPort) })]]),
          credentials: { shared: { hmacKey }, house: { hmacKey } },
        },
      );
    });

    afterEach(async () => {
      browser.errors.should.be.empty();
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
      const [own = '', server = ''] = await waysOf(page);
      own.should.match(new RegExp(`^http://[\\d.]+:${ownPort}/house$`));
      server.should.match(new RegExp(`^https://[\\d.]+:${app.directPort}/endpoint/house$`));
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
      await browser.picture('app-webhook-own', '.red-ui-tray');
    });

    it('WA34: shows the address of the app’s own server with its port, and the monitor reaches it', async () => {
      await openThroughIngress();
      await openWebhook(page, 'shared');
      const address = await addressOf(page);
      should(await statusOf(address, delivery())).equal(200);
      (await sendTest(page)).should.startWith('✓').and.containEql(`Sent to ${address}.`);
      // The address of the browser itself is for users of Home Assistant.
      should(await statusOf(`${app.ingress}endpoint/shared`, delivery())).equal(401);
      // Somebody else's way is not there either: Node-RED listens on loopback.
      for (const way of await waysOf(page)) way.should.not.containEql(`:${app.nodeRed.port}/`);
      await cancelDialog(page);
    });

    it('works at its own server, for the user of Home Assistant only', async () => {
      should(await statusOf(`${app.direct}/`)).equal(401);
      browser = await Browser.open({ login: owner, acceptsAnyCertificate: true });
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

    it('shows the pages of the examples at its own server, with values that change', async () => {
      const paths = readdirSync(join(projectDir, 'examples'))
        .filter((file) => file.endsWith('.json'))
        .flatMap(
          (file) => readFileSync(join(projectDir, 'examples', file), 'utf8').match(/\/dashboard\/[a-z]+/g) ?? [],
        );
      [...new Set(paths)].sort().should.eql(['/dashboard/energy', '/dashboard/house', '/dashboard/report']);
      for (const path of paths) should(await statusOf(`${app.direct}/endpoint${path}`)).equal(200, path);
      // No password is asked there: that is for the editor.
      browser = await Browser.open({ acceptsAnyCertificate: true });
      page = browser.page;
      await page.goto(`${app.direct}/endpoint/dashboard/energy`);
      const widgets = page.locator('[id^="nrdb-ui-widget-cemm-energy-"]');
      await widgets.filter({ hasText: /\d/ }).first().waitFor();
      await browser.picture('app-dashboard');
      // Dashboard 2 asks for its icon without httpNodeRoot, where the app wants a login.
      const ofIcon = (error: string): boolean => error === '401 /dashboard/favicon.svg' || /status of 401/.test(error);
      browser.errors.splice(0, browser.errors.length, ...browser.errors.filter((error) => !ofIcon(error)));
    });
  });

  describe('with a password for http_node and without SSL', () => {
    const httpNode = { username: 'poppins', password: 'a password of the app' };
    let app: HomeAssistantApp;
    let browser: Browser;

    before(async function () {
      const flows = [tab(), webhook('shared')];
      app = await startHomeAssistantApp(
        this,
        { ssl: false, httpNode },
        { flows, credentials: { shared: { hmacKey } } },
      );
    });

    after(async () => {
      await app.stop();
    });

    it('WA34: says that a monitor has no password, and tells the address without SSL', async () => {
      browser = await Browser.open();
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
