/** Modules that are loaded with their first use, because many flows never need them. */

/**
 * Written as `lazy(() => require('./node') as typeof Node)` with `import type * as Node from './node'`, which a rule of the linter
 * compares (scripts/lazy-rule.mjs). Not `import()`, because a node must be ready when its constructor returns.
 */
export function lazy<Module>(load: () => Module): () => Module {
  let module: Module | undefined;
  return () => (module ??= load());
}
