/** Installs both packages in a new Node-RED: in *Manage palette*, or from the message of an example. */
import 'should';
import { Browser } from '../support/browser/browser';
import { showsHouse } from '../support/page/shown';
import { openEditor } from '../support/browser/dialogs';
import { editor, paletteNode } from '../support/first-hour/editor';
import { dashboardPackage, sunnyAfternoon } from '../support/first-hour/house';
import { MousePerson } from '../support/first-hour/mouse';
import { packedFile } from '../support/node-red/installed-package';
import { LocalRegistry } from '../support/node-red/local-registry';
import { NodeRed } from '../support/node-red/node-red';
import { until } from '../support/until';

describe('a Node-RED without packages', function () {
  this.timeout(300_000);
  let registry: LocalRegistry;
  let nodeRed: NodeRed;
  let browser: Browser;
  let person: MousePerson;

  before(async () => {
    registry = await LocalRegistry.open([dashboardPackage]);
  });

  beforeEach(async () => {
    nodeRed = await NodeRed.start({
      isBare: true,
      settings: `editorTheme: { tours: false, palette: { catalogues: ['${registry.catalogue}'] } },`,
      env: { npm_config_registry: registry.url, CEMM_TEST_CLOCK: sunnyAfternoon },
    });
    browser = await Browser.open({ width: 1280, height: 800, clock: sunnyAfternoon });
    person = new MousePerson(browser);
    await openEditor(browser, nodeRed.url, 'inject');
  });

  afterEach(async () => {
    await browser.close();
    await nodeRed.stop();
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });

  after(async () => {
    await registry.close();
  });

  /** Uploads a file in the tab *Install*. */
  async function uploadPackage(): Promise<void> {
    const { page } = browser;
    await person.press('menu', '#red-ui-header-button-sidemenu');
    await person.press('Manage palette', '#menu-item-edit-palette');
    await person.press('Install', '.red-ui-tab:has-text("Install") a');
    const chooser = page.waitForEvent('filechooser');
    await person.press('upload', '.red-ui-palette-editor-upload-button label');
    await (await chooser).setFiles(await packedFile());
    await person.press('Upload', '.red-ui-palette-editor-upload-buttons .primary');
    await added('cemm-realtime');
  }

  async function added(type: string): Promise<void> {
    await browser.page.locator(paletteNode(type)).waitFor({ state: 'attached', timeout: 120_000 });
  }

  it('gets this package as a file and the dashboard from the list in Manage palette', async () => {
    const { page } = browser;
    await uploadPackage();
    const entry = page.locator('.red-ui-palette-module-header', { hasText: dashboardPackage }).locator('visible=true');
    await person.type('the name of the dashboard', '.red-ui-palette-search input:visible', dashboardPackage);
    await person.press('install', entry.getByText('install', { exact: true }));
    await person.press('Install', '.red-ui-palette-module-install-confirm-button-install');
    await added('ui-chart');
    await person.look(entry);
    await browser.picture('palette-both');
  });

  it('offers the dashboard with an example that needs it, and then shows the page', async () => {
    const { page } = browser;
    await uploadPackage();
    await person.confirm('Done');
    await page.locator(editor.tray).waitFor({ state: 'detached' });
    await person.import('energy-page');
    const offer = page.locator('.red-ui-notification', { hasText: dashboardPackage }).locator('button.primary');
    await person.look(offer);
    await browser.picture('palette-missing');
    await person.press('Install all', offer);
    await added('ui-chart');
    await person.deploy(nodeRed);
    await person.goTo('the page', `${nodeRed.url}/dashboard/energy`);
    await until('the power of the house', () => showsHouse(page));
  });
});
