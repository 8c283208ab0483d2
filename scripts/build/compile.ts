/** Type checks and emits through the compiler's API, so that one process does both halves of the package. */
import { mkdirSync, writeFileSync } from 'node:fs';
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
 * the files themselves go to `staging`.
 */
export function compile(root: string, config: string, finalFolder: string, staging: string): string[] {
  const program = programOf(root, config);
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length > 0) return complaintsOf(root, diagnostics);
  program.emit(undefined, (file, text) => {
    const target = path.join(staging, path.relative(finalFolder, file));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  });
  return [];
}
