/** How large files and lists may become before somebody has to split them. */
import 'should';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** `file: lines` for each file of these patterns that has more lines. */
function longerThan(most: number, ...patterns: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > most)
    .map(({ file, lines }) => `${file}: ${lines}`);
}

describe('the repository', () => {
  it('has no test file of more than 500 lines', () => {
    longerThan(500, 'test/**.ts', 'test/**.cjs', 'test/**.mjs').should.eql([]);
  });

  it('has no file of more than 300 lines in src and nodes', () => {
    longerThan(300, 'src/**.ts', 'nodes/**.ts', 'nodes/**/editor.html').should.eql([]);
  });

  it('has at most 17 npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    Object.keys(scripts).length.should.be.belowOrEqual(17);
  });
});
