/** Finds the names of private members of classes that nothing else has: the build makes them as short as names of variables. */
import ts from 'typescript';

/** @param texts of all modules that are bundled */
export function privateNames(texts: readonly string[]): string[] {
  const isPrivateName = new Set<string>();
  const others = new Set<string>();
  for (const text of texts) {
    const visit = (node: ts.Node, own: ReadonlySet<string>): void => {
      const inside = ts.isClassLike(node) ? privateMembers(node) : own;
      if (ts.isClassLike(node)) for (const name of inside) isPrivateName.add(name);
      for (const name of otherNames(node, inside)) others.add(name);
      ts.forEachChild(node, (child) => {
        visit(child, inside);
      });
    };
    visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.ES2022, true), new Set());
  }
  return [...isPrivateName].filter((name) => !others.has(name)).sort();
}

function isPrivate(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
}

function privateMembers({ members }: ts.ClassLikeDeclaration): Set<string> {
  const named = members.flatMap((member): readonly (ts.ClassElement | ts.ParameterDeclaration)[] =>
    ts.isConstructorDeclaration(member) ? member.parameters : [member],
  );
  return new Set(named.filter(isPrivate).flatMap(({ name }) => (name === undefined ? [] : [name.getText()])));
}

/** Names in the node that are no private member, or may be none; `own` are the private members of the class around it. */
function otherNames(node: ts.Node, own: ReadonlySet<string>): string[] {
  if (ts.isPropertyAccessExpression(node)) {
    const isOwn = node.expression.kind === ts.SyntaxKind.ThisKeyword && own.has(node.name.text);
    return isOwn ? [] : [node.name.text];
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
    return [(node.propertyName ?? node.name).getText()];
  // A text may be the name of a property that is read with it.
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParameter(node))
    return ts.isParameterPropertyDeclaration(node, node.parent) && !isPrivate(node) ? [node.name.getText()] : [];
  const isMember = ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node);
  return isMember && node.name !== undefined && !isPrivate(node) ? [node.name.getText()] : [];
}
