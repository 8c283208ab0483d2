/** Writes the shipped types: of the compiler's output, the declarations that the entries of the package need, in few files. */
import path from 'node:path';
import ts from 'typescript';
import { type Declaration, type Exported, identifiersIn, isExported, TypeReader } from './type-files';

type Declarations = ReadonlyMap<string, Declaration>;

/**
 * The declarations that the first entry needs are in `types.d.ts` beside it; the others are in the files of their entries.
 * @param types path → text of a type file
 * @param entries files of which every export is shipped
 * @returns path → text, without the declarations and imports that nothing needs
 */
export function shippedTypes(types: ReadonlyMap<string, string>, entries: readonly string[]): Map<string, string> {
  const reader = new TypeReader(types);
  const [main = ''] = entries;
  const shared = reader.neededBy(main);
  const sharedFile = path.join(path.dirname(main), 'types');
  const texts = new Map([[`${sharedFile}.d.ts`, declarationsOf(shared, shared, 'export ')]]);
  for (const entry of entries) {
    const relative = path.relative(path.dirname(entry), sharedFile);
    const from = relative.startsWith('.') ? relative : `./${relative}`;
    const own = new Map([...reader.neededBy(entry)].filter(([name, { file }]) => shared.get(name)?.file !== file));
    const exported = reader.exportsOf(entry);
    const lines = [
      importOf(own, shared, from),
      declarationsOf(own, new Map([...shared, ...own]), ''),
      exportOf(
        exported.filter(({ declared }) => own.has(declared)),
        '',
      ),
      exportOf(
        exported.filter(({ declared }) => !own.has(declared)),
        ` from '${from}'`,
      ),
    ];
    texts.set(entry, lines.join(''));
  }
  return texts;
}

/** @param before what is written before each declaration */
function declarationsOf(declarations: Declarations, visible: Declarations, before: string): string {
  const external = new Set<string>();
  const statements = new Set<ts.Statement>();
  for (const { file, statements: own } of declarations.values()) {
    for (const statement of own) statements.add(statement);
    for (const name of own.flatMap(identifiersIn)) {
      const from = file.external.get(name);
      if (from !== undefined) external.add(`import type { ${name} } from '${from}';\n`);
      const there = visible.get(name);
      const isOther = there !== undefined && there.file !== file && !file.imported.has(name);
      if (isOther && own.some((statement) => namesType(statement, name)))
        throw new Error(`The name ${name} means another type in one file of the types.`);
    }
  }
  return [...external, ...[...statements].map((statement) => `${textOf(statement, before)}\n`)].join('');
}

function namesType(node: ts.Node, name: string): boolean {
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === name) return true;
  return ts.forEachChild(node, (child) => namesType(child, name) || undefined) ?? false;
}

/** The statement with its comments. */
function textOf(statement: ts.Statement, before: string): string {
  const start = statement.getStart();
  const comments = statement
    .getFullText()
    .slice(0, start - statement.pos)
    .trimStart();
  const text = statement.getText();
  const declaration = isExported(statement) ? text.replace(/^export /, '') : text;
  // The compiler indents by four.
  return `${comments}${before}${declaration}`.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 4));
}

function importOf(own: Declarations, shared: Declarations, from: string): string {
  const used = [...own.values()].flatMap(({ statements }) => statements.flatMap(identifiersIn));
  const names = [...new Set(used)].filter((name) => shared.has(name) && !own.has(name)).sort();
  return names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${from}';\n`;
}

function exportOf(exported: readonly Exported[], from: string): string {
  const names = exported.map(
    ({ name, declared, isType }) => `${isType ? 'type ' : ''}${declared === name ? name : `${declared} as ${name}`}`,
  );
  return names.length === 0 ? '' : `export { ${names.join(', ')} }${from};\n`;
}
