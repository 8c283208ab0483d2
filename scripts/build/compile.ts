/** Type checks both halves of the package, and writes what the compiler emits. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

function programOf(root: string, config: string): ts.Program {
  const parsed = ts.getParsedCommandLineOfConfigFile(path.join(root, config), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  });
  if (parsed === undefined) throw new Error(`${config} cannot be read.`);
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    configFileParsingDiagnostics: parsed.errors,
  });
}

function messagesOf(root: string, diagnostics: readonly ts.Diagnostic[]): string[] {
  const host: ts.FormatDiagnosticsHost = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  return ts.sortAndDeduplicateDiagnostics(diagnostics).map((diagnostic) => ts.formatDiagnostic(diagnostic, host));
}

/** The type errors of a project, checked by a compiler in another process; empty when there is none. */
export async function typeCheck(root: string, config: string): Promise<string[]> {
  const compiler = require.resolve('typescript/bin/tsc');
  const options = ['--project', path.join(root, config), '--noEmit', '--pretty', 'false'];
  try {
    await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root });
    return [];
  } catch (failure) {
    const output: unknown = Reflect.get(Object(failure), 'stdout');
    return [typeof output === 'string' && output !== '' ? output : String(failure)];
  }
}

/**
 * Type checks, and without errors writes to `staging` what the compiler emits, byte for byte, as if the files lay in
 * `finalFolder`: all code, and the types of importable files, the `entries` (relative to `finalFolder`), and of what they refer to.
 */
export function compileProgram(
  root: string,
  config: string,
  finalFolder: string,
  staging: string,
  entries: readonly string[],
): string[] {
  const program = programOf(root, config);
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length > 0) return messagesOf(root, diagnostics);
  const emitted = new Map<string, string>();
  program.emit(undefined, (file, text) => emitted.set(path.relative(finalFolder, file), text));
  const types = typesNeededBy(entries, emitted);
  for (const [name, text] of emitted) {
    if (!name.endsWith('.d.ts') || types.has(name)) write(path.join(staging, name), text);
  }
  return [];
}

/** The entries and the type files that they import, also through others. */
function typesNeededBy(entries: readonly string[], emitted: ReadonlyMap<string, string>): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (name: string): void => {
    const text = emitted.get(name);
    if (text === undefined) throw new Error(`The compiler writes no ${name}.`);
    if (needed.has(name)) return;
    needed.add(name);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) add(`${path.join(path.dirname(name), fileName)}.d.ts`);
    }
  };
  entries.forEach(add);
  return needed;
}

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The type files that `exports` of the package.json in `root` names, relative to `finalFolder`. */
export function exportedTypes(root: string, finalFolder: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageJson;
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [path.relative(finalFolder, path.resolve(root, target.types))],
  );
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
