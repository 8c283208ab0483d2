import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import should from 'should';
import { languages } from '../../../scripts/build/catalogue';
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

  it('puts the shared rows into a form', () => {
    const form = formOf(root, 'cemm-realtime');
    form.should.match(/id="node-input-connection"/);
    form.should.not.match(/include/);
  });
});
