/** Dutch help pages contain no English words except names in code. */
import should from 'should';
import path from 'node:path';
import { editorNodeTypes } from '../../../scripts/build/editor';
import { helpPage } from '../../../scripts/build/include';
import { wordsIn, wordsOfEnglishOnly } from '../../support/editor/english-words';

const root = path.resolve(__dirname, '../../..');
/** Words that are also Dutch, or names: over, plus, zone, the web, the demo monitor, the Remote API, back-ups, the measurements of InfluxDB. */
const alsoDutch = new Set(['over', 'plus', 'zone', 'web', 'demo', 'remote', 'back', 'measurements']);

/** The text for readers, without names of properties and code. */
function proseOf(html: string): string {
  return html.replace(/<(code|pre|dt)\b[^>]*>[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]+>/g, ' ');
}

describe('a help page in Dutch', () => {
  const englishOnly = wordsOfEnglishOnly();
  const englishIn = (html: string): string[] =>
    wordsIn(proseOf(html)).filter((word) => englishOnly.has(word) && !alsoDutch.has(word));

  for (const type of editorNodeTypes(root)) {
    it(`has no English words: ${type}`, () => {
      const page = helpPage(root, type, 'nl');
      should(wordsIn(proseOf(page)).length).be.above(100);
      englishIn(page).should.eql([]);
    });
  }

  it('would fail with English words in a sentence', () => {
    englishIn('<p>Kies een meter, such as <code>p1</code> since <b>yesterday</b>.</p>').should.eql([
      'such',
      'since',
      'yesterday',
    ]);
  });
});
