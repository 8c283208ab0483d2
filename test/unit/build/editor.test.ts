import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import should from 'should';
import {
  readTypeCatalogue,
  flatten,
  languages,
  readCatalogue,
  shippedCatalogue,
} from '../../../scripts/build/catalogue';
import { buildEditor, editorNodeTypes, formOf, htmlOf, sharedScript } from '../../../scripts/build/editor';

const root = path.resolve(__dirname, '../../..');

describe('the editor step of the build', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'cemm-editor-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const type of editorNodeTypes(root)) {
    it(`puts everything of ${type} where Node-RED's loader looks for it`, async () => {
      const target = path.join(folder, type);
      await buildEditor(root, type, target);
      const expected = ['runtime.html', `icons/${type}.svg`].concat(
        languages.flatMap((language) => [`locales/${language}/runtime.json`, `locales/${language}/runtime.html`]),
      );
      expected.filter((file) => !existsSync(path.join(target, file))).should.deepEqual([]);
    });
  }

  it('gives each node the sentences of its form, and those of the runtime once, to the connection', async () => {
    const catalogues = ['cemm-realtime', 'cemm-connection'].map(async (type) => {
      const target = path.join(folder, 'sentences', type);
      await buildEditor(root, type, target);
      return JSON.parse(readFileSync(path.join(target, 'locales/nl/runtime.json'), 'utf8')) as object;
    });
    const [realtime, connection] = await Promise.all(catalogues);
    should(realtime).have.properties('palette', 'port').and.not.have.properties('form', 'error', 'status');
    should(connection).have.properties('form', 'check', 'error', 'status');
  });

  for (const type of editorNodeTypes(root)) {
    it(`gives ${type} every sentence that its page asks for`, async () => {
      const target = path.join(folder, 'asked', type);
      await buildEditor(root, type, target);
      const page = readFileSync(path.join(target, 'runtime.html'), 'utf8');
      const all = flatten(readTypeCatalogue(root, type, 'en-US'));
      const shipped = flatten(readCatalogue(path.join(target, 'locales/en-US/runtime.json')));
      const asked = keysIn(page, [...all.keys()]);
      asked.length.should.be.above(2);
      // A key outside its own sentences is looked up with the connection.
      const withConnection = flatten(shippedCatalogue(root, 'cemm-connection', 'en-US'));
      asked.filter((key) => !shipped.has(key) && !withConnection.has(key)).should.deepEqual([]);
      // Node-RED looks up an attribute, and a node's own `_()`, in the catalogue of the type.
      const byNodeRed = [...page.matchAll(/(?:data-i18n="(?:\[\w+\])?|this\._\(["'])(\w[\w.]*)["']/g)].map(
        ([, key = '']) => key,
      );
      byNodeRed.filter((key) => !shipped.has(key)).should.deepEqual([]);
    });
  }

  it('ships the sentences of shared rows once, with the connection, where the forms look them up', () => {
    formOf(root, 'cemm-series').should.containEql('data-i18n="node-red-contrib-cemm/cemm-connection:form.alias"');
    formOf(root, 'cemm-connection').should.not.containEql('cemm-connection:');
    should(flatten(shippedCatalogue(root, 'cemm-series', 'nl')).has('form.alias')).equal(false);
    should(flatten(shippedCatalogue(root, 'cemm-connection', 'nl')).has('form.alias')).equal(true);
  });

  it('lets a page that arrives before the shared modules wait for them', async () => {
    const scriptIn = (page: string): string => /<script type="text\/javascript">([^]*)<\/script>/.exec(page)?.[1] ?? '';
    const registered: string[] = [];
    const events = { on: () => undefined };
    const nodes = { registerType: (type: string) => registered.push(type), filterNodes: () => [] };
    const sandbox = vm.createContext({
      Intl,
      URL,
      $: () => ({ length: 0 }),
      location: { hash: '' },
      RED: { _: () => '', events, nodes, settings: {} },
    });
    vm.runInContext(scriptIn(await htmlOf(root, 'cemm-series')), sandbox);
    registered.should.eql([]);
    vm.runInContext(scriptIn(await htmlOf(root, 'cemm-connection')), sandbox);
    registered.should.eql(['cemm-connection', 'cemm-series']);
    vm.runInContext(scriptIn(await htmlOf(root, 'cemm-totals')), sandbox);
    registered.should.eql(['cemm-connection', 'cemm-series', 'cemm-totals']);
  });

  it('has no shared module that looks a sentence up as a node does, among the own ones of its type', async () => {
    (await sharedScript(root)).should.not.match(/(?<!RED)\._\(/);
  });

  it('ships the modules that dialogs share once, with the first type of package.json', async () => {
    const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
    should(/"nodes": \{\s*"([\w-]+)"/.exec(manifest)?.[1]).equal('cemm-connection');
    const pages = await Promise.all(editorNodeTypes(root).map((type) => htmlOf(root, type)));
    pages.filter((page) => page.includes('var cemmForms=')).length.should.equal(1);
    should((await htmlOf(root, 'cemm-connection')).includes('var cemmForms=')).equal(true);
  });

  it('puts the shared rows into a form', () => {
    const form = formOf(root, 'cemm-realtime');
    form.should.match(/id="node-input-connection"/);
    form.should.not.match(/include/);
  });
});

/** The keys that the page names in a string or attribute, or as the beginning of a template. */
function keysIn(page: string, keys: readonly string[]): string[] {
  const named = new Set(page.match(/(?<=[\]"'`;])\w+(?:\.\w+)+(?=["'`;])/g));
  const begun = (page.match(/(?<=`)\w+\.(?:\w+\.)*(?=\$\{)/g) ?? []).map(String);
  return keys.filter((key) => named.has(key) || begun.some((beginning) => key.startsWith(beginning)));
}
