import should from 'should';
import { shippedTypes } from '../../../scripts/build/shipped-types';

describe('the types of the package', () => {
  const types = {
    'index.d.ts': "export { open } from './a';\nexport * from './c';\nexport type { Own as Opened } from './a';\n",
    'a.d.ts': [
      "import type { Used, Unused } from './b';",
      "import type { Server } from 'node:http';",
      '/** Says what it does. */',
      'export declare function open(used: Used, server: Server): Own;',
      'export interface Own {',
      '    readonly a: number;',
      '}',
      'export declare function inner(unused: Unused): void;',
      '',
    ].join('\n'),
    'b.d.ts': 'export type Used = Hidden;\nexport type Unused = number;\ntype Hidden = string;\n',
    'c.d.ts': "import type { Two } from './d';\nexport type One = Two;\nexport type { Two };\n",
    'd.d.ts': 'export interface Two {\n}\n',
    'e.d.ts': 'export type Nobody = 1;\n',
    'more/index.d.ts': "export { open } from './open';\nexport type { Two } from '../d';\n",
    'more/open.d.ts': [
      "import type { Two } from '../d';",
      'interface Way {\n    readonly two: Two;\n}',
      'export declare function open(way: Way): void;\n',
    ].join('\n'),
  };
  const shippedOf = (changed: Readonly<Record<string, string>> = {}): Map<string, string> =>
    shippedTypes(new Map(Object.entries({ ...types, ...changed })), ['index.d.ts', 'more/index.d.ts']);

  it('are one file with what the first entry leads to, and the entries', () => {
    [...shippedOf().keys()].sort().should.deepEqual(['index.d.ts', 'more/index.d.ts', 'types.d.ts']);
    should(shippedOf().get('types.d.ts')).equal(
      [
        "import type { Server } from 'node:http';",
        '/** Says what it does. */',
        'export declare function open(used: Used, server: Server): Own;',
        'export type Used = Hidden;',
        'export type Hidden = string;',
        'export interface Own {',
        ' readonly a: number;',
        '}',
        'export type One = Two;',
        'export interface Two {',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('export what the entry exports, types as types', () => {
    should(shippedOf().get('index.d.ts')).equal(
      "export { open, type Own as Opened, type One, type Two } from './types';\n",
    );
  });

  it('have in another entry what only that needs', () => {
    should(shippedOf().get('more/index.d.ts')).equal(
      [
        "import type { Two } from '../types';",
        'declare function open(way: Way): void;',
        'interface Way {\n readonly two: Two;\n}',
        'export { open };',
        "export { type Two } from '../types';",
        '',
      ].join('\n'),
    );
  });

  it('refuse a name with two meanings', () => {
    const another = 'export type One = Used;\nexport type Used = 2;\n';
    should(() => shippedOf({ 'c.d.ts': another })).throw('Two declarations of the package have the name Used.');
    const ofEverybody = 'export interface Server {\n}\nexport type Two = 2;\n';
    should(() =>
      shippedOf({
        'c.d.ts': "export type { Server } from './d';\nexport type { Two } from './d';\n",
        'd.d.ts': ofEverybody,
      }),
    ).throw('The name Server means another type in one file of the types.');
  });

  it('refuse what one file cannot contain', () => {
    should(() => shippedOf({ 'c.d.ts': "import type * as All from './d';\nexport type One = All.Two;\n" })).throw(
      /imports all of/,
    );
    should(() => shippedOf({ 'c.d.ts': "import type { Two as Three } from './d';\nexport type One = Three;\n" })).throw(
      /under another name/,
    );
  });
});
