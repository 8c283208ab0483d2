/**
 * A module that is loaded when it is first needed: whoever installs this package pays at start for what their flows use.
 * Not `import()`, because a node has to be ready when its constructor returns.
 */
import { createRequire } from 'node:module';

/**
 * @param file `__filename` of the module that asks
 * @param path of the module that is asked for, as an import would name it; `Module` is its type
 */
export function lazy<Module>(file: string, path: string): () => Module {
  return () => createRequire(file)(path) as Module;
}
