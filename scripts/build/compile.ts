/** Checks the types of both halves of the package, and writes what the compiler emits: at the same time, in several processes. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

function parseConfig(root: string, config: string): ts.ParsedCommandLine {
  const parsed = ts.getParsedCommandLineOfConfigFile(path.join(root, config), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  });
  if (parsed === undefined) throw new Error(`${config} cannot be read.`);
  return parsed;
}

/** The type errors of a project, checked by a compiler in another process; empty when there is none. A second check reads a cache. */
export async function typeCheck(root: string, config: string): Promise<string[]> {
  const compiler = require.resolve('typescript/bin/tsc');
  const cache = path.join(root, 'node_modules', '.cache', `${path.parse(config).name}.tsbuildinfo`);
  const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', cache, '--pretty', 'false'];
  try {
    const project = path.join(root, config);
    await promisify(execFile)(process.execPath, [compiler, '--project', project, ...options], { cwd: root });
    return [];
  } catch (failure) {
    const output: unknown = Reflect.get(Object(failure), 'stdout');
    return [typeof output === 'string' && output !== '' ? output : String(failure)];
  }
}

export interface Emission {
  readonly root: string;
  readonly config: string;
  /** Folder of the code, and of the types. */
  readonly staging: string;
  /** Files whose types are importable, relative to `root`. */
  readonly entries: readonly string[];
}

/**
 * Writes what the compiler emits, byte for byte: the code of each file, and the types of the entries and of what they refer to. A JSON
 * file that is imported is copied.
 * `isolatedModules` makes the code of a file depend on that file alone, so it is there before the types are checked.
 */
export function emitProject({ root, config, staging, entries }: Emission): void {
  const { fileNames, options } = parseConfig(root, config);
  followImports(fileNames, (fileName) => {
    if (fileName.endsWith('.d.ts')) return '';
    const text = readFileSync(fileName, 'utf8');
    if (fileName.endsWith('.json')) {
      write(path.join(staging, path.relative(root, fileName)), text);
      return '';
    }
    const { outputText } = ts.transpileModule(text, { compilerOptions: options, fileName });
    write(path.join(staging, path.relative(root, fileName).replace(/\.ts$/, '.js')), outputText);
    return text;
  });
  const sources = entries.map((entry) => path.join(root, entry));
  const program = ts.createProgram({ rootNames: sources, options: { ...options, noCheck: true } });
  followImports(sources, (fileName) => {
    let types = '';
    const emit = (_: string, text: string): void => void (types = text);
    program.emit(program.getSourceFile(fileName), emit, undefined, true);
    if (types === '') throw new Error(`The compiler writes no types of ${fileName}.`);
    write(path.join(staging, path.relative(root, fileName).replace(/\.ts$/, '.d.ts')), types);
    return types;
  });
}

/** Calls back with each file once, and with those that the returned texts import. */
function followImports(fileNames: readonly string[], visit: (fileName: string) => string): void {
  const seen = new Set(fileNames);
  // A set gives what is added while it is read.
  for (const fileName of seen) {
    for (const { fileName: imported } of ts.preProcessFile(visit(fileName)).importedFiles) {
      const place = path.join(path.dirname(fileName), imported);
      const source = place.endsWith('.json') ? place : `${place}.ts`;
      if (imported.startsWith('.') && existsSync(source)) seen.add(source);
    }
  }
}

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The sources of the type files that `exports` of the package.json in `root` names; those are in `dist`, like the others. */
export function exportedSources(root: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageJson;
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [path.relative('dist', target.types).replace(/\.d\.ts$/, '.ts')],
  );
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
