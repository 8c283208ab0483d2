/** The recipes of CONTRIBUTING.md: the files that they name exist, and a change needs few of them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';

const root = path.resolve(__dirname, '../../..');
const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** Title → the most files that the steps may name. */
const mostFiles = { 'Add a view of the page': 8, 'Add a field': 9, 'Add an option': 14 } as const;

const [, section = ''] = /\n## Recipes\n([^]*?)\n## /.exec(page) ?? [];

/** Title → text. */
const recipes = new Map(
  section
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text] as const),
);

/** `a.{json,html}` → `a.json`, `a.html`. */
function expand(name: string): string[] {
  const [whole, before = '', list = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name) ?? [];
  return whole === undefined ? [name] : list.split(',').flatMap((one) => expand(`${before}${one}${after}`));
}

function isFile(word: string): boolean {
  return /^[\w.-]+\//.test(word) || /^[A-Z][\w-]*\.md$/.test(word);
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Files and folders in a text and in its commands. */
function namedIn(text: string): string[] {
  return codesIn(text)
    .flatMap((code) => code.split(/\s+/))
    .map((word) => word.replaceAll("'", ''))
    .filter(isFile)
    .flatMap(expand);
}

/** The files of the numbered steps, without those in commands. */
function filesOfSteps(text: string): string[] {
  const [steps = ''] = text.split('\nGaps: ');
  return [...new Set(codesIn(steps).filter(isFile).flatMap(expand))];
}

/** A name in capitals stands for any name, and a folder for what is in it. */
function exists(name: string): boolean {
  const pattern = name
    .replace(/\/$/, '')
    .replace(/[.]/g, '\\.')
    .replace(/\*|\b(?:NAME|TYPE)\b/g, '[^/]+');
  return files.some((file) => new RegExp(`^${pattern}(/|$)`).test(file));
}

describe('the recipes of CONTRIBUTING.md', () => {
  for (const [title, text] of recipes) {
    it(`name files that exist: ${title}`, () => {
      const named = namedIn(text);
      named.should.not.be.empty();
      named.filter((name) => !exists(name)).should.eql([]);
    });
  }

  for (const [title, most] of Object.entries(mostFiles)) {
    it(`need at most ${most} files: ${title}`, () => {
      const steps = filesOfSteps(recipes.get(title) ?? '');
      steps.should.not.be.empty();
      should(steps.length).be.belowOrEqual(most, steps.join(', '));
    });
  }
});
