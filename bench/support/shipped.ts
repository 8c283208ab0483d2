/** A module as it is shipped: what tsx makes of the sources on the fly reads every import through a getter. */
import { createRequire } from 'node:module';
import path from 'node:path';

const load = createRequire(__filename);

/** @param module path below src/ without its ending; `T` is `typeof import('../../src/…')` */
export function shipped<T>(module: string): T {
  return load(path.resolve(__dirname, '../../dist/src', module)) as T;
}
