import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import should from 'should';
import ts from 'typescript';
import { editorNodeTypes, htmlOf } from '../../../scripts/build/editor';
import { loadEditor, root, scriptPattern } from '../../support/editor/load-editor';

const load = createRequire(__filename);

/** The arguments of the one call of `registerType`. */
function registration(script: string): readonly ts.Expression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'registerType'
    ) {
      calls.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('editor.js', script, ts.ScriptTarget.ES2022));
  calls.length.should.equal(1);
  return calls[0]?.arguments ?? [];
}

function inlineObject(expression: ts.Expression | undefined): Map<string, ts.Expression | null> {
  if (expression === undefined || !ts.isObjectLiteralExpression(expression)) throw new Error('not an inline object');
  return new Map(
    expression.properties.map((property) => {
      if (ts.isSpreadAssignment(property) || !ts.isIdentifier(property.name)) throw new Error('not a plain property');
      return [property.name.text, ts.isPropertyAssignment(property) ? property.initializer : null];
    }),
  );
}

function storedDefaults(type: string): Record<string, unknown> {
  const module = load(path.join(root, 'nodes', type, 'config')) as Record<string, unknown>;
  const found = Object.entries(module).find(([name]) => name.endsWith('Defaults'));
  if (found === undefined) throw new Error(`${type}/config exports no …Defaults`);
  return found[1] as Record<string, unknown>;
}

describe('the built HTML', () => {
  for (const type of editorNodeTypes(root)) {
    describe(type, () => {
      let html = '';
      before(async () => {
        html = await htmlOf(root, type);
      });

      it('holds one inline script, nothing from another file, and closes every script once', () => {
        [...html.matchAll(scriptPattern)].length.should.equal(1);
        html.should.not.match(/<script[^>]*\ssrc=/);
        should(html.match(/<script/g)?.length).equal(html.match(/<\/script>/g)?.length);
      });

      it('registers its type literally, as the scanners of the public palette want it', () => {
        const [, script = ''] = [...html.matchAll(scriptPattern)][0] ?? [];
        const [name, definition] = registration(script);
        should(name !== undefined && ts.isStringLiteral(name) && name.text).equal(type);
        const properties = inlineObject(definition);
        inlineObject(properties.get('defaults') ?? undefined).size.should.be.above(0);
        for (const plain of ['category', 'color', 'icon', 'inputs', 'outputs']) {
          const value = properties.get(plain);
          if (value !== undefined) should(value !== null && ts.isLiteralExpression(value)).equal(true, plain);
        }
      });

      it('stores exactly the properties of the contract, with their defaults', async () => {
        const { definition } = await loadEditor(type);
        const values = Object.fromEntries(
          Object.entries(definition.defaults).map(([property, { value }]) => [property, value]),
        );
        // The lists of the sandbox have another prototype.
        should(JSON.parse(JSON.stringify(values))).deepEqual(storedDefaults(type));
      });

      it('has its category, its colour, its icon and validators that may say why', async () => {
        const { definition } = await loadEditor(type);
        definition.category.should.equalOneOf('CEMM', 'config');
        definition.color.should.match(/^#[0-9A-F]{6}$/i);
        should(existsSync(path.join(root, 'icons', definition.icon))).equal(true, definition.icon);
        for (const [property, { validate }] of Object.entries(definition.defaults)) {
          if (validate !== undefined) validate.length.should.equal(2, property);
        }
      });
    });
  }
});
