import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import should from 'should';
import ts from 'typescript';
import { compileProgram, exportedTypes, typeCheck } from '../../../scripts/build/compile';

describe('the compile step of the build', function () {
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
      rootDir: '.',
      outDir: 'dist',
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function compileInto(staging: string, entries = ['right.d.ts']): Promise<string> {
    return compileProgram(folder, 'tsconfig.json', path.join(folder, staging), entries);
  }

  it('names file and place of a type error, and emits nothing', async () => {
    writeFileSync(path.join(folder, 'wrong.ts'), 'export const answer: number = "42";\n');
    const problems = await compileInto('staging');
    should(problems).match(/^wrong\.ts\(1,14\): error TS2322/);
    should(await typeCheck(folder, 'tsconfig.json')).equal(problems);
    writeFileSync(path.join(folder, 'wrong.ts'), 'export const answer: number = 42;\n');
    should(await typeCheck(folder, 'tsconfig.json')).equal('');
    existsSync(path.join(folder, 'staging')).should.equal(false);
  });

  it('writes beside the final folder, byte for byte what the compiler emits', async () => {
    writeFileSync(path.join(folder, 'right.ts'), '/** The answer. */\nexport const answer: number = 42;\n');
    should(await compileInto('some/where/deep')).equal('');
    readdirSync(path.join(folder, 'some/where/deep')).should.deepEqual(['right.d.ts', 'right.js']);
    const source = path.join(folder, 'right.ts');
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
    });
    should(readFileSync(path.join(folder, 'some/where/deep/right.js'), 'utf8')).equal(outputText);
    existsSync(path.join(folder, 'dist')).should.equal(false);
  });

  it('writes types, with their comments, for each entry and what it refers to, and for nothing else', async () => {
    writeFileSync(path.join(folder, 'unit.ts'), '/** In watts. */\nexport type Power = number;\n');
    writeFileSync(path.join(folder, 'inner.ts'), "import './unit';\nexport const inner = 1;\n");
    writeFileSync(path.join(folder, 'second.ts'), 'export const second = 2;\n');
    writeFileSync(
      path.join(folder, 'right.ts'),
      "import type { Power } from './unit';\n/** Half of it. */\nexport const half = (power: Power): Power => power / 2;\n",
    );
    should(await compileInto('staging', ['right.d.ts', 'second.d.ts'])).equal('');
    const read = (name: string): string => readFileSync(path.join(folder, 'staging', name), 'utf8');
    read('unit.d.ts').should.match(/In watts/);
    read('right.d.ts')
      .should.match(/Half of it/)
      .and.match(/from '\.\/unit'/);
    read('second.d.ts').should.match(/declare const second = 2;/);
    const types = readdirSync(path.join(folder, 'staging')).filter((name) => name.endsWith('.d.ts'));
    types.sort().should.eql(['right.d.ts', 'second.d.ts', 'unit.d.ts']);
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
