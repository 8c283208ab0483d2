import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import should from 'should';
import { compile, typeCheck } from '../../../scripts/build/compile';

describe('the compile step of the build', function () {
  // A compiler on a busy machine.
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
      sourceMap: true,
      declaration: true,
      outDir: 'dist',
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function compileInto(staging: string): string[] {
    return compile(folder, 'tsconfig.json', path.join(folder, 'dist'), path.join(folder, staging), 'right.d.ts');
  }

  it('names file and place of a type error, and emits nothing', () => {
    writeFileSync(path.join(folder, 'wrong.ts'), 'export const answer: number = "42";\n');
    const complaints = compileInto('staging');
    complaints.length.should.equal(1);
    should(complaints[0]).match(/wrong\.ts\(1,14\): error TS2322/);
    typeCheck(folder, 'tsconfig.json').should.deepEqual(complaints);
    existsSync(path.join(folder, 'staging')).should.equal(false);
  });

  it('emits beside the final folder with source maps that fit the final folder', () => {
    writeFileSync(path.join(folder, 'right.ts'), 'export const answer = 42;\n');
    compileInto('some/where/deep').should.deepEqual([]);
    const map = JSON.parse(readFileSync(path.join(folder, 'some/where/deep/right.js.map'), 'utf8')) as {
      sources: string[];
    };
    map.sources.should.deepEqual(['../right.ts']);
    existsSync(path.join(folder, 'dist')).should.equal(false);
  });

  it('writes types, with their comments, for the entry and what it refers to, and code without comments', () => {
    writeFileSync(path.join(folder, 'unit.ts'), '/** In watts. */\nexport type Power = number;\n');
    writeFileSync(path.join(folder, 'inner.ts'), "import './unit';\nexport const inner = 1;\n");
    writeFileSync(
      path.join(folder, 'right.ts'),
      "import type { Power } from './unit';\n/** Half of it. */\nexport const half = (power: Power): Power => power / 2;\n",
    );
    compileInto('staging').should.deepEqual([]);
    const read = (name: string): string => readFileSync(path.join(folder, 'staging', name), 'utf8');
    read('unit.d.ts').should.match(/In watts/);
    read('right.d.ts').should.match(/Half of it/);
    read('right.js').should.not.match(/Half of it/);
    existsSync(path.join(folder, 'staging/inner.js')).should.equal(true);
    existsSync(path.join(folder, 'staging/inner.d.ts')).should.equal(false);
  });
});
