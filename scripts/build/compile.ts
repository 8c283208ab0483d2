/** Type checks and emits through the compiler's API, so that one process does both halves of the package. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { toLineMap } from './source-map';

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

function complaintsOf(root: string, diagnostics: readonly ts.Diagnostic[]): string[] {
  const host: ts.FormatDiagnosticsHost = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  return ts.sortAndDeduplicateDiagnostics(diagnostics).map((diagnostic) => ts.formatDiagnostic(diagnostic, host));
}

/** One line per type error; empty when there is none. */
export function typeCheck(root: string, config: string): string[] {
  return complaintsOf(root, ts.getPreEmitDiagnostics(programOf(root, config)));
}

/**
 * Like typeCheck; without complaints it also emits. Source maps are written as if the files lay in `finalFolder`,
 * the files themselves go to `staging`. Types are written only for what can be imported: `entry` (relative to
 * `finalFolder`) and what it refers to; they keep the comments, which the code that runs does without.
 */
export function compile(root: string, config: string, finalFolder: string, staging: string, entry: string): string[] {
  const program = programOf(root, config);
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length > 0) return complaintsOf(root, diagnostics);
  const types = new Map<string, string>();
  program.emit(undefined, (file, text) => types.set(path.relative(finalFolder, file), text), undefined, true);
  for (const file of reachable(types, entry)) write(path.join(staging, file), types.get(file) ?? '');

  const options = { ...program.getCompilerOptions(), declaration: false, removeComments: true };
  const code = ts.createProgram({ rootNames: program.getRootFileNames(), options, oldProgram: program });
  code.emit(undefined, (file, text) => {
    write(path.join(staging, path.relative(finalFolder, file)), file.endsWith('.map') ? toLineMap(text) : text);
  });
  return [];
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function reachable(types: ReadonlyMap<string, string>, file: string, seen = new Set<string>()): Set<string> {
  const text = types.get(file);
  if (text === undefined || seen.has(file)) return seen;
  seen.add(file);
  for (const { fileName } of ts.preProcessFile(text).importedFiles) {
    if (fileName.startsWith('.')) reachable(types, path.join(path.dirname(file), `${fileName}.d.ts`), seen);
  }
  return seen;
}
