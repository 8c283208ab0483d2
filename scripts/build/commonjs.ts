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
}

/** Line numbers stay, so a source map of the module leads from the result, too. */
export function asCommonJs(module: string, { isImported, loaded }: CommonJsOptions): string {
  const source = ts.createSourceFile('module.js', module, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const [hashBang = ''] = /^#!.*/.exec(module) ?? [];
  let code = '';
  let end = hashBang.length;
  for (const statement of source.statements) {
    const replaced = replacementOf(statement, isImported);
    if (replaced === null) continue;
    code += module.slice(end, statement.getStart()) + replaced + '\n'.repeat(linesIn(statement));
    end = statement.end;
  }
  code += module.slice(end);
  const marked = new RegExp(`${onDemand}\\("([^"]+)"\\)`, 'g');
  const start = isImported ? '"use strict";Object.defineProperty(exports,"__esModule",{value:true});' : '"use strict";';
  return `${hashBang}${hashBang === '' ? '' : '\n'}${start}${code.replace(/^\n/, hashBang === '' ? '\n' : '')}`.replace(
    marked,
    (_, wanted: string) => loaded(wanted),
  );
}

function linesIn(node: ts.Node): number {
  return node.getText().split('\n').length - 1;
}

function replacementOf(statement: ts.Statement, isImported: boolean): string | null {
  if (ts.isImportDeclaration(statement)) return requireOf(statement);
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

function requireOf({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  // No module of the source does anything by being loaded.
  if (importClause === undefined) return '';
  const call = `require(${moduleSpecifier.getText()})`;
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
