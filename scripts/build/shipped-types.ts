/** Selects the shipped types: of the compiler's output, the declarations that the entries of the package need. */
import path from 'node:path';
import ts from 'typescript';

/** Origin of an imported name; `*` stands for the whole file. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

interface TypeFile {
  readonly source: ts.SourceFile;
  /** Name → the statements that declare it. */
  readonly declared: ReadonlyMap<string, readonly ts.Statement[]>;
  /** Name in this file → its origin. */
  readonly imported: ReadonlyMap<string, Origin>;
  /** Exported name → its origin. */
  readonly passedOn: ReadonlyMap<string, Origin>;
  /** Files whose exports are all re-exported. */
  readonly passedOnWhole: readonly string[];
}

/**
 * @param types path → text of a type file
 * @param entries files of which every export is shipped
 * @returns path → text, without the declarations and imports that nothing needs
 */
export function shippedTypes(types: ReadonlyMap<string, string>, entries: readonly string[]): Map<string, string> {
  const files = new Map<string, TypeFile>();
  const kept = new Map<string, Set<ts.Node>>();

  const fileOf = (name: string): TypeFile | undefined => {
    const text = types.get(name);
    if (text !== undefined && !files.has(name)) files.set(name, readTypeFile(name, text));
    return files.get(name);
  };
  const keep = (name: string, node: ts.Node): boolean => {
    const nodes = kept.get(name) ?? new Set();
    kept.set(name, nodes);
    if (nodes.has(node)) return false;
    nodes.add(node);
    return true;
  };

  const follow = ({ file: name, name: wanted }: Origin): void => {
    const file = fileOf(name);
    if (file === undefined) return;
    if (wanted === '*') {
      for (const exported of [...file.declared.keys(), ...file.passedOn.keys()]) follow({ file: name, name: exported });
      for (const whole of file.passedOnWhole) follow({ file: whole, name: '*' });
      return;
    }
    const passedOn = file.passedOn.get(wanted);
    if (passedOn !== undefined) follow(passedOn);
    for (const statement of file.declared.get(wanted) ?? []) {
      if (keep(name, statement)) visit(name, file, statement);
    }
    if (!file.declared.has(wanted) && passedOn === undefined) {
      for (const whole of file.passedOnWhole) follow({ file: whole, name: wanted });
    }
  };
  const visit = (name: string, file: TypeFile, node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (file.declared.has(node.text)) follow({ file: name, name: node.text });
      const origin = file.imported.get(node.text);
      if (origin !== undefined) follow(origin);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      follow({ file: targetOf(name, node.argument.literal.text), name: '*' });
    }
    ts.forEachChild(node, (child) => {
      visit(name, file, child);
    });
  };

  for (const entry of entries) follow({ file: entry, name: '*' });
  const shipped = [...new Set([...entries, ...kept.keys()])];
  return new Map(
    shipped.map((name) => {
      const file = fileOf(name);
      return [name, file === undefined ? '' : textOf(file, kept.get(name) ?? new Set())];
    }),
  );
}

function readTypeFile(name: string, text: string): TypeFile {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  const declared = new Map<string, ts.Statement[]>();
  const imported = new Map<string, Origin>();
  const passedOn = new Map<string, Origin>();
  const passedOnWhole: string[] = [];
  const declare = (declaredName: string, statement: ts.Statement): void => {
    declared.set(declaredName, [...(declared.get(declaredName) ?? []), statement]);
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const file = targetOf(name, statement.moduleSpecifier.text);
      const bindings = statement.importClause?.namedBindings;
      if (bindings !== undefined && ts.isNamespaceImport(bindings))
        imported.set(bindings.name.text, { file, name: '*' });
      else {
        for (const one of bindings?.elements ?? [])
          imported.set(one.name.text, { file, name: (one.propertyName ?? one.name).text });
      }
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier;
      // Without another file, only declarations of this one are exported, which are found by their names.
      if (from === undefined || !ts.isStringLiteral(from)) continue;
      const file = targetOf(name, from.text);
      const clause = statement.exportClause;
      if (clause === undefined) passedOnWhole.push(file);
      else if (ts.isNamedExports(clause)) {
        for (const one of clause.elements)
          passedOn.set(one.name.text, { file, name: (one.propertyName ?? one.name).text });
      }
    } else if (ts.isVariableStatement(statement)) {
      for (const one of statement.declarationList.declarations) declare(one.name.getText(), statement);
    } else if (
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isFunctionDeclaration(statement)
    ) {
      if (statement.name !== undefined) declare(statement.name.text, statement);
    }
  }
  return { source, declared, imported, passedOn, passedOnWhole };
}

function targetOf(from: string, specifier: string): string {
  return path.join(path.dirname(from), `${specifier.replace(/\.js$/, '')}.d.ts`);
}

/** The kept declarations, with the imports that they need. Re-exports stay unchanged. */
function textOf({ source }: TypeFile, kept: ReadonlySet<ts.Node>): string {
  const declarations = source.statements.filter((statement) => kept.has(statement));
  const used = new Set(declarations.flatMap(identifiersIn));
  const lines = source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return [statement.getFullText().trim()];
    if (ts.isImportDeclaration(statement)) return importOf(statement, used);
    return kept.has(statement) ? [statement.getFullText().trim()] : [];
  });
  return `${lines.join('\n')}\n`;
}

function identifiersIn(node: ts.Node): string[] {
  const own = ts.isIdentifier(node) ? [node.text] : [];
  const inner: string[] = [];
  ts.forEachChild(node, (child) => {
    inner.push(...identifiersIn(child));
  });
  return [...own, ...inner];
}

function importOf(statement: ts.ImportDeclaration, used: ReadonlySet<string>): string[] {
  const bindings = statement.importClause?.namedBindings;
  if (bindings === undefined) return [];
  if (ts.isNamespaceImport(bindings)) return used.has(bindings.name.text) ? [statement.getText()] : [];
  const names = bindings.elements
    .filter((one) => used.has(one.name.text))
    .map((one) => one.getText().replace(/^type /, ''));
  return names.length === 0 ? [] : [`import type { ${names.join(', ')} } from ${statement.moduleSpecifier.getText()};`];
}
