/** The README and every page of docs/: links, pictures, samples, and completeness. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeDocs } from '../../../scripts/build-docs';
import { documentedTypes } from '../../../scripts/build-docs-nodes';
import { problemsIn, readPage } from '../../../scripts/check-docs';
import { fileAddresses, repositoryAddress } from '../../../scripts/repository-address';
import { siteAddress } from '../../../scripts/site';
import { errorCodes } from '../../../src/errors';
import { fieldOf } from '../../../src/model/channel-fields';
import type { RealtimePayload, Role } from '../../../src/model/payload';
import { errorResponse, type WebhookErrorWord } from '../../../src/webhook/http-exchange';
import { valid, withSchemas } from '../../support/model/wire';

const root = path.resolve(__dirname, '../../..');

const pages = [
  'README.md',
  'README-nl.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

/** The cells of every row of the tables in a page. */
function rowsOf(page: string): string[][] {
  return [...readPage(page).prose.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
}

function inCode(text: string | undefined): string {
  return /^`([^`]+)`$/.exec(text ?? '')?.[1] ?? '';
}

describe('the documentation', () => {
  for (const page of pages) {
    it(`${page} has links, pictures and samples that hold`, () => {
      problemsIn(page).should.be.empty();
    });
  }

  it('can be reached from the README, page by page', () => {
    const reached = new Set<string>();
    const visit = (page: string): void => {
      if (reached.has(page)) return;
      reached.add(page);
      for (const [, target = ''] of readPage(page).prose.matchAll(/\]\(([^)#\s:]+\.md)/g)) {
        visit(path.join(path.dirname(page), target));
      }
    };
    visit('README.md');
    pages.filter((page) => !reached.has(page)).should.be.empty();
  });

  it('shows every picture of docs/images', () => {
    const shown = pages.flatMap((page) =>
      [...readPage(page).prose.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target = '']) =>
        path.join(path.dirname(page), target),
      ),
    );
    const pictures = readdirSync(path.join(root, 'docs/images')).map((name) => path.join('docs/images', name));
    pictures.filter((picture) => !shown.includes(picture)).should.be.empty();
  });

  it('refers to no document that is not in the repository', () => {
    for (const page of pages) {
      const named = readPage(page).prose.match(
        /\b(?:spec|peers|contract|platform|vendor-facts)\.md\b|\breliability \d/g,
      );
      should(named).be.null();
    }
  });

  it('agrees with the help pages and the schemas: npx tsx scripts/build-docs.ts', function () {
    this.timeout(60_000);
    const made = makeDocs();
    made.size.should.equal(2 * documentedTypes.length + 3);
    for (const [file, content] of made) {
      (readFileSync(path.join(root, file), 'utf8') === content).should.be.true(`${file} is out of date`);
    }
  });

  it('has a page and a place in the README for every node type of the package', () => {
    const { 'node-red': nodeRed } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      'node-red': { nodes: Record<string, string> };
    };
    [...documentedTypes].sort().should.eql(Object.keys(nodeRed.nodes).sort());
    for (const type of documentedTypes) readPage('README.md').prose.should.containEql(`(docs/nodes/${type}.md)`);
  });

  it('names every example in the README', () => {
    const examples = readdirSync(path.join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) => path.basename(file, '.json'));
    const named = rowsOf('README.md').map(([first]) => inCode(first));
    examples.filter((name) => !named.includes(name)).should.be.empty();
  });

  it('has badges that say what package.json says', () => {
    const stated = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      license: string;
      engines: { node: string };
      'node-red': { version: string };
    };
    const badges = [...readPage('README.md').prose.matchAll(/img\.shields\.io\/badge\/([^)\s]+)-\w+\)/g)].map(
      ([, badge = '']) => decodeURIComponent(badge).replaceAll('--', '-').replace('≥ ', '>='),
    );
    badges.should.eql([
      `Node.js-${stated.engines.node}`,
      `Node-RED-${stated['node-red'].version.replace(/\.0$/, '')}`,
      `license-${stated.license}`,
    ]);
  });

  it('begins with what the package is and how it is installed, and has the commands of a copy behind the picture', () => {
    const text = readFileSync(path.join(root, 'README.md'), 'utf8');
    const [what, palette, picture, copy] = [
      'energy monitor',
      '*Manage palette*',
      'first-chart.webp)\n\n',
      '## From a copy',
    ];
    const places = [what, palette, picture, copy].map((words) => text.indexOf(words));
    places.should.eql([...places].sort((a, b) => a - b));
    text.indexOf(copy).should.equal(text.indexOf(picture) + picture.length);
    const [first] = readPage('README.md').samples;
    should(first?.code).match(/^npm ci && npm start .*\nnpm ci && npm test .*\n$/);
  });

  for (const page of ['README.md', 'README-nl.md']) {
    it(`${page} has links and pictures that the flow library shows: it makes relative ones lead to another branch`, () => {
      const text = readFileSync(path.join(root, page), 'utf8');
      const { pages: files, pictures } = fileAddresses();
      const links = [...text.matchAll(/(!?)\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)/g)];
      links.length.should.be.above(50);
      for (const [, mark, target = ''] of links) {
        target.should.match(/^(?:https?:|#)/);
        const own = [files, pictures].find((address) => target.startsWith(address));
        if (own !== undefined) own.should.equal(mark === '!' ? pictures : files, target);
        else target.should.not.containEql(repositoryAddress());
      }
    });
  }

  it('has the version whose section the changelog is writing', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const [, first] = /^## (\S+)/m.exec(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
    should(first).equal(version);
  });

  it('has its site as the homepage of the package', () => {
    const { homepage } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { homepage: string };
    homepage.should.equal(siteAddress());
  });
});

describe('the pages for when something does not work', () => {
  it('have one row for each error code', () => {
    const words = rowsOf('docs/troubleshooting.md').map(([first]) => inCode(first));
    words.filter((word) => /^[A-Z_]+$/.test(word)).should.eql([...errorCodes]);
  });

  it('list the answers that the webhook gives', () => {
    const named = [...readPage('docs/webhooks.md').prose.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)];
    named.length.should.be.aboveOrEqual(7);
    for (const [, status, word = ''] of named)
      errorResponse(word as WebhookErrorWord).status.should.equal(Number(status), word);
  });
});

describe('the message in the README', () => {
  withSchemas();

  it('is one, by its schema', () => {
    const [sample] = readPage('README.md').samples.filter(({ language }) => language === 'json');
    valid(JSON.parse(sample?.code ?? '') as RealtimePayload).kind.should.equal('realtime');
  });
});

describe('the table of fields', () => {
  const rows = rowsOf('docs/fields.md').filter((cells) => cells.length === 4 && inCode(cells[0]) !== '');

  it('has rows for every role', () => {
    rows.length.should.be.above(25);
    const roles = ['any', 'any other', 'battery', 'gas', 'production', 'water'];
    [...new Set(rows.map(([, role]) => role))].sort().should.eql(roles);
  });

  for (const [channel, role = '', name, unit = ''] of rows) {
    it(`calls ${channel ?? ''} (${role}) what the code calls it`, () => {
      const others: Readonly<Record<string, (Role | null)[]>> = {
        any: [null, 'grid', 'production'],
        'any other': [null, 'consumption'],
      };
      const roles = others[role] ?? [role as Role];
      for (const each of roles) {
        const field = fieldOf(inCode(channel), each, 'reading');
        field.name.should.equal(inCode(name));
        (field.unit ?? '').should.equal(unit.replaceAll('|', '').trim());
      }
    });
  }
});
