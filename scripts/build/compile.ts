/** Type checks and emits through the compiler's API, so one process does both halves of the package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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

/** One line per type error; empty when there is none. */
export function typeCheck(root: string, config: string): string[] {
  return messagesOf(root, ts.getPreEmitDiagnostics(programOf(root, config)));
}

/**
 * Like typeCheck; without errors it also writes to `staging` what the compiler emits, byte for byte, as if the files lay in
 * `finalFolder`: all code, and the types of importable files, the `entries` (relative to `finalFolder`), and of what they refer to.
 */
export function compile(
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
