/**
 * Makes CommonJS of a bundler's ES module. esbuild writes CommonJS only without splitting, and with a getter for every export; here,
 * imports become constants, because the files of the package form no circle.
 */
import ts from 'typescript';

/** The mark of a module that is loaded on demand: a call with its path. */
export const onDemand = 'cemmOnDemand';

interface CommonJsOptions {
  /** True for a file that programs import by its names. */
  readonly isImported: boolean;
  /** The expression that loads a module marked by `onDemand`. */
  readonly loaded: (module: string) => string;
  /** The expression of an imported file; otherwise `require`. */
  readonly imported?: (specifier: string) => string;
}

/** Line numbers stay, so a source map of the module leads from the result, too. */
export function asCommonJs(module: string, options: CommonJsOptions): string {
  const { isImported, loaded } = options;
  const source = ts.createSourceFile('module.js', module, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const [hashBang = ''] = /^#!.*/.exec(module) ?? [];
  let code = '';
  let end = hashBang.length;
  for (const statement of source.statements) {
    const replaced = replacementOf(statement, options);
    if (replaced === null) continue;
    code += module.slice(end, statement.getStart()) + replaced + '\n'.repeat(linesIn(statement));
    end = statement.end;
  }
  code += module.slice(end);
  const marked = new RegExp(`${onDemand}\\("([^"]+)"\\)`, 'g');
  const withDemands = code.replace(marked, (_, wanted: string) => loaded(wanted));
  const once = [...new Set(withDemands.match(/\bonce_\w+/g))];
  const start = [
    '"use strict";',
    isImported ? 'Object.defineProperty(exports,"__esModule",{value:true});' : '',
    once.length === 0 ? '' : `let ${once.join(', ')};`,
  ].join('');
  const isCommand = hashBang !== '';
  return `${hashBang}${isCommand ? '\n' : ''}${start}${withDemands.replace(/^\n/, isCommand ? '' : '\n')}`;
}

/** A variable of the file for a package that is loaded on demand. */
export function onceName(name: string): string {
  return `once_${name.replace(/\W/g, '_')}`;
}

/** The named imports of a bundler's ES module. */
export function importsOf(module: string): { readonly from: string; readonly names: readonly string[] }[] {
  const source = ts.createSourceFile('module.js', module, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = statement.importClause?.namedBindings;
    const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
    return [
      { from: statement.moduleSpecifier.text, names: elements.map((one) => (one.propertyName ?? one.name).text) },
    ];
  });
}

function linesIn(node: ts.Node): number {
  return node.getText().split('\n').length - 1;
}

function replacementOf(statement: ts.Statement, { isImported, imported }: CommonJsOptions): string | null {
  if (ts.isImportDeclaration(statement)) return constantsOf(statement, imported);
  if (!ts.isExportDeclaration(statement)) return null;
  if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause))
    throw new Error(`The bundler exports something else than names: ${statement.getText()}`);
  const names = statement.exportClause.elements.map((one) => ({
    name: one.name.text,
    local: (one.propertyName ?? one.name).text,
  }));
  const whole = names.find(({ name }) => name === 'default');
  if (whole !== undefined) return `module.exports = ${whole.local};`;
  // Node.js finds the names for an `import` only if they are written like this.
  if (isImported) return names.map(({ name, local }) => `exports.${name} = ${local};`).join(' ');
  return `module.exports = { ${names.map(({ name, local }) => `${name}: ${local}`).join(', ')} };`;
}

function constantsOf(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  imported: CommonJsOptions['imported'] = (specifier) => `require(${JSON.stringify(specifier)})`,
): string {
  // No module of the source does anything by being loaded.
  if (importClause === undefined) return '';
  const call = imported(ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '');
  const { name, namedBindings } = importClause;
  const parts: string[] = [];
  // The packages that the source imports this way are CommonJS without a `default` of a bundler's.
  if (name !== undefined) parts.push(`${name.text} = ${call}`);
  if (namedBindings !== undefined && ts.isNamespaceImport(namedBindings))
    parts.push(`${namedBindings.name.text} = ${call}`);
  else if (namedBindings !== undefined) {
    const names = namedBindings.elements.map((one) =>
      one.propertyName === undefined ? one.name.text : `${one.propertyName.text}: ${one.name.text}`,
    );
    parts.push(`{ ${names.join(', ')} } = ${call}`);
  }
  return `const ${parts.join(', ')};`;
}
