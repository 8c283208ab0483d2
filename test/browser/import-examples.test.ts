/** Imports examples like a user: none warns, and a second one uses the existing connection and dashboard. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { Browser } from '../support/browser/browser';
import { snippetsOf } from '../support/docs/snippets';
import { openEditor } from '../support/browser/dialogs';
import { editor, flowTab } from '../support/first-hour/editor';
import { MousePerson } from '../support/first-hour/mouse';
import { projectDir } from '../support/node-red/installed-package';
import { type FlowNode, NodeRed, tab } from '../support/node-red/node-red';

interface EditorWindow {
  RED: {
    nodes: {
      eachConfig(visit: (node: { id: string; type: string }) => boolean): void;
      node(id: string): { id: string; mode?: string; name?: string; path?: string } | null | undefined;
    };
    actions: { invoke(name: string): void };
  };
}

/** Those of the ids that the editor has. */
function idsThere(page: Page, ids: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (all) => all.filter((id) => (window as unknown as EditorWindow).RED.nodes.node(id)?.id === id),
    ids,
  );
}

function configNodes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    (window as unknown as EditorWindow).RED.nodes.eachConfig(({ id, type }) => {
      found.push(`${type} ${id}`);
      return true;
    });
    return found.sort();
  });
}

async function importText(page: Page, flow: string): Promise<void> {
  await page.keyboard.press('Control+i');
  // The dialog clears and focuses the text a moment after it opens.
  await page.locator(`${editor.importText}:focus`).waitFor();
  await page.fill(editor.importText, flow);
  // The dialog reads the text when a key is released.
  await page.press(editor.importText, 'End');
  await page.click(editor.importButton);
  await page.waitForSelector(editor.importDialog, { state: 'hidden' });
}

/** Every example of the package, and every flow on a page of the documentation. */
function flows(): [string, string][] {
  const files = ['examples', 'docs'].flatMap((folder) =>
    readdirSync(path.join(projectDir, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  );
  const textOf = (file: string): string => readFileSync(path.join(projectDir, file), 'utf8');
  const onPages = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      snippetsOf(textOf(file), 'json').map(({ heading, code }) => [`${file}: ${heading}`, code] as const),
    );
  return [
    ...files.filter((file) => file.endsWith('.json')).map((file) => [file, textOf(file)] as const),
    ...onPages.filter(([, code]) => /"type": ?"cemm-/.test(code)),
  ].map(([name, text]) => [name, text]);
}

describe('importing a flow of this package @node-red-5', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    const modules = ['@flowfuse/node-red-dashboard', 'node-red-contrib-home-assistant-websocket'];
    nodeRed = await NodeRed.start({ modules, flows: [tab()] });
    browser = await Browser.open();
    await openEditor(browser, nodeRed.url, 'ha-api');
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  for (const [name, flow] of flows()) {
    it(`does not warn: ${name}`, async () => {
      const { page } = browser;
      const nodes = JSON.parse(flow) as FlowNode[];
      const added = nodes.filter(({ type }) => type.startsWith('cemm-')).map(({ id }) => id);
      await importText(page, flow);
      should(await idsThere(page, added)).eql(added);
      // The notice would come with the next task.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
      const notices = '.red-ui-notification-warning, .red-ui-notification-error';
      should(await page.locator(notices).allTextContents()).eql([]);
      await page.evaluate(() => {
        (window as unknown as EditorWindow).RED.actions.invoke('core:undo');
      });
      should(await idsThere(page, added)).eql([]);
    });
  }
});

describe('importing a second example @node-red-5', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ modules: ['@flowfuse/node-red-dashboard'], flows: [tab()] });
    browser = await Browser.open();
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it('keeps the connection that the first one has, and its dashboard', async () => {
    const { page } = browser;
    const person = new MousePerson(browser);
    await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
    await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
    await person.import('energy-page');
    await page.locator(flowTab('CEMM energy page')).waitFor();
    // The user has chosen another mode in the meantime.
    await page.evaluate(() => {
      const connection = (window as unknown as EditorWindow).RED.nodes.node('cemm-demo-monitor');
      if (connection) connection.mode = 'remote';
    });
    await person.import('energy-page-webhook');
    await page.click('button:has-text("View nodes")');
    await page.locator('button:has-text("Import selected")').waitFor();
    await browser.picture('import-conflicts');
    await page.click('button:has-text("Import selected")');
    await page.locator(flowTab('CEMM energy page by webhook')).waitFor();
    const configs = await configNodes(page);
    for (const type of ['cemm-connection', 'ui-base', 'ui-theme']) {
      should(configs.filter((config) => config.startsWith(`${type} `))).have.length(1, configs.join('\n'));
    }
    const mode = await page.evaluate(
      () => (window as unknown as EditorWindow).RED.nodes.node('cemm-demo-monitor')?.mode ?? '',
    );
    mode.should.equal('remote');
    browser.errors.should.be.empty();
  });
});

describe('importing the page in a Dutch editor @node-red-5', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ modules: ['@flowfuse/node-red-dashboard'], flows: [tab()] });
    browser = await Browser.open({ language: 'nl-NL' });
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it('gives its nodes Dutch names, and keeps those of nodes that were there before', async () => {
    const { page } = browser;
    await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-page"]', { state: 'attached' });
    await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
    const ids = ['cemm-page-page', 'cemm-page-group', 'cemm-page-now', 'cemm-page-template'];
    const namesIn = (): Promise<string[]> =>
      page.evaluate((all) => all.map((id) => (window as unknown as EditorWindow).RED.nodes.node(id)?.name ?? ''), ids);
    const flow = readFileSync(path.join(projectDir, 'examples/energy-page.json'), 'utf8');
    await importText(page, flow);
    should(await namesIn()).eql(['Energie', 'Energie', 'huis nu', 'pagina']);

    await nodeRed.deploy(JSON.parse(flow) as FlowNode[]);
    await openEditor({ page }, nodeRed.url);
    should(await namesIn()).eql(['Energy', 'Energy', 'house now', 'page']);
    browser.errors.should.be.empty();
  });

  it('gives its page another path if a page of the dashboard has that of the example', async () => {
    const { page } = browser;
    const flow = readFileSync(path.join(projectDir, 'examples/energy-page.json'), 'utf8');
    const own = JSON.parse(flow.replaceAll('cemm-', 'own-')) as FlowNode[];
    await nodeRed.deploy([tab(), ...own.filter(({ type }) => ['ui-base', 'ui-theme', 'ui-page'].includes(type))]);
    await openEditor({ page }, nodeRed.url);
    await importText(page, flow);
    await page
      .locator('.red-ui-notification', { hasText: 'Pagina toegevoegd. Klik op Deploy en open /dashboard/house.' })
      .waitFor();
    const texts = await page.evaluate(() => {
      const { nodes } = (window as unknown as EditorWindow).RED;
      return ['own-page-page', 'cemm-page-page', 'cemm-page-note'].map(
        (id) => nodes.node(id)?.path ?? nodes.node(id)?.name,
      );
    });
    should(texts.slice(0, 2)).eql(['/energy', '/house']);
    should(texts[2]).match(/open \/dashboard\/house\./);
    browser.errors.should.be.empty();
  });
});
