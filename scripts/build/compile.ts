/** Type checks and emits through the compiler's API, so that one process does both halves of the package. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
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
 * Like typeCheck; without complaints it also emits to `staging`, as if the files lay in `finalFolder`. Types are written
 * only for what can be imported: `entry` (relative to `finalFolder`) and what it refers to. Comments are kept in those
 * that `entry` itself names, for they are what a caller sees.
 */
export function compile(root: string, config: string, finalFolder: string, staging: string, entry: string): string[] {
  const program = programOf(root, config);
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length > 0) return complaintsOf(root, diagnostics);
  const types = new Map<string, string>();
  program.emit(undefined, (file, text) => types.set(path.relative(finalFolder, file), text), undefined, true);
  const seenByCallers = new Set([entry, ...importsOf(types.get(entry) ?? '', entry)]);
  for (const file of reachable(types, entry)) {
    const text = types.get(file) ?? '';
    write(path.join(staging, file), seenByCallers.has(file) ? text : withoutComments(text));
  }
  const options = { ...program.getCompilerOptions(), declaration: false, sourceMap: false, removeComments: true };
  const code = ts.createProgram({ rootNames: program.getRootFileNames(), options, oldProgram: program });
  code.emit(undefined, (file, text) => {
    write(path.join(staging, path.relative(finalFolder, file)), small(text));
  });
  return [];
}

/** What a module declares keeps its name, so that a stack trace still tells where; maps would be a tenth of the package. */
function small(code: string): string {
  return transformSync(code, { minify: true, charset: 'utf8', target: 'es2022', legalComments: 'none' }).code;
}

function withoutComments(types: string): string {
  const printer = ts.createPrinter({ removeComments: true });
  return printer.printFile(ts.createSourceFile('types.d.ts', types, ts.ScriptTarget.ES2022));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function reachable(types: ReadonlyMap<string, string>, file: string, seen = new Set<string>()): Set<string> {
  const text = types.get(file);
  if (text === undefined || seen.has(file)) return seen;
  seen.add(file);
  for (const imported of importsOf(text, file)) reachable(types, imported, seen);
  return seen;
}

/** The type files of the package that this one imports. */
function importsOf(text: string, file: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.join(path.dirname(file), `${fileName}.d.ts`));
}
