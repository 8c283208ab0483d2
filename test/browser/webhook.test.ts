/** A user's steps to receive webhooks: read the address, make a key, deploy, and send a test. */
import should from 'should';
import { Browser } from '../support/browser/browser';
import { loopbackOnly } from '../support/network/discoverable';
import { freePort, NodeRed } from '../support/node-red/node-red';
import { until } from '../support/until';
import { credentials, webhookFlow } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';

interface EditorWindow {
  RED: {
    nodes: {
      filterNodes(filter: object): unknown[];
      createExportableNodeSet(nodes: unknown[]): Record<string, unknown>[];
      dirty(): boolean;
    };
    editor: { edit(node: unknown): void };
  };
}

declare const window: unknown;

describe('the dialog of a webhook node @node-red-5-daily', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let ownPort = 0;
  let browser: Browser;

  async function openDialog(): Promise<void> {
    browser = await Browser.open({ height: 1300 });
    const { page } = browser;
    await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-webhook-in"]', { state: 'attached' });
    await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
    await edit();
  }

  /** Rarely used fields are in parts that are closed at first. */
  async function openParts(): Promise<void> {
    await browser.page.locator('.cemm-form details').evaluateAll((parts) => {
      for (const part of parts) part.setAttribute('open', '');
    });
  }

  async function edit(): Promise<void> {
    await browser.page.evaluate(() => {
      const { RED } = window as EditorWindow;
      RED.editor.edit(RED.nodes.filterNodes({ type: 'cemm-webhook-in' })[0]);
    });
    await browser.page.waitForSelector('#node-input-path', { state: 'visible' });
  }

  before(async () => {
    ownPort = await freePort();
    nodeRed = await NodeRed.start({
      settings: "httpNodeRoot: '/api',",
      env: { CEMM_RECEIVER_PORT: String(ownPort) },
      flows: webhookFlow(),
      credentials,
      // The addresses of this machine are offered in place of localhost.
      nodeOptions: loopbackOnly,
    });
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('shows the full address and changes it with the path and the key in the URL', async () => {
    await openDialog();
    const { page } = browser;
    const address = () => page.inputValue('#cemm-webhook-address');
    should(await address()).equal(`${nodeRed.url}/api/cemm`);
    await page.fill('#node-input-path', 'house/one');
    should(await address()).equal(`${nodeRed.url}/api/house/one`);
    await openParts();
    await page.check('#node-input-query');
    should(await address()).equal(`${nodeRed.url}/api/house/one?api_key=…`);
    should(await page.isVisible('#node-input-queryKey')).be.true();
    should(await page.isVisible('#node-input-headerKey')).be.false();
    should(await page.textContent('#cemm-webhook-address-hint')).containEql('No monitor can use it itself');
    should(await page.isVisible('#cemm-webhook-auth')).be.false();
  });

  it('warns where installations share a key, and about a short one', async () => {
    await openDialog();
    const { page } = browser;
    await openParts();
    const note = () => page.isVisible('#cemm-webhook-shared-key');
    should(await note()).be.false();
    await page.fill('#node-input-path', '/cemm/:installation');
    should(await note()).be.true();
    await page.fill('#node-input-path', '/cemm/:cemm');
    should(await note()).be.true();
    await page.fill('#node-input-path', '/cemm');
    should(await note()).be.false();
    await page.check('#node-input-header');
    await page.check('#node-input-query');
    for (const name of ['hmacKey', 'headerKey', 'queryKey']) {
      const warning = page.locator(`#cemm-webhook-short-${name}`);
      await page.fill(`#node-input-${name}`, 'a short key');
      await warning.locator(':scope:has-text("shorter than 32 characters")').waitFor();
      // It is a warning: the node works with this key. A field is checked when it loses the focus.
      await page.locator(`#node-input-${name}`).blur();
      should(await page.locator(`#node-input-${name}.input-error`).count()).equal(0);
      await page.fill(`#node-input-${name}`, 'x'.repeat(32));
      should(await warning.textContent()).equal('');
    }
  });

  it('WA32: asks where the keys of a fleet are stored, and explains an invalid value', async () => {
    await openDialog();
    const { page } = browser;
    const isWrong = (name: string) =>
      page.evaluate((field) => {
        const { RED } = window as EditorWindow;
        const node = RED.nodes.filterNodes({ type: 'cemm-webhook-in' })[0] as {
          _def: {
            defaults: Record<string, { validate: { call(node: unknown, value: unknown, options: object): unknown } }>;
          };
        };
        const value = (document.querySelector(`#node-input-${field}`) as { value: string } | null)?.value;
        return node._def.defaults[field]?.validate.call(node, value, {});
      }, name);
    await openParts();
    should(await page.isVisible('#node-input-hmacKey')).be.true();
    should(await page.isVisible('#cemm-webhook-installation')).be.false();
    await page.fill('#node-input-path', '/cemm/:installation');
    should(await isWrong('path')).be.true();
    should(await page.isVisible('#cemm-webhook-installation')).be.true();
    await page.evaluate(() => {
      const { $ } = window as { $: (selector: string) => { typedInput(what: string, value: string): void } };
      $('#node-input-hmacKeyFrom').typedInput('type', 'env');
      $('#node-input-hmacKeyFrom').typedInput('value', '${installation}');
    });
    should(await page.isVisible('#node-input-hmacKey')).be.false();
    should(await page.textContent('#cemm-webhook-from-hint')).containEql('CEMM_KEY_house-1');
    should(await isWrong('hmacKeyFrom'))
      .be.a.String()
      .and.containEql('must have text beside the parameter');
    await page.evaluate(() => {
      const { $ } = window as { $: (selector: string) => { typedInput(what: string, value: string): void } };
      $('#node-input-hmacKeyFrom').typedInput('value', 'CEMM_KEY_${installation}');
    });
    should(await isWrong('hmacKeyFrom')).be.true();
    for (const [source, isReadable] of [
      ['global', true],
      ['flow', true],
      ['jsonata', false],
      ['env', false],
    ] as const) {
      await page.evaluate((type) => {
        const { $ } = window as { $: (selector: string) => { typedInput(what: string, value: string): void } };
        $('#node-input-hmacKeyFrom').typedInput('type', type);
      }, source);
      should(await page.isVisible('#cemm-webhook-context-note')).equal(isReadable, source);
    }
    should(await page.textContent('#cemm-webhook-context-note')).containEql('read-only');
    await page.uncheck('#node-input-hmac');
    should(await page.isVisible('.cemm-webhook-hmac')).be.false();
  });

  it('shows address and hints of a port for deliveries, and says what is wrong with port, address and path', async () => {
    await openDialog();
    const { page } = browser;
    const address = () => page.inputValue('#cemm-webhook-address');
    const complaints = () => page.locator('.input-error').count();
    const type = async (field: string, value: string): Promise<void> => {
      await page.fill(`#node-input-${field}`, value);
      // A field is checked when it loses the focus.
      await page.press(`#node-input-${field}`, 'Tab');
    };
    should(await page.isVisible('#node-input-port')).be.false();
    await openParts();
    await page.selectOption('#node-input-listen', 'own');
    should(await page.inputValue('#node-input-port')).equal('1881');
    should(await page.inputValue('#node-input-bind')).equal('0.0.0.0');
    should(await address()).equal('http://127.0.0.1:1881/cemm');
    await page.fill('#node-input-port', '8443');
    await page.fill('#node-input-path', '/house');
    should(await address()).equal('http://127.0.0.1:8443/house');
    should(await page.textContent('#cemm-webhook-port-hint')).containEql('-p 8443:8443');
    await page.fill('#node-input-bind', '192.168.1.5');
    should(await address()).equal('http://192.168.1.5:8443/house');
    should(await page.textContent('#cemm-webhook-address-hint')).not.containEql('localhost');
    await page.fill('#node-input-bind', '::1');
    should(await address()).equal('http://[::1]:8443/house');
    should(await complaints()).equal(0);
    for (const [field, wrong, right] of [
      ['port', '70000', '1881'],
      ['port', '', '${CEMM_RECEIVER_PORT}'],
      ['bind', 'localhost', '0.0.0.0'],
      ['path', '/health', '/cemm'],
    ] as const) {
      await type(field, wrong);
      should(await page.locator(`#node-input-${field}.input-error`).count()).equal(1, field);
      await type(field, right);
      should(await complaints()).equal(0, field);
    }
    await type('path', '/health');
    await page.selectOption('#node-input-listen', 'shared');
    should(await complaints()).equal(0);
    should(await page.isVisible('#node-input-port')).be.false();
    should(await address()).equal(`${nodeRed.url}/api/health`);
  });

  it('deploys a port for deliveries, sends a test to it, and lists good and bad calls apart', async () => {
    await openDialog();
    const { page } = browser;
    await openParts();
    await page.selectOption('#node-input-listen', 'own');
    await page.fill('#node-input-port', '${CEMM_RECEIVER_PORT}');
    await page.fill('#node-input-bind', '127.0.0.1');
    await page.click('#cemm-webhook-test');
    await page.waitForSelector('#cemm-webhook-summary:has-text("path or the port was changed")');
    await page.click('#node-dialog-ok');
    await page.click('#red-ui-header-button-deploy');
    await page.waitForSelector('.red-ui-notification-success');
    const url = `http://127.0.0.1:${ownPort}/cemm`;
    await until('an open port', async () => (await fetch(url).catch(() => null))?.status === 405);
    for (let call = 0; call < 6; call++) await fetch(url);
    await edit();
    await page.waitForFunction(
      (expected) => (document.querySelector('#cemm-webhook-address') as { value?: string } | null)?.value === expected,
      url,
    );
    await page.click('#cemm-webhook-test');
    await page.waitForSelector('#cemm-webhook-result:has-text("200")');
    await page.waitForSelector('#cemm-webhook-deliveries th:has-text("Last accepted")');
    await page.waitForSelector('#cemm-webhook-deliveries th:has-text("Last refused")');
    should(await page.locator('#cemm-webhook-deliveries td:has-text("not a POST")').count()).equal(5);
    should(await page.locator('#cemm-webhook-deliveries td:has-text("accepted")').count()).be.above(0);
    await page.locator('#cemm-webhook-deliveries tr').last().scrollIntoViewIfNeeded();
    await browser.picture('webhook-deliveries', '.red-ui-tray');
    await page.locator('#node-input-name').scrollIntoViewIfNeeded();
    await browser.picture('webhook-own-port', '.red-ui-tray');
    await page.selectOption('#node-input-listen', 'shared');
    await page.click('#node-dialog-ok');
    await page.click('#red-ui-header-button-deploy');
    await until(
      'the path on the port of Node-RED',
      async () => (await fetch(`${nodeRed.url}/api/cemm`)).status === 405,
    );
  });

  it('sends a signed test with the deployed key and with a new one, and lists the deliveries', async () => {
    await post({ url: `${nodeRed.url}/api/cemm`, key: 'wrong' }, delivery());
    await openDialog();
    const { page } = browser;
    await page.waitForSelector('#cemm-webhook-deliveries td:has-text("wrong signature")');
    await page.click('#cemm-webhook-test');
    await page.waitForSelector('#cemm-webhook-result:has-text("200")');
    await page.waitForSelector('#cemm-webhook-deliveries td:has-text("accepted")');
    await page.click('#cemm-webhook-generate');
    should(await page.inputValue('#node-input-hmacKey')).match(/^[0-9a-f]{64}$/);
    await page.click('#cemm-webhook-test');
    await page.waitForSelector('#cemm-webhook-summary:has-text("Deploy first")');
    should(await page.textContent('#cemm-webhook-result')).containEql('bad_signature');
    await browser.picture('webhook-dialog', '.red-ui-tray');
    // The key takes effect with the deploy, and is not shown again.
    await page.click('#node-dialog-ok');
    await page.click('#red-ui-header-button-deploy');
    await page.waitForSelector('.red-ui-notification-success');
    await edit();
    should(await page.inputValue('#node-input-hmacKey')).equal('__PWRD__');
    await page.click('#cemm-webhook-test');
    await page.waitForSelector('#cemm-webhook-result:has-text("200")');
  });

  it('leaves the node as it was when it is opened and closed', async () => {
    await openDialog();
    const stored = () =>
      browser.page.evaluate(() => {
        const { RED } = window as EditorWindow;
        return JSON.stringify(RED.nodes.createExportableNodeSet(RED.nodes.filterNodes({ type: 'cemm-webhook-in' })));
      });
    const before = await stored();
    await browser.page.click('#node-dialog-ok');
    await browser.page.waitForSelector('#node-input-path', { state: 'detached' });
    should(await stored()).equal(before);
  });
});
