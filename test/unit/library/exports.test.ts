import path from 'node:path';
import should from 'should';
import ts from 'typescript';

/**
 * The types that a user of a module encounters and cannot import by name. Walks from the exports of the `entries` through all names in
 * their declarations. Types that are extended, or used by `typeof`, are followed and need no name.
 * @param folder of the declarations that count
 */
function unnamedTypes(program: ts.Program, entries: readonly string[], folder: string): string[] {
  const checker = program.getTypeChecker();
  const exported = new Set(entries.flatMap((entry) => exportsOf(program, entry)));
  const seen = new Set<ts.Symbol>();
  const unnamed = new Set<string>();

  function isOwn(declaration: ts.Declaration): boolean {
    return declaration.getSourceFile().fileName.startsWith(folder);
  }

  function visitSymbol(symbol: ts.Symbol): void {
    if (seen.has(symbol)) return;
    seen.add(symbol);
    for (const declaration of symbol.declarations ?? []) if (isOwn(declaration)) visitDeclaration(declaration);
  }

  function visitDeclaration(declaration: ts.Declaration): void {
    ts.forEachChild(declaration, (child) => {
      if (!isPrivate(child)) visit(child);
      else if (ts.isConstructorDeclaration(child)) {
        for (const parameter of child.parameters) if (!isPrivate(parameter)) visit(parameter);
      }
    });
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeReferenceNode(node)) visitName(node.typeName, true);
    if (ts.isExpressionWithTypeArguments(node)) visitName(node.expression, false);
    // Bodies of functions and initial values are internal.
    if (ts.isBlock(node) || isInitializer(node)) return;
    ts.forEachChild(node, visit);
  }

  function visitName(name: ts.Node, needsName: boolean): void {
    const found = checker.getSymbolAtLocation(name);
    if (found === undefined) return;
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    if (symbol.flags & ts.SymbolFlags.TypeParameter || !symbol.declarations?.some(isOwn)) return;
    if (needsName && !exported.has(symbol)) unnamed.add(symbol.name);
    visitSymbol(symbol);
  }

  for (const symbol of exported) visitSymbol(symbol);
  return [...unnamed].sort();
}

function exportsOf(program: ts.Program, entry: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} is no module`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
}

function isPrivate(node: ts.Node): boolean {
  const isMarked =
    ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  return isMarked === true || (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name));
}

function isInitializer(node: ts.Node): boolean {
  const { parent } = node;
  return (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) && parent.initializer === node;
}

const root = path.resolve(__dirname, '../../..');

describe('the library', function () {
  // The compiler is slow on a busy machine.
  this.timeout(120_000);

  it('exports every type of its signatures by name', () => {
    const entries = ['src/index.ts', 'src/simulator/index.ts'].map((file) => path.join(root, file));
    const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const program = ts.createProgram({ rootNames: entries, options });
    unnamedTypes(program, entries, path.join(root, 'src')).should.eql([]);
    should(program.getSourceFile(entries[0] ?? '')).be.ok();
  });
});
