/** Catalogue keys in source files: in `data-i18n` of forms, and in string and template literals of TypeScript. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { formKeys } from '../../../scripts/build/text-faults';

export interface Mentioned {
  readonly literals: ReadonlySet<string>;
  /** Beginnings of composed keys: `label.` of `label.${period}`. */
  readonly beginnings: ReadonlySet<string>;
}

export function filesUnder(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

export function stringsOf(file: string): { literals: string[]; beginnings: string[] } {
  const literals: string[] = [];
  const beginnings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) literals.push(node.text);
    if (ts.isTemplateExpression(node)) beginnings.push(node.head.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022));
  return { literals, beginnings };
}

export function mentioned(files: readonly string[], forms: readonly string[]): Mentioned {
  const strings = files.map(stringsOf);
  return {
    literals: new Set([...strings.flatMap((file) => file.literals), ...forms.flatMap(formKeys)]),
    beginnings: new Set(strings.flatMap((file) => file.beginnings).filter((head) => /^\w+\.([\w.]+\.)?$/.test(head))),
  };
}

export function isMentioned(key: string, { literals, beginnings }: Mentioned): boolean {
  return literals.has(key) || [...beginnings].some((beginning) => key.startsWith(beginning));
}

/** The file and every file of code of the package that it imports, directly or through others; types are no code. */
export function withImports(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const code = readFileSync(file, 'utf8').replace(/^import type [^;]*;$/gm, '');
  for (const { fileName } of ts.preProcessFile(code).importedFiles) {
    if (fileName.startsWith('.') && !fileName.endsWith('.json'))
      withImports(`${path.resolve(path.dirname(file), fileName)}.ts`, seen);
  }
  return [...seen];
}
