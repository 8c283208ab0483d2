/** Circles of files: each file of a circle imports the next one, so none of them can be read, or loaded, before the others. */
import path from 'node:path';
import 'should';
import ts from 'typescript';

const root = path.resolve(__dirname, '../../..');

type Imports = ReadonlyMap<string, readonly string[]>;

/** File → the files that it imports, of those given. */
function importsOf(files: readonly string[], countsTypes: boolean): Imports {
  const known = new Set(files);
  const of = (file: string): string[] => {
    const source = ts.createSourceFile(file, ts.sys.readFile(file) ?? '', ts.ScriptTarget.Latest);
    return source.statements.flatMap((statement) => {
      const name = moduleOf(statement, countsTypes);
      const imported = name === null ? '' : `${path.resolve(path.dirname(file), name)}.ts`;
      return known.has(imported) ? [imported] : [];
    });
  };
  return new Map(files.map((file) => [file, of(file)]));
}

/** Imports and re-exports of a statement; null if it loads no other file. */
function moduleOf(statement: ts.Statement, countsTypes: boolean): string | null {
  if (ts.isImportEqualsDeclaration(statement)) {
    const { moduleReference, isTypeOnly } = statement;
    const isLoaded = ts.isExternalModuleReference(moduleReference) && (countsTypes || !isTypeOnly);
    return isLoaded ? textOf(moduleReference.expression) : null;
  }
  const isTypeOnly = ts.isImportDeclaration(statement)
    ? hasTypesOnly(statement.importClause)
    : ts.isExportDeclaration(statement) && (statement.isTypeOnly || hasOnly(statement.exportClause));
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return null;
  return isTypeOnly && !countsTypes ? null : textOf(statement.moduleSpecifier);
}

function hasTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  return (
    clause.phaseModifier === ts.SyntaxKind.TypeKeyword || (clause.name === undefined && hasOnly(clause.namedBindings))
  );
}

/** `{ type One, type Other }`. */
function hasOnly(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (names === undefined || ts.isNamespaceImport(names) || ts.isNamespaceExport(names)) return false;
  return names.elements.every((element: ts.ImportSpecifier | ts.ExportSpecifier) => element.isTypeOnly);
}

function textOf(expression: ts.Expression | undefined): string | null {
  return expression !== undefined && ts.isStringLiteral(expression) ? expression.text : null;
}

/** Sets of files that reach each other (Tarjan's strongly connected components), below the root and sorted. */
function circlesIn(imports: Imports): string[][] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachable(imports, file)]));
  const circles = new Set<string>();
  for (const [file, others] of reached) {
    if (!others.has(file)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(file));
    circles.add(
      circle
        .map((one) => path.relative(root, one))
        .sort()
        .join(' '),
    );
  }
  return [...circles].sort().map((circle) => circle.split(' '));
}

function reachable(imports: Imports, from: string): Set<string> {
  const found = new Set<string>();
  const open = [...(imports.get(from) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    open.push(...(imports.get(file) ?? []));
  }
  return found;
}

describe('files that import each other', () => {
  const files = ['src', 'nodes'].flatMap((folder) => ts.sys.readDirectory(path.join(root, folder), ['.ts']));

  it('are none when they run', () => {
    circlesIn(importsOf(files, false)).should.eql([]);
  });

  it('are in no circle of types', () => {
    circlesIn(importsOf(files, true)).should.eql([]);
  });
});
