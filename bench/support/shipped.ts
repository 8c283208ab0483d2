/** Loads a module of src/ as plain CommonJS: in code that tsx compiles, every use of an import calls a getter. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { compiledSource } from '../../test/support/compiled-source';

const load = createRequire(__filename);

/** @param module path below src/ without its extension; `T` is `typeof import('../../src/…')` */
export function shipped<T>(module: string): T {
  return load(path.join(compiledSource(), module)) as T;
}
