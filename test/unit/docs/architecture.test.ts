/** docs/architecture.md: its folders and files exist, and its table of imports matches the lint rule. */
import should from 'should';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waysOf } from '../../../scripts/build-docs-architecture';

const root = path.resolve(__dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');

/** Every path below src/, nodes/ or scripts/ on the page. */
function named(): string[] {
  return [...page.matchAll(/`((?:src|nodes|scripts)\/[\w./-]+)`/g)].map(([, name = '']) => name);
}

describe('the architecture page', () => {
  it('names only files and folders that exist', () => {
    named().length.should.be.above(40);
    named()
      .filter((name) => !existsSync(path.join(root, name)))
      .should.be.empty();
  });

  it('names every folder of src', () => {
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    folders
      .map(({ name }) => `src/${name}`)
      .filter((folder) => !named().includes(folder))
      .should.be.empty();
  });

  it('fits on two screens', () => {
    page.split('\n').length.should.be.belowOrEqual(100);
  });

  it('follows a reading over both kinds of connection, and a delivery, each from the bytes to a node', () => {
    const ways = waysOf(page);
    ways.should.have.length(3);
    for (const { title, files } of ways) {
      files.length.should.be.above(10, title);
      new Set(files).size.should.equal(files.length, title);
      should(files.at(-1)).match(/^nodes\//, title);
    }
  });

  it('says of each folder what the lint rule lets it import', () => {
    const rules = readFileSync(path.join(root, 'scripts/arrows.mjs'), 'utf8').split('};')[0] ?? '';
    const allowed = [...rules.matchAll(/^ {2}(\w+): \[(.*)\],$/gm)].map(([, folder = '', list = '']) => ({
      folder: `src/${folder}`,
      imports: namesIn(list, "'"),
    }));
    const rows = [...page.matchAll(/^\| `(src\/\w+)` \|[^|]+\|([^|]*)\|$/gm)];
    const said = rows.map(([, folder, list = '']) => ({ folder, imports: namesIn(list, '`') }));
    const sorted = (all: { folder?: string | undefined; imports: string[] }[]) =>
      all.map(({ folder = '', imports }) => `${folder}: ${imports.sort().join(' ')}`).sort();
    sorted(said).should.eql(sorted(allowed));
  });
});

function namesIn(list: string, quote: string): string[] {
  return [...list.matchAll(new RegExp(`${quote}([^${quote}]+)${quote}`, 'g'))].map(([, name = '']) => name);
}
