/** What publint and attw say of the packed tarball (scripts/release/check-package.mjs). */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import 'should';
import ts from 'typescript';
import { installedModules, packedFile, projectDir } from '../../support/node-red/installed-package';

const run = promisify(execFile);

function outputOf(tarball: string): Promise<string> {
  return run(process.execPath, [join(projectDir, 'scripts/release/check-package.mjs'), tarball]).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
  );
}

describe('the packed tarball', function () {
  this.timeout(120_000);

  it('has no problem for publint and attw: every kind of bundler and of TypeScript can use it', async () => {
    (await outputOf(await packedFile())).should.match(
      /^node-red-contrib-cemm \S+: publint and attw find no problem\.\n$/,
    );
  });

  it('would be found to have one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cemm-broken-'));
    try {
      await run('tar', ['-xzf', await packedFile(), '-C', folder]);
      const manifest = join(folder, 'package/package.json');
      const { typesVersions, ...rest } = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>;
      typesVersions?.should.be.an.Object();
      await writeFile(manifest, JSON.stringify({ ...rest, main: 'dist/none.js' }));
      await run('tar', ['-czf', join(folder, 'broken.tgz'), '-C', folder, 'package']);
      const problems = await outputOf(join(folder, 'broken.tgz'));
      problems.should.match(/^publint: .*dist\/none\.js/m).and.match(/^attw: \.\/simulator node10/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has the types of the simulator for the module resolution of older programs', async () => {
    const file = join(dirname(await installedModules()), 'older.ts');
    await writeFile(
      file,
      "import { startSimulator } from 'node-red-contrib-cemm/simulator';\nvoid startSimulator({ localPort: 0 });\n",
    );
    const { options } = ts.convertCompilerOptionsFromJson(
      {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'commonjs',
        moduleResolution: 'node10',
        ignoreDeprecations: '6.0',
        types: ['node'],
        typeRoots: [join(projectDir, 'node_modules/@types')],
      },
      dirname(file),
    );
    const program = ts.createProgram({ rootNames: [file], options });
    ts.getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .should.eql([]);
  });
});
