import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import should from 'should';
import { compile, exportedTypes, typeCheck } from '../../../scripts/build/compile';

describe('the compile step of the build', function () {
  // The compiler is slow on a busy machine.
  this.timeout(120_000);

  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'cemm-compile-'));
    const compilerOptions = {
      target: 'es2022',
      module: 'node16',
      types: [],
      lib: ['es5'],
      strict: true,
      declaration: true,
      outDir: 'dist',
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function compileInto(staging: string): string[] {
    return compile(folder, 'tsconfig.json', path.join(folder, 'dist'), path.join(folder, staging), ['right.d.ts']);
  }

  it('names file and place of a type error, and emits nothing', () => {
    writeFileSync(path.join(folder, 'wrong.ts'), 'export const answer: number = "42";\n');
    const problems = compileInto('staging');
    problems.length.should.equal(1);
    should(problems[0]).match(/wrong\.ts\(1,14\): error TS2322/);
    typeCheck(folder, 'tsconfig.json').should.deepEqual(problems);
    existsSync(path.join(folder, 'staging')).should.equal(false);
  });

  it('writes beside the final folder, and no code', () => {
    writeFileSync(path.join(folder, 'right.ts'), 'export const answer = 42;\n');
    compileInto('some/where/deep').should.deepEqual([]);
    readdirSync(path.join(folder, 'some/where/deep')).should.deepEqual(['right.d.ts', 'types.d.ts']);
    existsSync(path.join(folder, 'dist')).should.equal(false);
  });

  it('writes types, with their comments, for each entry and what it refers to, and for nothing else', () => {
    writeFileSync(path.join(folder, 'unit.ts'), '/** In watts. */\nexport type Power = number;\n');
    writeFileSync(path.join(folder, 'inner.ts'), "import './unit';\nexport const inner = 1;\n");
    writeFileSync(path.join(folder, 'second.ts'), 'export const second = 2;\n');
    writeFileSync(
      path.join(folder, 'right.ts'),
      "import type { Power } from './unit';\n/** Half of it. */\nexport const half = (power: Power): Power => power / 2;\n",
    );
    const entries = ['right.d.ts', 'second.d.ts'];
    compile(folder, 'tsconfig.json', path.join(folder, 'dist'), path.join(folder, 'staging'), entries).should.eql([]);
    const read = (name: string): string => readFileSync(path.join(folder, 'staging', name), 'utf8');
    read('types.d.ts')
      .should.match(/In watts/)
      .and.match(/Half of it/)
      .and.not.match(/inner|second/);
    read('right.d.ts').should.equal("export { half } from './types';\n");
    read('second.d.ts').should.match(/declare const second = 2;/);
    readdirSync(path.join(folder, 'staging')).length.should.equal(3);
  });

  it('finds its entries in the exports of package.json', () => {
    const exports = {
      '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' },
      './schemas/*.json': './dist/schemas/*.json',
      './extra': { types: './dist/src/extra/index.d.ts', default: './dist/src/extra/index.js' },
    };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ exports }));
    exportedTypes(folder, path.join(folder, 'dist')).should.eql(['src/index.d.ts', 'src/extra/index.d.ts']);
  });
});
