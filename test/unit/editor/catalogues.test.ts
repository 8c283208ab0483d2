import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import {
  readTypeCatalogue,
  flatten,
  type Language,
  languages,
  readCatalogue,
  readRuntimeCatalogue,
} from '../../../scripts/build/catalogue';
import { editorNodeTypes, formOf } from '../../../scripts/build/editor';
import { helpPage } from '../../../scripts/build/include';
import { filesUnder, isMentioned, mentioned, withImports } from '../../support/editor/source-keys';

const root = path.resolve(__dirname, '../../..');
const types = editorNodeTypes(root);
const sharedEditor = path.join(root, 'nodes', 'lib', 'editor');
const runtime = path.join(root, 'nodes', 'lib', 'locales');
const folders = [
  ...types.map((type) => path.join(root, 'nodes', type, 'locales')),
  path.join(sharedEditor, 'locales'),
  runtime,
].filter((folder) => filesUnder(path.dirname(folder), '.json').some((file) => file.startsWith(folder)));

function sentencesOf(folder: string, language: Language): Map<string, string> {
  if (folder === runtime) return flatten(readRuntimeCatalogue(root, language));
  return flatten(readCatalogue(path.join(folder, `${language}.json`)));
}

/** Placeholders of a sentence: `__floor__`, and `{0}` on the page. */
function blanks(sentence: string): string[] {
  return [...new Set(sentence.match(/__\w+?__|\{\d\}/g))].sort();
}

describe('message catalogues', () => {
  for (const folder of folders) {
    describe(path.relative(root, folder), () => {
      const english = sentencesOf(folder, 'en-US');

      for (const language of languages.slice(1)) {
        it(`leaves the same blanks in ${language}`, () => {
          const sentences = sentencesOf(folder, language);
          for (const [key, sentence] of english) {
            blanks(sentences.get(key) ?? '').should.deepEqual(blanks(sentence), key);
          }
        });
      }

      it('has no blank sentence', () => {
        for (const language of languages) {
          for (const [key, sentence] of sentencesOf(folder, language)) {
            sentence.trim().should.not.equal('', `${language} ${key}`);
          }
        }
      });
    });
  }

  it('is one catalogue per node type: no sentence is given twice', () => {
    for (const type of types) {
      for (const language of languages) readTypeCatalogue(root, type, language).should.be.an.Object();
    }
  });
});

describe('keys of the catalogues', () => {
  const forms = types.map((type) => formOf(root, type));

  for (const type of types) {
    const own = path.join(root, 'nodes', type);
    // The page looks reasons up by their names.
    const reasons = path.join(root, 'src', 'model', 'balance-payload.ts');
    const inSources = mentioned([...filesUnder(own, '.ts'), reasons], [formOf(root, type)]);
    const inShared = mentioned(filesUnder(path.join(root, 'nodes', 'lib'), '.ts'), []);

    it(`${type} uses each of its own`, () => {
      const keys = [...sentencesOf(path.join(own, 'locales'), 'en-US').keys()];
      const inTemplates = filesUnder(own, '.html')
        .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bname\('(\w+)'\)/g)])
        .map(([, name = '']) => `page.${name}`);
      const isUsed = (key: string): boolean => isMentioned(key, inSources) || isMentioned(key, inShared);
      // The page imports its section as a whole.
      const unused = keys.filter((key) => !isUsed(key.replace(/^page\./, '')) && !inTemplates.includes(key));
      unused.should.deepEqual([]);
    });

    it(`${type} has each one that its editor script uses`, () => {
      const known = flatten(readTypeCatalogue(root, type, 'en-US'));
      const tops = new Set([...known.keys()].map((key) => key.split('.')[0]));
      const looksLikeKey = (text: string): boolean => /^\w+(\.\w+)+$/.test(text) && tops.has(text.split('.')[0]);
      const script = mentioned(withImports(path.join(own, 'editor.ts')), []);
      const used = [...script.literals].filter(looksLikeKey);
      used.length.should.be.above(0);
      used.filter((key) => !known.has(key)).should.deepEqual([]);
    });
  }

  it('of the shared form are each used by a form or by a script', () => {
    const all = mentioned(
      [
        ...filesUnder(sharedEditor, '.ts'),
        ...['field-rules.ts', 'shared-config.ts'].map((file) => path.join(root, 'nodes', 'lib', 'stored', file)),
        ...types.flatMap((type) => filesUnder(path.join(root, 'nodes', type), '.ts')),
      ],
      forms,
    );
    const keys = [...sentencesOf(path.join(sharedEditor, 'locales'), 'en-US').keys()];
    keys.filter((key) => !isMentioned(key, all)).should.deepEqual([]);
  });
});

/** Fields whose label and choices do not say what they do, and that have no hint in the form. */
const explainedInHelp: Readonly<Record<string, readonly string[]>> = {
  'cemm-page': ['field.readings'],
  'cemm-realtime': ['form.role', 'field.onlyChanges'],
  'cemm-series': ['form.role'],
  'cemm-totals': ['form.role'],
};

describe('help pages', () => {
  /** Tags and code in order, which a translation must keep. */
  function skeleton(html: string): string[] {
    return html.match(/<\/?\w+|<code>[^<]*<\/code>/g) ?? [];
  }

  for (const type of types) {
    for (const language of languages) {
      it(`${type} has one in ${language}, built like the English one`, () => {
        const file = path.join(root, 'nodes', type, 'locales', `${language}.html`);
        should(existsSync(file)).equal(true, file);
        const html = helpPage(root, type, language);
        html.should.startWith(`<script type="text/html" data-help-name="${type}">`);
        html.trimEnd().should.endWith('</script>');
        const english = helpPage(root, type, 'en-US');
        skeleton(html)
          .map((part) => part.replace(/\$\{\w+\}/, '$'))
          .should.deepEqual(skeleton(english).map((part) => part.replace(/\$\{\w+\}/, '$')));
      });
    }
  }

  for (const [type, keys] of Object.entries(explainedInHelp)) {
    it(`${type} explains the fields without a hint, by their labels`, () => {
      for (const language of languages) {
        const html = helpPage(root, type, language);
        const sentences = flatten(readTypeCatalogue(root, type, language));
        keys.filter((key) => !html.includes(`<em>${sentences.get(key)}</em>`)).should.eql([], language);
      }
    });
  }
});
