import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import should from 'should';
import { catalogueOf, flatten, languages, readCatalogue } from '../../../scripts/build/catalogue';
import { buildEditor, editorNodeTypes, formOf } from '../../../scripts/build/editor';

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
    should(realtime).have.properties('palette', 'form', 'check').and.not.have.properties('error', 'status');
    should(connection).have.properties('form', 'check', 'error', 'status');
  });

  for (const type of editorNodeTypes(root)) {
    it(`gives ${type} every sentence that its page asks for`, async () => {
      const target = path.join(folder, 'asked', type);
      await buildEditor(root, type, target);
      const page = readFileSync(path.join(target, 'runtime.html'), 'utf8');
      const all = flatten(catalogueOf(root, type, 'en-US'));
      const shipped = flatten(readCatalogue(path.join(target, 'locales/en-US/runtime.json')));
      // What a request may fail with is looked up with the connection.
      const asked = keysIn(page, [...all.keys()]).filter((key) => !key.startsWith('error.'));
      asked.length.should.be.above(5);
      asked.filter((key) => !shipped.has(key)).should.deepEqual([]);
    });
  }

  it('puts the shared rows into a form', () => {
    const form = formOf(root, 'cemm-realtime');
    form.should.match(/id="node-input-connection"/);
    form.should.not.match(/include/);
  });
});

/** Of these keys, those that the page names in a string, in an attribute, or begins in a template. */
function keysIn(page: string, keys: readonly string[]): string[] {
  const named = new Set(page.match(/(?<=[\]"'`;])\w+(?:\.\w+)+(?=["'`;])/g));
  const begun = (page.match(/(?<=`)\w+\.(?:\w+\.)*(?=\$\{)/g) ?? []).map(String);
  return keys.filter((key) => named.has(key) || begun.some((beginning) => key.startsWith(beginning)));
}
