import 'should';
import type { Metafile } from 'esbuild';
import { sharedTogether } from '../../../scripts/build/shared-together';

describe('files that entries share', () => {
  type Output = Metafile['outputs'][string];

  function output(inputs: readonly string[], imports: readonly string[], entryPoint?: string): Output {
    return {
      ...{ bytes: 1, exports: [], inputs: Object.fromEntries(inputs.map((name) => [name, { bytesInOutput: 1 }])) },
      imports: imports.map((path) => ({ path, kind: 'import-statement' as const })),
      ...(entryPoint !== undefined && { entryPoint }),
    };
  }

  /** Three entries; base.ts is needed by all, pair.ts by two of them. */
  const outputs = {
    'a.js': output(['a.ts'], ['base.js', 'pair.js'], 'a.ts'),
    'b.js': output(['b.ts'], ['pair.js'], 'b.ts'),
    'c.js': output(['c.ts'], ['base.js'], 'c.ts'),
    'pair.js': output(['pair.ts'], ['base.js']),
    'base.js': output(['base.ts'], []),
  };

  it('are one for all that an entry of a group shares', () => {
    const together = sharedTogether({ inputs: {}, outputs }, [['a']]);
    [...together.keys()].sort().should.deepEqual(['a', 'b', 'c']);
    for (const modules of together.values()) [...modules].sort().should.deepEqual(['base.ts', 'pair.ts']);
  });

  it('leave out what an earlier group has, and what only one group shares', () => {
    const together = sharedTogether({ inputs: {}, outputs }, [['c'], ['a', 'b']]);
    Object.fromEntries(together).should.deepEqual({ a: ['base.ts'], b: ['base.ts'], c: ['base.ts'] });
  });
});
