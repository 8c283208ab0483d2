/** Reads the declaration files of the compiler: what they declare, import and pass on. */
import path from 'node:path';
import ts from 'typescript';

/** Origin of a name; `*` stands for the whole file. */
export interface Origin {
  readonly file: string;
  readonly name: string;
}

interface TypeFile {
  /** Name → the statements that declare it. */
  readonly declared: ReadonlyMap<string, readonly ts.Statement[]>;
  /** Name in this file → its origin in another one. */
  readonly imported: ReadonlyMap<string, Origin>;
  /** Name in this file → the package that it comes from. */
  readonly external: ReadonlyMap<string, string>;
  /** Exported name → its origin. */
  readonly passedOn: ReadonlyMap<string, Origin>;
  /** Files whose exports are all re-exported. */
  readonly passedOnWhole: readonly string[];
}

export interface Declaration {
  readonly file: TypeFile;
  readonly statements: readonly ts.Statement[];
}

export interface Exported {
  readonly name: string;
  /** Name of the declaration. */
  readonly declared: string;
  readonly isType: boolean;
}

export class TypeReader {
  private readonly files = new Map<string, TypeFile>();

  /** @param types path → text of a type file */
  constructor(private readonly types: ReadonlyMap<string, string>) {}

  /** Everything that the exports of a file need, also through others, by the names of the declarations. */
  neededBy(entry: string): Map<string, Declaration> {
    const found = new Map<string, Declaration>();
    for (const { name } of this.exportsOf(entry)) this.add({ file: entry, name }, found);
    return found;
  }

  exportsOf(name: string): Exported[] {
    const file = this.file(name);
    const own = [...file.declared].filter(([, statements]) => statements.some(isExported)).map(([one]) => one);
    return [
      ...[...own, ...file.passedOn.keys()].map((one) => this.exported({ file: name, name: one })),
      ...file.passedOnWhole.flatMap((whole) => this.exportsOf(whole)),
    ];
  }

  private exported(origin: Origin): Exported {
    const { file, name } = this.declarationOf(origin);
    const statements = this.file(file).declared.get(name) ?? [];
    const isType = statements.every((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one));
    return { name: origin.name, declared: name, isType };
  }

  private declarationOf({ file: fileName, name }: Origin): Origin {
    const file = this.file(fileName);
    if (file.declared.has(name)) return { file: fileName, name };
    const passedOn = file.passedOn.get(name) ?? file.imported.get(name);
    if (passedOn !== undefined) return this.declarationOf(passedOn);
    const whole = file.passedOnWhole.find((one) => this.exportsOf(one).some((exported) => exported.name === name));
    if (whole === undefined) throw new Error(`${fileName} has no ${name}.`);
    return this.declarationOf({ file: whole, name });
  }

  private add(wanted: Origin, found: Map<string, Declaration>): void {
    const { file: fileName, name } = this.declarationOf(wanted);
    const file = this.file(fileName);
    const before = found.get(name);
    if (before?.file === file) return;
    if (before !== undefined) throw new Error(`Two declarations of the package have the name ${name}.`);
    const statements = file.declared.get(name) ?? [];
    found.set(name, { file, statements });
    for (const used of new Set(statements.flatMap(identifiersIn))) {
      if (file.declared.has(used) || file.imported.has(used)) this.add({ file: fileName, name: used }, found);
    }
  }

  private file(name: string): TypeFile {
    const file = this.files.get(name) ?? readTypeFile(name, this.types.get(name));
    this.files.set(name, file);
    return file;
  }
}

export function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

export function identifiersIn(node: ts.Node): string[] {
  const inner: string[] = [];
  ts.forEachChild(node, (child) => {
    inner.push(...identifiersIn(child));
  });
  return ts.isIdentifier(node) ? [node.text, ...inner] : inner;
}

function readTypeFile(name: string, text: string | undefined): TypeFile {
  if (text === undefined) throw new Error(`There is no ${name}.`);
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  const declared = new Map<string, ts.Statement[]>();
  const imported = new Map<string, Origin>();
  const external = new Map<string, string>();
  const passedOn = new Map<string, Origin>();
  const passedOnWhole: string[] = [];
  const declare = (declaredName: string, statement: ts.Statement): void => {
    declared.set(declaredName, [...(declared.get(declaredName) ?? []), statement]);
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = specifierOf(statement.moduleSpecifier);
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined) continue;
      if (ts.isNamespaceImport(bindings))
        throw new Error(`${name} imports all of ${from}: one file cannot contain it.`);
      for (const one of bindings.elements) {
        if (one.propertyName !== undefined) throw new Error(`${name} imports ${one.getText()} under another name.`);
        if (from.startsWith('.')) imported.set(one.name.text, { file: targetOf(name, from), name: one.name.text });
        else external.set(one.name.text, from);
      }
    } else if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      const file =
        statement.moduleSpecifier === undefined ? null : targetOf(name, specifierOf(statement.moduleSpecifier));
      if (clause === undefined && file !== null) passedOnWhole.push(file);
      if (clause === undefined || !ts.isNamedExports(clause)) continue;
      for (const one of clause.elements) {
        const origin = (one.propertyName ?? one.name).text;
        const here = imported.get(origin);
        if (file !== null) passedOn.set(one.name.text, { file, name: origin });
        else if (here !== undefined) passedOn.set(one.name.text, here);
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
  return { declared, imported, external, passedOn, passedOnWhole };
}

function specifierOf(node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : '';
}

function targetOf(from: string, specifier: string): string {
  return path.join(path.dirname(from), `${specifier.replace(/\.js$/, '')}.d.ts`);
}
