/** src/ as CommonJS without types, one file per module: for programs that load single modules, which the package bundles. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '../..');
let compiled: string | undefined;

/** The folder that takes the place of src/; made once per process. */
export function compiledSource(): string {
  compiled ??= compileSource(path.join(root, 'node_modules/.cache', `source-${process.pid}`));
  return compiled;
}

function compileSource(folder: string): string {
  process.once('exit', () => {
    // At exit no asynchronous work is awaited.
    rmSync(folder, { recursive: true, force: true });
  });
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, esModuleInterop: true };
  for (const name of readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = path.join(folder, name.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(file), { recursive: true });
    const text = readFileSync(path.join(root, 'src', name), 'utf8');
    writeFileSync(file, ts.transpileModule(text, { compilerOptions, fileName: name }).outputText);
  }
  return folder;
}
