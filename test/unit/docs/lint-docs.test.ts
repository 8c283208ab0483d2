/** Pages in two languages: a translation has the same parts as its English page, and was compared after the last change. */
import 'should';
import { documentedTypes } from '../../../scripts/build-docs-nodes';
import { readPage } from '../../../scripts/lint-docs/page';
import { differencesOf, hashOf, shapeDifference, translations, twinOf } from '../../../scripts/twins';

describe('the translations', () => {
  for (const page of translations()) {
    it(`${page} was compared with its English page as it is`, () => {
      differencesOf(page).should.be.empty();
    });
  }

  it('are those of the pages that the owner of a house reads', () => {
    const owners = [
      'balance',
      'connections',
      'dashboards',
      'databases',
      'home-assistant',
      'home-assistant-app',
      'troubleshooting',
      'webhooks',
    ];
    translations()
      .map((page) => twinOf(page).twin)
      .should.containDeep([
        'README.md',
        ...owners.map((name) => `docs/${name}.md`),
        ...documentedTypes.map((type) => `docs/nodes/${type}.md`),
      ]);
  });
});

describe('the README', () => {
  it('leads to the one in Dutch, and back', () => {
    readPage('README.md').prose.should.containEql('[Nederlands](README-nl.md)');
    readPage('README-nl.md').prose.should.containEql('[English](README.md)');
  });
});

describe('the comparison of two languages', () => {
  const page = '# House\n\nText.\n\n## Gas\n\n| a | b |\n|---|---|\n| `1|2` | 3 |\n';

  it('accepts another language', () => {
    shapeDifference(
      page,
      '# Huis\n\nWoorden, en meer.\n\n## Gas\n\n| x | y |\n|---|---|\n| z | 3 |\n',
    ).should.be.empty();
  });

  it('finds a heading that is missing, too much, or of another level', () => {
    for (const other of [page.replace('## Gas\n', ''), `${page}\n## Water\n`, page.replace('## ', '### ')]) {
      shapeDifference(page, other).length.should.equal(1);
    }
  });

  it('finds a table with another row or column', () => {
    shapeDifference(page, `${page}| 4 | 5 |\n`).length.should.equal(1);
    shapeDifference(page, page.replace('| 3 |', '|')).length.should.equal(1);
  });

  it('notices a change of a heading or a cell, and none of a sentence', () => {
    hashOf(page).should.not.equal(hashOf(page.replace('Gas', 'Water')));
    hashOf(page).should.not.equal(hashOf(page.replace('| 3 |', '| 4 |')));
    hashOf(page).should.equal(hashOf(page.replace('Text.', 'Other text.')));
  });
});
