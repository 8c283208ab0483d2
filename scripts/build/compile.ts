/** Type checks both halves of the package, and writes what the compiler emits. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

/** TypeScript 7, which takes a fifth of the time. It has no API yet, so the linter and some tests still use that of TypeScript 6. */
const compiler = path.join(path.dirname(require.resolve('typescript-native/package.json')), 'bin/tsc');

/** The type errors of a project, as the compiler says them; empty when there is none. */
async function runCompiler(root: string, config: string, options: readonly string[]): Promise<string> {
  const args = [compiler, '--project', path.join(root, config), '--pretty', 'false', ...options];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root });
    return '';
  } catch (failure) {
    const output: unknown = Reflect.get(Object(failure), 'stdout');
    return typeof output === 'string' && output !== '' ? output : String(failure);
  }
}

/** Without writing anything. */
export function typeCheck(root: string, config: string): Promise<string> {
  return runCompiler(root, config, ['--noEmit']);
}

/**
 * Type checks, and without errors writes to `staging` what the compiler emits, byte for byte: all code, and the types of importable
 * files, the `entries` (relative to `staging`), and of what they refer to. With errors it writes nothing and returns them.
 */
export async function compileProgram(
  root: string,
  config: string,
  staging: string,
  entries: readonly string[],
): Promise<string> {
  const problems = await runCompiler(root, config, ['--outDir', staging, '--noEmitOnError']);
  if (problems !== '') return problems;
  const types = typesNeededBy(entries, staging);
  for (const name of readdirSync(staging, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts') && !types.has(name)) rmSync(path.join(staging, name));
  }
  return '';
}

/** The entries and the type files that they import, also through others. */
function typesNeededBy(entries: readonly string[], folder: string): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const { fileName } of ts.preProcessFile(readFileSync(path.join(folder, name), 'utf8')).importedFiles) {
      if (fileName.startsWith('.')) add(`${path.join(path.dirname(name), fileName)}.d.ts`);
    }
  };
  entries.forEach(add);
  return needed;
}

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The type files that `exports` of the package.json in `root` names, relative to the folder of the package. */
export function exportedTypes(root: string, folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageJson;
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [path.relative(folder, path.resolve(root, target.types))],
  );
}
