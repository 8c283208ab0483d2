import should from 'should';
import { shippedTypes } from '../../../scripts/build/shipped-types';

describe('the types of the package', () => {
  const types = new Map([
    ['index.d.ts', "export { open } from './a';\nexport * from './c';\n"],
    [
      'a.d.ts',
      [
        "import type { Used, Unused } from './b';",
        "import type * as Whole from './d';",
        '/** Says what it does. */',
        'export declare function open(used: Used, all: typeof Whole): Own;',
        'interface Own {',
        '    readonly a: number;',
        '}',
        'export declare function inner(unused: Unused): void;',
        '',
      ].join('\n'),
    ],
    ['b.d.ts', 'export type Used = string;\nexport type Unused = number;\n'],
    ['c.d.ts', "export type One = import('./e').Two;\n"],
    ['d.d.ts', 'export declare const whole: number;\n'],
    ['e.d.ts', 'export interface Two {\n}\n'],
    ['f.d.ts', 'export type Nobody = 1;\n'],
  ]);

  it('ships the types that the entries lead to, with their comments, and no others', () => {
    const shipped = shippedTypes(types, ['index.d.ts']);
    [...shipped.keys()].sort().should.deepEqual(['a.d.ts', 'b.d.ts', 'c.d.ts', 'd.d.ts', 'e.d.ts', 'index.d.ts']);
    should(shipped.get('b.d.ts')).equal('export type Used = string;\n');
    should(shipped.get('a.d.ts'))
      .containEql("import type { Used } from './b';")
      .and.containEql('/** Says what it does. */\nexport declare function open')
      .and.containEql('interface Own')
      .and.not.containEql('inner');
  });
});
