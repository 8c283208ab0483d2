import 'should';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { buildRuntime, runtimeFiles } from '../../../scripts/build/runtime';
import { sourcePlace } from '../../../scripts/place';

const root = path.resolve(__dirname, '../../..');

interface Pieces {
  readonly index: string;
  readonly more?: Readonly<Record<string, string>>;
}

describe('the code of the package', function () {
  this.timeout(60_000);

  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'cemm-runtime-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A small package with one node type. */
  function source({ index, more = {} }: Pieces): void {
    const files = {
      'package.json': JSON.stringify({
        type: 'commonjs',
        exports: { '.': { default: './dist/src/index.js' }, './schemas/*.json': './dist/schemas/*.json' },
        bin: { 'cemm-tell': 'dist/src/tell/cli.js' },
        'node-red': { nodes: { 'cemm-one': 'dist/nodes/cemm-one/runtime.js' } },
      }),
      'src/index.ts': index,
      'src/half.ts': '/** Half of it. */\nexport function half(power: number): number {\n  return power / 2;\n}\n',
      'src/tell/cli.ts': [
        '#!/usr/bin/env node',
        "import { half } from '../half';",
        'export const told = half(8);',
        'if (require.main === module) console.log(told);',
      ].join('\n'),
      'nodes/cemm-one/runtime.ts': [
        "import { lazy } from '../lib/register-node';",
        "import type * as Node from './node';",
        "export = { load: lazy<typeof Node>(__filename, './node') };",
      ].join('\n'),
      'nodes/cemm-one/node.ts': "import { half } from '../../src/half';\nexport const quarter = half(0.5);\n",
      ...more,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    mkdirSync(path.join(folder, 'nodes/lib'), { recursive: true });
    cpSync(path.join(root, 'nodes/lib/register-node.ts'), path.join(folder, 'nodes/lib/register-node.ts'));
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  }

  const load = (name: string): unknown => createRequire(__filename)(path.join(folder, 'dist', name));

  it('is small, and exports what the source exports', async () => {
    source({ index: "export { half } from './half';\nexport class Reading {}\n" });
    await buildRuntime(folder, path.join(folder, 'dist'));
    const { half, Reading } = load('src/index.js') as { half: (power: number) => number; Reading: { name: string } };
    half(8).should.equal(4);
    Reading.name.should.equal('Reading');
    for (const { code } of await runtimeFiles(folder)) code.should.not.match(/Half of it|sourceMappingURL|\n\s/);
  });

  it('has a node type whose code is loaded when it is asked for', async () => {
    source({ index: "export { half } from './half';\n" });
    await buildRuntime(folder, path.join(folder, 'dist'));
    const one = load('nodes/cemm-one/runtime.js') as { load: () => { quarter: number } };
    const isLoaded = (): boolean => Object.keys(require.cache).includes(path.join(folder, 'dist/nodes/lib/nodes.js'));
    isLoaded().should.be.false();
    one.load().quarter.should.equal(0.25);
    isLoaded().should.be.true();
  });

  it('contains each module once', async () => {
    source({ index: "export { half } from './half';\n" });
    const files = await runtimeFiles(folder);
    files.filter(({ code }) => code.includes('/2')).length.should.equal(1);
    const names = files.map(({ name }) => name).filter((name) => !name.includes('chunk-'));
    names.sort().should.eql(['nodes/cemm-one/runtime.js', 'nodes/lib/nodes.js', 'src/index.js', 'src/tell/cli.js']);
  });

  it('has commands that are programs', async () => {
    source({ index: "export { half } from './half';\n" });
    await buildRuntime(folder, path.join(folder, 'dist'));
    const command = path.join(folder, 'dist/src/tell/cli.js');
    readFileSync(command, 'utf8').should.match(/^#!\/usr\/bin\/env node\n"use strict";/);
    execFileSync(process.execPath, [command], { encoding: 'utf8' }).should.equal('4\n');
  });

  it('has no module of a dialog in what nodes load', async () => {
    source({
      index: "export { check } from '../nodes/lib/editor/checks';\n",
      more: { 'nodes/lib/editor/checks.ts': 'export const check = 1;\n' },
    });
    await runtimeFiles(folder).should.be.rejectedWith(/nodes import no checks of dialogs/);
  });

  it('refuses a way to load a module that it does not know', async () => {
    const index =
      "import { lazy } from '../nodes/lib/register-node';\nexport const load = lazy<unknown>(__filename, `./half`);\n";
    source({ index });
    await runtimeFiles(folder).should.be.rejectedWith(/loads what is unknown/);
    existsSync(path.join(folder, 'dist')).should.be.false();
  });

  it('leads from a place in a stack to the source', async () => {
    source({ index: "export { half } from './half';\n" });
    const files = await runtimeFiles(folder, true);
    const part = files.find(({ code }) => code.includes('/2'));
    const place = `${part?.name}:1:${(part?.code.indexOf('/2') ?? 0) + 1}`;
    (sourcePlace(files, `dist/${place}`) ?? '').should.equal('src/half.ts:3:10');
    (sourcePlace(files, place.replace('nodes/', '')) ?? '').should.equal('src/half.ts:3:10');
    (sourcePlace(files, 'lib/none.js:1:1') === null).should.be.true();
  });
});
