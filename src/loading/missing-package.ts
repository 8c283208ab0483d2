/** The package of a module that Node.js does not find: not installed, or only in part. Null for any other error. */
export function missingPackage(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || Reflect.get(thrown, 'code') !== 'MODULE_NOT_FOUND') return null;
  const [, module = ''] = /^Cannot find module '([^']+)'/.exec(thrown.message) ?? [];
  // A file is named by its path, or relative to the first file of the stack.
  const stack: unknown = Reflect.get(thrown, 'requireStack');
  const importer: unknown = Array.isArray(stack) ? stack[0] : '';
  const isFile = /^\.{0,2}[\\/]|^\w:/.test(module);
  const place = isFile ? `${String(importer)}\n${module}` : `node_modules/${module}`;
  const [, name = null] = /.*node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)/s.exec(place) ?? [];
  return name?.replace('\\', '/') ?? null;
}
