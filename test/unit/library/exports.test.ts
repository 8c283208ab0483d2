import path from 'node:path';
import should from 'should';
import ts from 'typescript';
import { unnamedTypes } from '../../support/docs/exported-names';

const root = path.resolve(__dirname, '../../..');

describe('the library', function () {
  // The compiler is slow on a busy machine.
  this.timeout(120_000);

  it('exports every type of its signatures by name', () => {
    const entries = ['src/index.ts', 'src/simulator/index.ts'].map((file) => path.join(root, file));
    const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const program = ts.createProgram({ rootNames: entries, options });
    unnamedTypes(program, entries, path.join(root, 'src')).should.eql([]);
    should(program.getSourceFile(entries[0] ?? '')).be.ok();
  });
});
