/** Links of help pages in the editor open the site in the reader's language. */
import should from 'should';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { languages } from '../../../scripts/build/catalogue';
import { withWebLinks } from '../../../scripts/build/editor';
import { helpPage } from '../../../scripts/build/include';
import { documentedTypes } from '../../../scripts/docs/build-docs-nodes';
import { siteAddress } from '../../../scripts/docs/site';
import { translations, twinOf } from '../../../scripts/docs/twins';

const root = path.resolve(__dirname, '../../..');

function linksIn(help: string): string[] {
  return [...help.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
}

describe('the links of a help page', () => {
  const translated = new Map(translations().map((page) => [twinOf(page).twin, page]));

  for (const type of documentedTypes) {
    it(`of ${type} lead to pages that are there, in the language of the page where there is one`, () => {
      const inEnglish: string[] = [];
      for (const language of languages) {
        const help = helpPage(root, type, language);
        const pages = linksIn(help).map((link) => path.posix.join('docs/nodes', link));
        pages.length.should.be.above(0, language);
        pages.filter((page) => !existsSync(path.join(root, page))).should.be.empty();
        if (language === 'en-US') inEnglish.push(...pages);
        const wanted = inEnglish.map((page) => (language === 'nl' ? (translated.get(page) ?? page) : page));
        pages.should.eql(wanted, language);
      }
    });
  }

  it('lead to the site once the package is built', () => {
    linksIn(withWebLinks('<a href="../nl/webhooks.md">Webhooks</a>')).should.eql([`${siteAddress()}nl/webhooks.html`]);
    linksIn(withWebLinks('<a href="https://example.org/">there</a>')).should.eql(['https://example.org/']);
  });

  it('cannot lead to a file that is not on the site', () => {
    should(() => withWebLinks('<a href="../../src/index.ts">source</a>')).throw(/no page of docs/);
  });

  it('use the address of the repository, which is in package.json alone', () => {
    const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      repository: { url: string };
    };
    const [, owner = '', name = ''] = /github\.com\/([^/]+)\/(.+)\.git$/.exec(repository.url) ?? [];
    siteAddress().should.equal(`https://${owner}.github.io/${name}/`);
  });
});
