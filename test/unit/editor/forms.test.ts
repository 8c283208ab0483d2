import path from 'node:path';
import 'should';
import { editorNodeTypes, formOf, readFormStyle } from '../../../scripts/build/editor';
import { filesUnder, stringsOf } from '../../support/editor/source-keys';

const root = path.resolve(__dirname, '../../..');

describe('forms', () => {
  for (const type of editorNodeTypes(root)) {
    describe(type, () => {
      const form = formOf(root, type);

      it('has its template under its own name', () => {
        form.trim().should.startWith(`<script type="text/html" data-template-name="${type}">`);
        form.should.not.match(/<!--/);
      });

      it('shows no text that is not in the catalogue', () => {
        const text = form.replace(/<script[^>]*>|<\/script>/g, '').replace(/<[^>]*>/g, ' ');
        text.trim().should.equal('');
        form.should.not.match(/\s(placeholder|title|alt|aria-label)=/);
      });

      it('names an input for every label', () => {
        for (const [, id = ''] of form.matchAll(/<label[^>]*\sfor="([^"]*)"/g)) {
          form.should.match(new RegExp(`<(input|select|textarea)[^>]*\\sid="${id}"`));
        }
      });

      it('keeps its styles to itself', () => {
        form.should.match(/<div class="cemm-form/);
      });
    });
  }

  it('use the colours of the editor only', () => {
    const css = readFormStyle(root);
    css.should.not.match(/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i);
    // A list in brackets is part of one selector.
    const rules = css.replace(/\/\*.*?\*\//gs, '').replace(/\([^()]*\)/g, '');
    const selectors = [...rules.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
    selectors.length.should.be.above(10);
    for (const selector of selectors) selector.trim().should.match(/^\.cemm-form( |$)/);
  });

  it('get no sentence from a script', () => {
    const scripts = [
      ...filesUnder(path.join(root, 'nodes/lib/editor'), '.ts'),
      ...editorNodeTypes(root).flatMap((type) =>
        filesUnder(path.join(root, 'nodes', type), '.ts').filter((file) => path.basename(file).startsWith('editor')),
      ),
    ];
    for (const script of scripts) {
      const { literals, beginnings } = stringsOf(script);
      // Words with blanks between them that are neither selectors, classes, attributes, browser events nor icons.
      const sentences = [...literals, ...beginnings].filter(
        (text) =>
          /[a-z]{2,} [a-z]{2,}/i.test(text) &&
          !/[#.[]/.test(text) &&
          !/^fa fa-[a-z-]+$/.test(text) &&
          !/^(?:(?:cemm-[a-z-]+|aria-[a-z]+|input|change|keyup) ?)+$/.test(text),
      );
      sentences.should.deepEqual([], script);
    }
  });
});
