/** Loads a module as it is shipped: in code that tsx compiles, every use of an import calls a getter. */
import { createRequire } from 'node:module';
import path from 'node:path';

const load = createRequire(__filename);

/** @param module path below src/ without its extension; `T` is `typeof import('../../src/…')` */
export function shipped<T>(module: string): T {
  return load(path.resolve(__dirname, '../../dist/src', module)) as T;
}
